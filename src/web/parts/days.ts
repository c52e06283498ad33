/** Days as the person counts them: `2026-01-13` in the time zone of the browser, as dex on the same machine counts them. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MINUTE_MS = 60_000;

export function isDay(text: string): boolean {
  return DAY.test(text);
}

/** Milliseconds whose UTC date and clock are those that the person sees. A day is its first moment. */
export function localMs(time: string): number {
  const ms = Date.parse(time);
  return isDay(time) ? ms : ms - new Date(ms).getTimezoneOffset() * MINUTE_MS;
}

/** The day of a time; empty if it is none. */
export function dayOfTime(time: string): string {
  const ms = localMs(time);
  return Number.isNaN(ms) ? "" : new Date(ms).toISOString().slice(0, 10);
}
