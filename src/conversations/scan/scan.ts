/**
 * The scan: a whole conversation within a token budget. It uses the finest level at which prompts still have a readable
 * length, and shows as much of the texts as the budget allows. The same messages always give the same scan.
 *
 *   2026-01-13 (-05:00)
 *   #0 08:40 user: Help me implement the login
 *   #1-9 6 reads, 2 searches "I'll look at the …"
 */
import { DayClock } from "../../kernel/time.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import type { Message } from "../model.ts";
import { type Row, ScanLevels } from "./levels.ts";
import { pieceAt } from "./pieces.ts";

export interface Scan {
  /** Without times. */
  lines: string[];
  /** Time of the first message of each line, in whole minutes, if known. */
  times: (string | null)[];
  /** Estimated tokens of the lines with their times, or of the largest form that was measured. */
  tokens: number;
  /** False: the shortest possible scan exceeds the budget. */
  fits: boolean;
}

/** Limit for the title above a scan, which counts against the budget. */
export const MAX_TITLE_CHARS = 80;

/** Below this detail (a prompt of 60 characters) messages are merged rather than shortened further. */
const MIN_DETAIL = 15;
/**
 * The same while rows between two prompts can be merged: few rows with a sentence each tell more than many with a few
 * letters.
 */
const MIN_MERGED_DETAIL = 60;
const MAX_DETAIL = 1 << 20;
/** Lines measured at a time, so a detail that is far too large costs no more than one that fits. */
const BATCH_LINES = 64;
/** A line shows the time if this long has passed since the last shown time. */
const TIME_INTERVAL_MS = 10 * 60_000;
const MINUTE_MS = 60_000;

/** Estimates the tokens of a form in which a scan is shown. */
export type Measure = (lines: readonly string[], times: readonly (string | null)[]) => number;

/** The lines as printed, without a frame. */
export function printedTokens(lines: readonly string[], times: readonly (string | null)[]): number {
  return estimateTokens(timedLines(lines, times).join("\n"));
}

/** Each of `measures` stays within the budget. The first one must grow with the lines alone. */
export function scanWithin(
  messages: readonly { index: number; message: Message }[],
  maxTokens: number,
  project?: string,
  measures: readonly Measure[] = [printedTokens],
): Scan {
  let coarsest: Row[] = [];
  for (const { rows, canMerge } of new ScanLevels(messages, project).all()) {
    const detail = canMerge ? MIN_MERGED_DETAIL : MIN_DETAIL;
    if (fits(rows, detail, maxTokens, measures)) return longest(rows, detail, maxTokens, measures);
    coarsest = rows;
  }
  if (fits(coarsest, 0, maxTokens, measures)) return longest(coarsest, 0, maxTokens, measures);
  return { ...scanAt(coarsest, 0, measures), fits: false };
}

/** The scan with the largest detail that fits; `detail` is known to fit. */
function longest(rows: readonly Row[], detail: number, maxTokens: number, measures: readonly Measure[]): Scan {
  let fitting = detail;
  let tooLarge = Math.max(1, detail * 2);
  while (tooLarge < MAX_DETAIL && fits(rows, tooLarge, maxTokens, measures)) {
    fitting = tooLarge;
    tooLarge *= 2;
  }
  while (tooLarge - fitting > 1) {
    const middle = Math.floor((fitting + tooLarge) / 2);
    if (fits(rows, middle, maxTokens, measures)) fitting = middle;
    else tooLarge = middle;
  }
  return scanAt(rows, fitting, measures);
}

function fits(rows: readonly Row[], detail: number, maxTokens: number, measures: readonly Measure[]): boolean {
  const estimate = maxTokens * 1.05 + 50;
  let tokens = 0;
  for (let from = 0; from < rows.length; from += BATCH_LINES) {
    const batch = linesAt(rows.slice(from, from + BATCH_LINES), detail);
    tokens += printedTokens(batch.lines, batch.times);
    if (tokens > estimate) return false;
  }
  // Batches are rounded separately; the limit applies to the whole.
  const { lines, times } = linesAt(rows, detail);
  return measures.every((measure) => measure(lines, times) <= maxTokens);
}

function scanAt(rows: readonly Row[], detail: number, measures: readonly Measure[]): Scan {
  const { lines, times } = linesAt(rows, detail);
  return { lines, times, tokens: Math.max(...measures.map((measure) => measure(lines, times))), fits: true };
}

function linesAt(rows: readonly Row[], detail: number): Pick<Scan, "lines" | "times"> {
  return { lines: rows.map((row) => lineOf(row, detail)), times: rows.map(({ time }) => wholeMinute(time)) };
}

function wholeMinute(time: string | null): string | null {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) ? null : new Date(ms - (ms % MINUTE_MS)).toISOString();
}

/** `#4 tool: [Bash: npm test → 0] "Tests passed…"`, `#5-9 2 edits in 1 file` */
function lineOf({ first, last, role, pieces }: Row, detail: number): string {
  const shown = pieces.map((piece) => pieceAt(piece, detail)).filter((text) => text !== "");
  if (role === "user" && pieces.length === 1) shown[0] = shown[0]?.slice(1, -1) ?? "";
  const address = first === last ? `#${first}` : `#${first}-${last}`;
  return [address, role === "" ? "" : `${role}:`, ...shown].filter((part) => part !== "").join(" ");
}

/** The lines with a date line at the start of each day, and times at intervals. */
export function timedLines(lines: readonly string[], times: readonly (string | null)[]): string[] {
  const days = new DayClock();
  let shownAt = Number.NEGATIVE_INFINITY;
  return lines.flatMap((line, i) => {
    const time = times[i] ?? null;
    const { day, clock } = days.next(time);
    const ms = time === null ? Number.NaN : Date.parse(time);
    if (clock === "" || (day === undefined && ms - shownAt < TIME_INTERVAL_MS)) return [line];
    shownAt = ms;
    const space = line.indexOf(" ");
    const address = space < 0 ? line : line.slice(0, space);
    const timed = `${address} ${clock.slice(0, 5)}${line.slice(address.length)}`;
    return day === undefined ? [timed] : [day, timed];
  });
}

/** Times as minutes after the first one: a tenth of the tokens of full times. */
export function minutesOf(times: readonly (string | null)[]): { start?: string; minutes?: (number | null)[] } {
  const start = times.find((time) => time !== null);
  if (start === undefined || start === null) return {};
  const first = Date.parse(start);
  return {
    start,
    minutes: times.map((time) => (time === null ? null : Math.round((Date.parse(time) - first) / MINUTE_MS))),
  };
}

/** The reverse of `minutesOf`. */
export function timesFrom(start: string | undefined, minutes: readonly (number | null)[] = []): (string | null)[] {
  const first = Date.parse(start ?? "");
  if (Number.isNaN(first)) return [];
  return minutes.map((after) => (after === null ? null : new Date(first + after * MINUTE_MS).toISOString()));
}
