/** The days of a year in weeks that begin on Monday, and five levels of activity. */

export interface Cell {
  /** YYYY-MM-DD */
  day: string;
  /** Column, from 0. */
  week: number;
  /** Row: 0 is Monday. */
  weekday: number;
}

const DAY_MS = 86_400_000;

export function weeksOf(year: string): Cell[] {
  const first = Date.UTC(Number(year), 0, 1);
  const last = Date.UTC(Number(year), 11, 31);
  const offset = (new Date(first).getUTCDay() + 6) % 7;
  return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, at) => ({
    day: new Date(first + at * DAY_MS).toISOString().slice(0, 10),
    week: Math.floor((at + offset) / 7),
    weekday: (at + offset) % 7,
  }));
}

/** Quartiles, because single days may be a hundred times as busy as most. 0 is a day without activity. */
export function levelsOf(values: readonly number[]): (value: number) => number {
  const sorted = values.filter((value) => value > 0).toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const bounds = [at(0.25), at(0.5), at(0.75)];
  return (value) => {
    if (value <= 0) return 0;
    if (sorted.length < 4) return 4;
    return 1 + bounds.filter((bound) => value > bound).length;
  };
}
