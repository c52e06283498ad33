/** Numbers and times as the page writes them. Times are the reader's own. */

const NUMBER = new Intl.NumberFormat("en");
const DAY = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });
const MINUTE = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

export function number(value: number): string {
  return NUMBER.format(value);
}

/** `1 message`, `3,200 messages` */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

export function day(time: string | number): string {
  return formatted(DAY, time);
}

export function minute(time: string | number): string {
  return formatted(MINUTE, time);
}

function formatted(format: Intl.DateTimeFormat, time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : format.format(date);
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const [size, unit] = value < 1e6 ? [value / 1e3, "kB"] : value < 1e9 ? [value / 1e6, "MB"] : [value / 1e9, "GB"];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

export function milliseconds(value: number): string {
  return value < 10
    ? `${value.toFixed(1)} ms`
    : value < 10_000
      ? `${number(Math.round(value))} ms`
      : `${Math.round(value / 1000)} s`;
}

/** The last part of a path, in either notation. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}
