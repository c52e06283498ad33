/** The parts that a question needed and the cache did not have: dex fetches them and asks the question again. */
export interface Misses {
  /** By segment. */
  terms: Map<number, Set<string>>;
  groups: Set<number>;
  /** By segment: the first documents of runs of details. */
  details: Map<number, Set<number>>;
  /** By conversation: the places of blocks in its archive, and their lengths. */
  blocks: Map<number, Map<number, number>>;
}

/** How many terms and groups of vectors are missing. */
export function missingParts({ terms, groups }: Misses): number {
  let count = groups.size;
  for (const each of terms.values()) count += each.size;
  return count;
}

export function noMisses(): Misses {
  return { terms: new Map(), groups: new Set(), details: new Map(), blocks: new Map() };
}

export function addMiss<V>(misses: Map<number, Set<V>>, key: number, value: V): void {
  const known = misses.get(key);
  if (known) known.add(value);
  else misses.set(key, new Set([value]));
}
