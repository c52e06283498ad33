/** Finds decisions and memories by words, weighted by rarity. */
import { Analyser, SMALL_CAPACITY } from "../text/analyser.ts";
import type { Decision } from "./decision.ts";

const TEXT_WEIGHT = 3;
const DETAILS_WEIGHT = 1;

/** The best first, then the newest. Decisions without any of the words are left out. */
export function matchDecisions(decisions: readonly Decision[], query: string): Decision[] {
  return matchByWords(decisions, query, ({ text, because, alternatives, files, symbols }) => ({
    text,
    details: [because ?? "", ...alternatives, ...files, ...symbols].join(" "),
  }));
}

interface Told {
  id: string;
  time: number;
}

type WordsOf<T> = (thing: T) => { text: string; details: string };

/** Words in the text weigh more than words in its details. */
export function matchByWords<T extends Told>(things: readonly T[], query: string, wordsOf: WordsOf<T>): T[] {
  return rankByWords(things, query, wordsOf).map(({ thing }) => thing);
}

/** The best first, then the newest, with their scores. */
export function rankByWords<T extends Told>(
  things: readonly T[],
  query: string,
  wordsOf: WordsOf<T>,
): { thing: T; score: number }[] {
  const analyser = new Analyser(SMALL_CAPACITY);
  const asked = [...new Set(analyser.words(query))];
  const documents = things.map((thing) => ({ thing, weights: weightsOf(wordsOf(thing), analyser) }));
  const rarity = new Map(
    asked.map((term) => {
      const having = documents.filter(({ weights }) => weights.has(term)).length;
      return [term, Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))];
    }),
  );
  return documents
    .map(({ thing, weights }) => ({
      thing,
      score: asked.reduce((sum, term) => sum + (rarity.get(term) ?? 0) * (weights.get(term) ?? 0), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.thing.time - a.thing.time || (a.thing.id < b.thing.id ? -1 : 1));
}

function weightsOf({ text, details }: { text: string; details: string }, analyser: Analyser): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (content: string, weight: number): void => {
    for (const term of analyser.words(content)) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  };
  add(details, DETAILS_WEIGHT);
  add(text, TEXT_WEIGHT);
  return weights;
}
