/**
 * Means over queries, and how far a difference of two means may be luck. Both sides answered the same queries, so the
 * bootstrap draws queries, each with the difference of its two values; within its group, if a measure is the mean over
 * groups of the means within them.
 */
import { seeded } from "../../test/support/random.ts";
import { quantile } from "../lib/measure.ts";

export interface Interval {
  low: number;
  high: number;
}

const DRAWS = 2000;
const SEED = 7;

/** The mean over groups of the means within them. `groups` names each value's group. */
export function groupedMean(values: readonly number[], groups: readonly string[]): number {
  return mean([...byGroup(values, groups).values()].map(mean));
}

/** Of the mean of these differences, 95%. The same for the same values. */
export function bootstrapInterval(differences: readonly number[], groups: readonly string[]): Interval {
  const strata = [...byGroup(differences, groups).values()];
  const random = seeded(SEED);
  const means: number[] = [];
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let sum = 0;
    for (const stratum of strata) {
      let within = 0;
      for (let i = 0; i < stratum.length; i += 1) within += stratum[Math.floor(random() * stratum.length)] ?? 0;
      sum += within / stratum.length;
    }
    means.push(sum / strata.length);
  }
  return { low: quantile(means, 0.025), high: quantile(means, 0.975) };
}

function byGroup(values: readonly number[], groups: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [i, value] of values.entries()) {
    const group = groups[i] ?? "";
    const list = found.get(group) ?? [];
    list.push(value);
    found.set(group, list);
  }
  return found;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
