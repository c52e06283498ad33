/**
 * The share of a question's words that a text has, weighted by rarity among the texts. Unlike a ranking score, a share
 * is comparable between questions.
 */

import { parseQuery } from "../search/query/query.ts";
import { Analyser, SMALL_CAPACITY } from "../text/analyser.ts";

/** Cached terms: lists of texts are the same from call to call. */
const analysed = new WeakMap<object, ReadonlySet<string>>();

function termsOf<T extends object>(item: T, textOf: (item: T) => string, analyser: Analyser): ReadonlySet<string> {
  const known = analysed.get(item);
  if (known) return known;
  const terms = new Set(analyser.words(textOf(item)));
  analysed.set(item, terms);
  return terms;
}

/** One share from 0 to 1 per text. */
export function wordCoverage<T extends object>(
  question: string,
  items: readonly T[],
  textOf: (item: T) => string,
): number[] {
  const asked = new Set(parseQuery(question)?.terms ?? []);
  if (asked.size === 0 || items.length === 0) return items.map(() => 0);
  const analyser = new Analyser(SMALL_CAPACITY);
  const having = items.map((item) => {
    const terms = termsOf(item, textOf, analyser);
    return new Set([...asked].filter((term) => terms.has(term)));
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
