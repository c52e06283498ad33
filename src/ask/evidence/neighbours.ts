/**
 * The words that stand side by side in a question. Two of them are often written as one ("time out", "timeout"), a verb
 * and its particle have a meaning of their own ("turn off"), and a text that has them side by side, too, is more likely
 * to answer than one that has them apart.
 */
import { significantTerms } from "../terms.ts";

/** The forms that a word makes with the words beside it. */
export interface Neighbours {
  /** The terms of the word written as one with a word beside it. */
  joined: readonly string[];
  /** The verb and particle that the word belongs to. */
  phrasal?: string;
}

/** Words that make another verb of the verb before them. */
const PARTICLES = new Set("away back down in off on out over up".split(" "));
const MAX_WORDS = 200;
/** Two shorter words that make another word together do so by chance. */
const MIN_JOINED_CHARS = 5;

/** By word, in lower case. */
export function neighboursIn(query: string): Map<string, Neighbours> {
  const made = new Map<string, Neighbours>();
  for (const [first, second] of compoundsIn(query)) {
    const joined = significantTerms(first + second);
    const phrasal = PARTICLES.has(second) ? { phrasal: `${first} ${second}` } : {};
    for (const word of [first, second]) {
      const known = made.get(word);
      made.set(word, { ...known, ...phrasal, joined: [...(known?.joined ?? []), ...joined] });
    }
  }
  return made;
}

/** Neighbouring words of a question, written as one; `isKnown` says whether any text has the term. */
export function joinedIn(query: string, isKnown: (term: string) => boolean): string[] {
  return compoundsIn(query)
    .map((pair) => pair.join(""))
    .filter((word) => word.length >= MIN_JOINED_CHARS && significantTerms(word).some(isKnown));
}

/** Two telling words, or a verb and its particle. */
function compoundsIn(query: string): [string, string][] {
  const isTelling = (word: string): boolean => !word.includes("_") && significantTerms(word).length > 0;
  return pairsOf(wordsOf(query)).filter(
    ([first, second]) => isTelling(first) && (isTelling(second) || PARTICLES.has(second)),
  );
}

/**
 * The largest share of the question's neighbouring words, 0 to 1, that are neighbours in one of the texts, too. A pair with
 * one empty word ("do", "the") counts half; one of two such words does not count.
 */
export function phraseShare(query: string, texts: readonly string[]): number {
  const asked = pairsOf(wordsOf(query).map(formOf)).flatMap(([first, second]) => {
    const weight = (first.isTelling ? 1 : 0) + (second.isTelling ? 1 : 0);
    return weight === 0 ? [] : { pair: ` ${first.form} ${second.form} `, weight };
  });
  const total = asked.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return 0;
  const shares = texts.map((text) => {
    const forms = ` ${wordsOf(text)
      .map((word) => formOf(word).form)
      .join(" ")} `;
    return asked.reduce((sum, { pair, weight }) => sum + (forms.includes(pair) ? weight : 0), 0) / total;
  });
  return Math.max(0, ...shares);
}

/** The stem of a telling word; an empty word as it is. */
function formOf(word: string): { form: string; isTelling: boolean } {
  const [term] = significantTerms(word);
  return { form: term ?? word, isTelling: term !== undefined };
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []
  ).slice(0, MAX_WORDS);
}

function pairsOf<T>(words: readonly T[]): [T, T][] {
  return words.slice(1).map((second, at) => [words[at] as T, second]);
}
