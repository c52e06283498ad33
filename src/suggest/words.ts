/**
 * How much of what is asked a text speaks of: the share of the question's words it has, each counting by how few of the
 * texts have it. A share is comparable between questions, which a ranking's score is not.
 */
import { Analyser, LITTLE } from "../kernel/analyser.ts";
import { parseQuery } from "../search/query.ts";
import type { TermShare } from "../store/ports.ts";

/** From 0 to 1 for each of the texts. */
export function coverage<T>(question: string, items: readonly T[], textOf: (item: T) => string): number[] {
  const asked = new Set(parseQuery(question)?.terms ?? []);
  if (asked.size === 0 || items.length === 0) return items.map(() => 0);
  const analyser = new Analyser(LITTLE);
  const having = items.map((item) => {
    const here = new Set<string>();
    for (const term of analyser.words(textOf(item))) if (asked.has(term)) here.add(term);
    return here;
  });
  const rarity = new Map<string, number>();
  for (const term of asked) {
    const count = having.filter((each) => each.has(term)).length;
    rarity.set(term, Math.log(1 + (items.length - count + 0.5) / (count + 0.5)));
  }
  const sum = (terms: Iterable<string>): number => {
    let total = 0;
    for (const term of terms) total += rarity.get(term) ?? 0;
    return total;
  };
  const all = sum(asked);
  return having.map((each) => (all === 0 ? 0 : sum(each) / all));
}

/**
 * The same for hits of an index, of which it says what terms each has. How rare a term is that none of them has is not
 * told: it counts as the rarest of those that are.
 */
export function coveredBy(terms: readonly string[], hits: readonly (readonly TermShare[])[]): number[] {
  const rarity = new Map(hits.flat().map((share) => [share.term, share.rarity]));
  const rarest = Math.max(1, ...rarity.values());
  const all = terms.reduce((sum, term) => sum + (rarity.get(term) ?? rarest), 0);
  return hits.map((shares) => {
    const here = new Map(shares.map((share) => [share.term, share.rarity]));
    let sum = 0;
    for (const each of here.values()) sum += each;
    return all === 0 ? 0 : sum / all;
  });
}
