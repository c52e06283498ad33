/** The table of figures: its rows, its Markdown, and its place in a page of the documentation. */
import { readFileSync, writeFileSync } from "node:fs";
import { median, type Pair } from "./measure.ts";

export interface Row {
  what: string;
  measured: string;
  /** Empty if there is none. */
  aim: string;
  met: boolean;
}

/** The ratio of the time of side A to side B. The range is that of the single rounds. */
export function ratioRow(what: string, pair: Pair, aim: number | undefined, note?: string): Row {
  const { a, b } = pair;
  const rounds = a.map((value, round) => value / (b[round] ?? Number.NaN));
  const range = `${Math.min(...rounds).toFixed(1)} to ${Math.max(...rounds).toFixed(1)}`;
  const sides = `${time(median(a))} over ${time(median(b))}`;
  return {
    what,
    measured: `${ratioText(pair)} (${range}): ${sides}${note === undefined ? "" : `; ${note}`}`,
    aim: aim === undefined ? "" : `≤ ${aim}`,
    met: aim === undefined || ratioOf(pair) <= aim,
  };
}

export function ratioText(pair: Pair): string {
  return ratioOf(pair).toFixed(2);
}

function ratioOf({ a, b }: Pair): number {
  return median(a) / median(b);
}

/** The extra time of side A over side B. */
export function differenceRow(what: string, { a, b }: Pair, aimMs: number | undefined): Row {
  const more = median(a) - median(b);
  return {
    what,
    measured: `${time(more)}: ${time(median(a))} less ${time(median(b))}`,
    aim: aimMs === undefined ? "" : `≤ ${time(aimMs)}`,
    met: aimMs === undefined || more <= aimMs,
  };
}

export function timeRow(what: string, ms: number, note: string, aimMs: number): Row {
  return { what, measured: `${time(ms)} (${note})`, aim: `≤ ${time(aimMs)}`, met: ms <= aimMs };
}

/** Memory is compared by its worst run, not its median. */
export function memoryRow(what: string, peaks: readonly number[], aimBytes: number): Row {
  const most = Math.max(...peaks);
  return { what, measured: megabytes(most), aim: `< ${megabytes(aimBytes)}`, met: most < aimBytes };
}

export function shareRow(what: string, share: number, note: string, aim: number): Row {
  return { what, measured: `${share.toFixed(2)} (${note})`, aim: `≤ ${aim}`, met: share <= aim };
}

/** Padded as the formatter of this repository wants it. */
export function markdownTable(rows: readonly Row[]): string {
  const head = ["what", "measured", "aim", "met"];
  const verdict = ({ aim, met }: Row): string => (aim === "" ? "" : met ? "yes" : "no");
  const lines = [head, ...rows.map((row) => [row.what, row.measured, row.aim, verdict(row)])];
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = widths.map((width) => "-".repeat(width));
  return [line(head), line(rule), ...lines.slice(1).map(line)].join("\n");
}

/** Puts the text between the markers of that name in a Markdown file. */
export function writeBetweenMarkers(path: string, text: string, name = "bench"): void {
  const [from, to] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const page = readFileSync(path, "utf8");
  const start = page.indexOf(from);
  const end = page.indexOf(to);
  if (start < 0 || end < start) throw new Error(`${path} has no place for the table: ${from} … ${to}`);
  writeFileSync(path, `${page.slice(0, start + from.length)}\n${text}\n${page.slice(end)}`);
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

function time(ms: number): string {
  if (Math.abs(ms) >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return `${ms.toFixed(Number.isInteger(ms) ? 0 : 1)} ms`;
}
