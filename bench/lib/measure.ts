/** Repeats and aggregates: the two sides alternate, so noise affects both. */

export interface Pair {
  a: number[];
  b: number[];
}

type Measure = () => number | Promise<number>;

export async function alternate(rounds: number, a: Measure, b: Measure): Promise<Pair> {
  const pair: Pair = { a: [], b: [] };
  for (let round = 0; round < rounds; round += 1) {
    pair.a.push(await a());
    pair.b.push(await b());
  }
  return pair;
}

/** Milliseconds that the work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** By interpolation between the two nearest. */
export function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const place = (sorted.length - 1) * at;
  const low = sorted[Math.floor(place)];
  const high = sorted[Math.ceil(place)];
  if (low === undefined || high === undefined) throw new Error("nothing was measured");
  return low + (high - low) * (place - Math.floor(place));
}
