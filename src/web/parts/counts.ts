/** Numbers as every view shows them, and the end of a month. */

const COUNT = new Intl.NumberFormat("en");

/** `950`, `1.2k`, `61k`, `1.2M`, `1.2B` */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 9950) return `${(count / 1000).toFixed(1).replace(/\.0$/, "")}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  if (count < 999_950_000) return `${(count / 1_000_000).toFixed(1).replace(/\.0$/, "")}M`;
  return `${(count / 1_000_000_000).toFixed(1).replace(/\.0$/, "")}B`;
}

/** `51,427` */
export function longCount(count: number): string {
  return COUNT.format(count);
}

/** `1 message`, `2,000 messages` */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${longCount(count)} ${count === 1 ? one : many}`;
}

/** The last day of a month such as `2026-02`. */
export function lastDay(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`;
}
