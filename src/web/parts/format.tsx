/** Times, sizes and agents as every view shows them. */
import { longCount, shortCount } from "./counts.ts";
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

export function dayOf(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? "" : FULL_DAY.format(time);
}

/** `1 h 12 min` */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`;
  const hours = Math.floor(ms / HOUR);
  const minutes = Math.round((ms % HOUR) / MINUTE);
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}

export function Time({ iso, long = false }: { iso: string | null | undefined; long?: boolean }) {
  if (!iso || Number.isNaN(Date.parse(iso))) return null;
  return (
    <time dateTime={iso} title={WHOLE.format(new Date(iso))}>
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
