/** Metrics of a ranked list for one query: between 0 and 1. Ranks beyond the cut do not count. */

export type Metric = (ranked: readonly string[], gold: ReadonlySet<string>) => number;

/** 1 if one of the first `cut` is relevant. */
export function hitAt(cut: number): Metric {
  return (ranked, gold) => (ranked.slice(0, cut).some((id) => gold.has(id)) ? 1 : 0);
}

/** The share of the relevant ones that is among the first `cut`. */
export function recallAt(cut: number): Metric {
  return (ranked, gold) => ranked.slice(0, cut).filter((id) => gold.has(id)).length / gold.size;
}

/** One over the rank of the first relevant one. */
export function reciprocalRankAt(cut: number): Metric {
  return (ranked, gold) => {
    const at = ranked.slice(0, cut).findIndex((id) => gold.has(id));
    return at < 0 ? 0 : 1 / (at + 1);
  };
}

/** Discounted gain relative to the best possible one; relevance is binary. */
export function ndcgAt(cut: number): Metric {
  return (ranked, gold) => {
    let gained = 0;
    for (const [at, id] of ranked.slice(0, cut).entries()) if (gold.has(id)) gained += discount(at);
    let ideal = 0;
    for (let at = 0; at < Math.min(cut, gold.size); at += 1) ideal += discount(at);
    return gained / ideal;
  };
}

function discount(at: number): number {
  return 1 / Math.log2(at + 2);
}
