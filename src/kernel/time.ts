/** Times as ISO 8601 strings in UTC, and the dates people type. */
import { DexError } from "./errors.ts";

const DAY = 86_400_000;

/** Milliseconds, seconds (below 10^11), or any date text, as ISO; undefined when it is no time. */
export function toIso(value: unknown): string | undefined {
  if (typeof value === "number") {
    if (!Number.isFinite(value) || value <= 0) return undefined;
    const ms = value < 1e11 ? value * 1000 : value;
    return ms < 8.64e15 ? new Date(ms).toISOString() : undefined;
  }
  if (typeof value !== "string" || value === "") return undefined;
  if (ISO.test(value)) return value;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** The day of a time, in UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * A date as typed: ISO date or time, `today`, `yesterday`, `7d`, `2w`, `3m`, `1y`, `12h`. A date without a time is the
 * user's own day: `edge` says whether its first or its last moment is meant.
 */
export function parseDate(text: string, edge: "start" | "end", now: Date): string {
  const typed = text.trim().toLowerCase();
  const dayEdge = (day: Date): string => {
    day.setHours(0, 0, 0, 0);
    if (edge === "end") day.setDate(day.getDate() + 1);
    return new Date(edge === "end" ? day.getTime() - 1 : day.getTime()).toISOString();
  };
  if (typed === "now") return now.toISOString();
  if (typed === "today") return dayEdge(new Date(now));
  if (typed === "yesterday") return dayEdge(new Date(now.getTime() - DAY));
  const ago = /^(\d{1,5})\s*([hdwmy])$/.exec(typed);
  if (ago) {
    const count = Number(ago[1]);
    const unit = { h: DAY / 24, d: DAY, w: 7 * DAY, m: 30 * DAY, y: 365 * DAY }[ago[2] as "h" | "d" | "w" | "m" | "y"];
    return new Date(now.getTime() - count * unit).toISOString();
  }
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(typed);
  if (date) {
    const day = new Date(Number(date[1]), Number(date[2]) - 1, Number(date[3]));
    if (day.getMonth() === Number(date[2]) - 1 && day.getDate() === Number(date[3])) return dayEdge(day);
  } else if (/^\d{4}-\d\d-\d\d[t ]/.test(typed)) {
    const ms = Date.parse(text.trim());
    if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  }
  throw new DexError("bad_date", `"${text}" is not a date.`, {
    hint: "Use 2026-01-31, 2026-01-31T09:00, today, yesterday, 12h, 7d, 2w, 3m or 1y.",
  });
}
