/** Times, sizes and agents as every view shows them. */
import { longCount, shortCount } from "./counts.ts";
import { dayOfTime, isDay } from "./days.ts";
import { visible } from "./text/visible.ts";

export { longCount, plural, shortCount } from "./counts.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY_OF_YEAR = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const FULL_DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** `3 min ago`, `14:05`, `yesterday`, `12 Mar`, `12 Mar 2025`. */
export function shortTime(iso: string, now = Date.now()): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return "";
  const age = now - time;
  if (age >= 0 && age < MINUTE) return "just now";
  if (age >= 0 && age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  const date = new Date(time);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return CLOCK.format(date);
  if (date.toDateString() === new Date(now - DAY).toDateString()) return "yesterday";
  return (date.getFullYear() === today.getFullYear() ? DAY_OF_YEAR : FULL_DAY).format(date);
}

export function clockTime(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? "" : CLOCK.format(time);
}

/** `14:05`, and with the day if it is another than that of `since`: `13 Mar, 14:05`. */
export function clockSince(iso: string, since: string): string {
  return dayOfTime(iso) === dayOfTime(since)
    ? clockTime(iso)
    : `${DAY_OF_YEAR.format(Date.parse(iso))}, ${clockTime(iso)}`;
}

/** Day, date and time, for those who point at a shorter one. */
export function wholeTime(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? "" : WHOLE.format(time);
}

/** `12 Mar 2025`, of a time or a day. */
export function dayOf(iso: string): string {
  const time = Date.parse(isDay(iso) ? `${iso}T00:00` : iso);
  return Number.isNaN(time) ? "" : FULL_DAY.format(time);
}

/** `1 h 12 min` */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const whole = Math.round(ms / MINUTE);
  if (whole < 60) return `${whole} min`;
  const hours = Math.floor(whole / 60);
  const minutes = whole % 60;
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}

export function Time({ iso, long = false }: { iso: string | null | undefined; long?: boolean }) {
  if (!iso || Number.isNaN(Date.parse(iso))) return null;
  return (
    <time dateTime={iso} title={wholeTime(iso)}>
      {long ? `${dayOf(iso)}, ${clockTime(iso)}` : shortTime(iso)}
    </time>
  );
}

export function Tokens({ count }: { count: number }) {
  return <span title={`About ${longCount(count)} tokens, estimated`}>{shortCount(count)} tokens</span>;
}

export function agentName(source: string): string {
  return DEX_AGENT_NAMES[source] ?? visible(source);
}

/** An agent: a dot of its colour, and its name. */
export function Agent({ source }: { source: string }) {
  return (
    <span class="agent" data-agent={source}>
      {agentName(source)}
    </span>
  );
}
