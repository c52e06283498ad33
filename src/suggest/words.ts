/**
 * The share of a question's words that a text has, weighted by rarity among the texts. Unlike a ranking score, a share
 * is comparable between questions.
 */
import { Analyser, SMALL_CAPACITY } from "../text/terms/analyser.ts";

interface Terms {
  has(term: string): boolean;
}

/** The compared text of an item. Its terms are cached, because lists of items are the same from call to call. */
export interface Wording<T extends object> {
  textOf(item: T): string;
  readonly analysed: WeakMap<T, Terms>;
}

export function wording<T extends object>(textOf: (item: T) => string): Wording<T> {
  return { textOf, analysed: new WeakMap() };
}

function termsOf<T extends object>(item: T, { textOf, analysed }: Wording<T>, analyser: Analyser): Terms {
  const known = analysed.get(item);
  if (known) return known;
  const terms = new Set(analyser.words(textOf(item)));
  analysed.set(item, terms);
  return terms;
}

/**
 * For each term, the positions of the texts that have it: analysing thousands of texts takes longer than a hook may.
 */
export type TermIndex = [term: string, places: number[]][];

export function termIndex<T extends object>(items: readonly T[], { textOf }: Wording<T>): TermIndex {
  const analyser = new Analyser(SMALL_CAPACITY);
  const found = new Map<string, number[]>();
  for (const [place, item] of items.entries()) {
    for (const term of new Set(analyser.words(textOf(item)))) {
      const places = found.get(term);
      if (places) places.push(place);
      else found.set(term, [place]);
    }
  }
  return [...found];
}

/** Uses stored terms of these items from now on. The index must be of the same items in the same order. */
export function useTermIndex<T extends object>(
  items: readonly T[],
  index: Readonly<TermIndex>,
  { analysed }: Wording<T>,
): void {
  const places = new Map(index);
  const asked = new Map<string, ReadonlySet<number>>();
  const having = (term: string): ReadonlySet<number> => {
    const known = asked.get(term) ?? new Set(places.get(term));
    asked.set(term, known);
    return known;
  };
  for (const [place, item] of items.entries()) analysed.set(item, { has: (term) => having(term).has(place) });
}

/** Assumed further texts without any of the words: among few texts, the frequency of a word says little. */
const ASSUMED_TEXTS = 20;

export interface WordMatch {
  /** From 0 to 1: the share of the question's words that the text has, weighted by rarity. */
  share: number;
  /** From 0 to 1: 1 if the text has the rarest of those words of the question that any of the texts has. */
  rarest: number;
  /** The words of the question, as typed, that the text has. */
  words: readonly string[];
}

/** One match per text, with the words of a question. */
export function wordMatches<T extends object>(
  question: readonly string[],
  items: readonly T[],
  by: Wording<T>,
): WordMatch[] {
  const analyser = new Analyser(SMALL_CAPACITY);
  const typed = new Map<string, string>();
  for (const word of question) for (const term of analyser.words(word)) if (!typed.has(term)) typed.set(term, word);
  const asked = [...typed.keys()];
  const counts = new Map<string, number>();
  const having = items.map((item) => {
    const terms = termsOf(item, by, analyser);
    return asked.filter((term) => terms.has(term));
  });
  for (const terms of having) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const texts = items.length + ASSUMED_TEXTS;
  const rarity = (term: string): number => {
    const count = counts.get(term) ?? 0;
    return Math.log(1 + (texts - count + 0.5) / (count + 0.5));
  };
  const sum = (terms: readonly string[]): number => terms.reduce((total, term) => total + rarity(term), 0);
  const most = (terms: readonly string[]): number => terms.reduce((best, term) => Math.max(best, rarity(term)), 0);
  const all = sum(asked);
  const best = most([...counts.keys()]);
  return having.map((terms) => ({
    share: terms.length === 0 ? 0 : sum(terms) / all,
    rarest: terms.length === 0 ? 0 : most(terms) / best,
    words: [...new Set(terms.map((term) => typed.get(term) ?? term))],
  }));
}
