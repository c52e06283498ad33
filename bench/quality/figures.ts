/** Computes the figures of the table from the lists that each configuration ranks. */
import type { Metric } from "./metrics.ts";

/** A way of ranking: the additional input of a search. */
export interface Configuration {
  name: string;
  options: Readonly<Record<string, string>>;
  /** The model that ranks; by default the built-in one. */
  tier?: "minilm";
}

/** One row of the table: a value for each query from each configuration. */
export interface Figure {
  set: string;
  measure: string;
  /** In the order of the configurations. */
  values: number[][];
  /** The group of each query; all the same where groups do not matter. */
  groups: string[];
}

/** A query with the list that each configuration ranked for it, best first. */
export interface Ranked {
  group: string;
  gold: ReadonlySet<string>;
  lists: readonly (readonly string[])[];
}

/** `macro`: the mean over groups of the means within them; a large group does not outweigh a small one. */
export function figureOf(
  set: string,
  measure: string,
  queries: readonly Ranked[],
  metric: Metric,
  options: { macro?: boolean } = {},
): Figure {
  if (queries.length === 0) throw new Error(`${set}, ${measure}: there is no query`);
  const configurations = queries[0]?.lists.length ?? 0;
  return {
    set,
    measure,
    groups: queries.map(({ group }) => (options.macro ? group : "")),
    values: Array.from({ length: configurations }, (_, at) =>
      queries.map(({ lists, gold }) => metric(lists[at] ?? [], gold)),
    ),
  };
}
