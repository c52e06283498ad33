/** The period of a report: parses the typed period to its first and last moment, and formats it in words. */
import { DexError } from "../kernel/errors.ts";
import { dayOf, parseDate } from "../kernel/time.ts";

/** In milliseconds; undefined means unlimited on that side. */
export interface Span {
  from?: number;
  to?: number;
}

const DAY_MS = 86_400_000;
const DAYS_BACK: Readonly<Record<string, number>> = { week: 7, month: 30, year: 365 };

/**
 * `today`, `yesterday`, `week`, `month`, `year`, `all`; a day `2026-01-13`, a month `2026-01`, a range `A..B` of days or
 * months; `3d` or `2w` back from now.
 */
export function parsePeriod(typed: string, now: number): Span {
  const period = typed.trim().toLowerCase();
  if (period === "all") return {};
  const back = DAYS_BACK[period];
  if (back !== undefined) return { from: now - back * DAY_MS, to: now };
  const [first = "", last, ...more] = period.split("..");
  if (more.length > 0) throw badPeriod(typed);
  if (last === undefined)
    return /^\d+\s*[hdwmy]$/.test(period) ? { from: edge(period, "start", now), to: now } : whole(period, now);
  const span = {
    ...(first === "" ? {} : { from: edge(first, "start", now) }),
    ...(last === "" ? {} : { to: edge(last, "end", now) }),
  };
  if (first === "" && last === "") throw badPeriod(typed);
  if (span.from !== undefined && span.to !== undefined && span.from > span.to) {
    throw new DexError("bad_date", `${typed.trim()} ends before it begins.`, { hint: `Write ${last}..${first}.` });
  }
  return span;
}

function whole(period: string, now: number): Span {
  return { from: edge(period, "start", now), to: edge(period, "end", now) };
}

function edge(typed: string, side: "start" | "end", now: number): number {
  const month = /^(\d{4})-(\d\d)$/.exec(typed);
  if (!month) return dateOf(typed, side, now);
  const [year, number] = [Number(month[1]), Number(month[2])];
  if (number < 1 || number > 12) throw badPeriod(typed);
  return side === "start" ? new Date(year, number - 1, 1).getTime() : new Date(year, number, 1).getTime() - 1;
}

function dateOf(typed: string, side: "start" | "end", now: number): number {
  try {
    return Date.parse(parseDate(typed, side, new Date(now)));
  } catch (error) {
    // Its hint lists dates only, and a period may also be a word or a month.
    throw error instanceof DexError ? badPeriod(typed) : error;
  }
}

function badPeriod(typed: string): DexError {
  return new DexError("bad_date", `"${typed.trim()}" is not a period.`, {
    hint: "Use today, yesterday, week, month, year, all, 3d, 2026-01-13, 2026-01, or 2026-01-08..2026-01-15.",
  });
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** `on 13 January 2026`, `from 8 to 15 November 2026`, `since 1 May 2026`; empty for all time. */
export function spanText({ from, to }: Span): string {
  if (from === undefined) return to === undefined ? "" : `until ${dateText(to)}`;
  if (to === undefined) return `since ${dateText(from)}`;
  if (dayOf(from) === dayOf(to)) return `on ${dateText(from)}`;
  const [year, month] = dayOf(to).split("-");
  const [firstYear, firstMonth] = dayOf(from).split("-");
  const short =
    year === firstYear && month === firstMonth ? String(new Date(from).getDate()) : dateText(from, year !== firstYear);
  return `from ${short} to ${dateText(to)}`;
}

function dateText(ms: number, withYear = true): string {
  const date = new Date(ms);
  return `${date.getDate()} ${MONTHS[date.getMonth()]}${withYear ? ` ${date.getFullYear()}` : ""}`;
}
