/**
 * Pairs of neighbouring words in a question. A pair is often written as one word ("time out", "timeout"), and a verb
 * and its particle have their own meaning ("turn off"). A text that has the pair together is more likely to answer than
 * one that has the two words apart.
 */
import { significantTerms } from "./terms.ts";

/** Further forms of a word that depend on its neighbours. */
export interface Neighbours {
  /** Terms of the word joined with a neighbour. */
  joined: readonly string[];
  /** The verb with its particle that the word is part of. */
  phrasal?: string;
}

/** Particles, which change the meaning of the verb before them. */
const PARTICLES = new Set("away back down in off on out over up".split(" "));
const MAX_WORDS = 200;
/** A shorter joined word is most likely another word by chance. */
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

/** Pairs of two significant words, or of a verb and its particle. */
function compoundsIn(query: string): [string, string][] {
  const isTelling = (word: string): boolean => !word.includes("_") && significantTerms(word).length > 0;
  return pairsOf(wordsOf(query)).filter(
    ([first, second]) => isTelling(first) && (isTelling(second) || PARTICLES.has(second)),
  );
}

/**
 * The largest share of the question's pairs, 0 to 1, that one of the texts has side by side as well. A pair with one
 * function word ("do", "the") counts half; a pair of two does not count.
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

/** The stem of a significant word; a function word as it is. */
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
