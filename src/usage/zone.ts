/** Days of a time zone. The user's own zone needs no Intl, which takes longer to load than most commands run. */
import { readlinkSync } from "node:fs";
import { DexError } from "../kernel/errors.ts";
import { dayOf } from "../kernel/time.ts";

export interface Zone {
  /** `Europe/Berlin`, as it was asked for; the user's own zone by its name. */
  name: string;
  /** `2026-01-31` */
  dayOf(ms: number): string;
}

const HOUR = 3_600_000;
/** The offset of every zone is a multiple of it. */
const QUARTER = HOUR / 4;

/** Undefined: the user's own zone. */
export function zoneOf(name: string | undefined): Zone {
  if (name === undefined) return { name: ownName(), dayOf: ownDays() };
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-CA", { timeZone: name, year: "numeric", month: "2-digit", day: "2-digit" });
  } catch (error) {
    throw new DexError("bad_timezone", `"${name.slice(0, 100)}" is not a time zone.`, {
      hint: "Use a name such as Europe/Berlin, America/New_York or UTC.",
      cause: error,
    });
  }
  return { name: format.resolvedOptions().timeZone, dayOf: remembered((ms) => format.format(ms)) };
}

function ownName(): string {
  const named = process.env.TZ?.replace(/^:/, "");
  if (named && /^(?:UTC|[A-Z][A-Za-z]+\/[\w+/-]+)$/.test(named)) return named;
  try {
    const link = /zoneinfo\/(.+)$/.exec(readlinkSync("/etc/localtime"))?.[1];
    if (link) return link;
  } catch {
    // No link, or another system.
  }
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Most times belong to the same day as the one before. */
function ownDays(): (ms: number) => string {
  let day = "";
  let start = 0;
  let end = 0;
  return (ms) => {
    if (ms >= start && ms < end) return day;
    const date = new Date(ms);
    const [year, month, of] = [date.getFullYear(), date.getMonth(), date.getDate()];
    start = new Date(year, month, of).getTime();
    end = new Date(year, month, of + 1).getTime();
    day = dayOf(ms);
    return day;
  };
}

/** Computes each day once per quarter of an hour. */
function remembered(compute: (ms: number) => string): (ms: number) => string {
  const days = new Map<number, string>();
  return (ms) => {
    const quarter = Math.floor(ms / QUARTER);
    const known = days.get(quarter);
    if (known !== undefined) return known;
    const day = compute(ms);
    days.set(quarter, day);
    return day;
  };
}

/** The Monday of the week that contains a day. */
export function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  return new Date(date.getTime() - sinceMonday * 24 * HOUR).toISOString().slice(0, 10);
}
