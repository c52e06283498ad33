/** Converts times: to ISO 8601 in UTC, to the user's time zone, and from typed dates. */
import { DexError } from "./errors.ts";

const DAY = 86_400_000;

/** Milliseconds, seconds (below 10^11), or any date text, as ISO; undefined when it is not a time. */
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

/** A moment in the user's time zone (set by TZ). Does not use Intl, which takes longer to load than most commands run. */
export interface LocalTime {
  /** `2026-01-13` */
  date: string;
  /** `08:40:17` */
  clock: string;
  /** `UTC`, `-05:00`, `+05:30` */
  offset: string;
}

export function localTime(ms: number): LocalTime {
  const date = new Date(ms);
  const east = -date.getTimezoneOffset();
  return {
    date: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    clock: [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":"),
    offset: east === 0 ? "UTC" : `${east < 0 ? "-" : "+"}${two(Math.abs(east) / 60)}:${two(Math.abs(east) % 60)}`,
  };
}

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, "0");
}

/** The day of a time in the user's time zone, as `parseDate` interprets it. */
export function dayOf(ms: number): string {
  return localTime(ms).date;
}

/** `2026-01-13 08:40:17 -05:00`, for a single time without context. */
export function fullTime(iso: string): string {
  const { date, clock, offset } = localTime(Date.parse(iso));
  return `${date} ${clock} ${offset}`;
}

/**
 * Formats the times of consecutive messages: the date with its UTC offset once per day, and otherwise only the time of
 * day. Messages without a time are ignored.
 */
export class DayClock {
  #day = "";

  /** `day` is set when a new day begins: `2026-01-13 (-05:00)`. */
  next(iso: string | null | undefined): { day?: string; clock: string } {
    const ms = Date.parse(iso ?? "");
    if (Number.isNaN(ms)) return { clock: "" };
    const { date, clock, offset } = localTime(ms);
    const day = `${date} (${offset})`;
    if (day === this.#day) return { clock };
    this.#day = day;
    return { day, clock };
  }
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * A date as typed: ISO date or time, `2026-01` (a month), `today`, `yesterday`, `7d`, `2w`, `3m`, `1y`, `12h`. A day or
 * a month is the user's own: `edge` says whether its first or its last moment is meant.
 */
export function parseDate(text: string, edge: "start" | "end", now: Date): string {
  const typed = text.trim().toLowerCase();
  const edgeOf = (start: Date, next: Date): string =>
    edge === "start" ? start.toISOString() : new Date(next.getTime() - 1).toISOString();
  const dayEdge = (day: Date): string => {
    const [year, month, date] = [day.getFullYear(), day.getMonth(), day.getDate()];
    return edgeOf(new Date(year, month, date), new Date(year, month, date + 1));
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
  const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(typed);
  if (month) {
    const [year, number] = [Number(month[1]), Number(month[2])];
    return edgeOf(new Date(year, number - 1, 1), new Date(year, number, 1));
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
    hint: "Use 2026-01-31, 2026-01-31T09:00, 2026-01, today, yesterday, 12h, 7d, 2w, 3m or 1y.",
  });
}
