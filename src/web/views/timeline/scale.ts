/** Places on the axis: time to pixels and back, and the labels of months and years. */
import { dayOfTime, localMs } from "../../parts/days.ts";

const DAY_MS = 86_400_000;
const MIN_LABEL_PX = 64;
const MONTH = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" });
/** Months between two labels. */
const STEPS = [1, 2, 3, 6, 12, 24, 60, 120] as const;

export interface Scale {
  /** Days, YYYY-MM-DD. */
  first: string;
  last: string;
  /** Of a time, or of the beginning of a day. */
  x(time: string): number;
  dayOfX(x: number): string;
}

export function scaleOf(events: readonly { time: string }[], width: number): Scale {
  const days = events.map(({ time }) => dayOfTime(time)).toSorted();
  const first = days[0] ?? new Date(0).toISOString().slice(0, 10);
  const last = days.at(-1) ?? first;
  const start = Date.parse(first);
  const span = Date.parse(last) + DAY_MS - start;
  return {
    first,
    last,
    x: (time) => Math.max(0, Math.min(width, ((localMs(time) - start) / span) * width)),
    dayOfX: (x) => new Date(start + Math.min(span - 1, Math.max(0, (x / width) * span))).toISOString().slice(0, 10),
  };
}

export function daysBetween(first: string, day: string): number {
  return Math.round((Date.parse(day) - Date.parse(first)) / DAY_MS);
}

export function dayAt(first: string, days: number): string {
  return new Date(Date.parse(first) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The first days of months, as many as have room for their label. */
export function ticksOf({ first, last, x }: Scale, width: number): { at: number; label: string }[] {
  const [year = 0, month = 1] = first.split("-").map(Number);
  const months = Math.max(1, daysBetween(first, last) / 30.4);
  const step = STEPS.find((each) => (width / months) * each >= MIN_LABEL_PX) ?? 120;
  const ticks: { at: number; label: string }[] = [];
  for (let index = year * 12 + month; ; index += 1) {
    const date = new Date(Date.UTC(Math.floor(index / 12), index % 12, 1));
    const day = date.toISOString().slice(0, 10);
    if (day > last) return ticks;
    if (index % step !== 0) continue;
    const isJanuary = index % 12 === 0;
    ticks.push({ at: x(day), label: isJanuary || step >= 12 ? String(date.getUTCFullYear()) : MONTH.format(date) });
  }
}
