/** The words of a question that an answer must speak about, and how much each of them tells. */
import { Analyser, isCjkCharacter, LITTLE } from "../text/analyser.ts";

/** Words of asking and wanting, beside those that say nothing anywhere. */
const EMPTY_WORDS = new Set(
  (
    "a about again all also am an and any are as at be because been being best but by can could did do does doing done each for from get " +
    "give had has have having help here how i if in into is it its just know let like make me mean more most must my " +
    "need of on one or other our out please should show so some tell than that the their them then there these they " +
    "thing this those to understand up us use used using want was way we were what when where whether which who why " +
    "will with without work would you your"
  ).split(" "),
);

/** The use case says what the answer is for: it chooses between answers, it is not what is asked. */
const USE_CASE = 0.3;
const MOST_TERMS = 48;
const LONGEST = 20_000;

const analyser = new Analyser(LITTLE);

export function termsOf(text: string): Set<string> {
  analyser.trim();
  return new Set(analyser.words(text));
}

/** Terms with their weights; those of the question weigh 1. */
export type QuestionTerms = ReadonlyMap<string, number>;

export function questionTerms(query: string, useCase: string): QuestionTerms {
  const terms = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const term of tellingTerms(text)) {
      if (!terms.has(term) && terms.size < MOST_TERMS) terms.set(term, weight);
    }
  };
  add(query, 1);
  if (terms.size === 0) for (const term of termsOf(query.slice(0, LONGEST))) terms.set(term, 1);
  add(useCase, USE_CASE);
  return terms;
}

/** In the order of the text. */
export function tellingTerms(text: string): string[] {
  const words =
    text
      .slice(0, LONGEST)
      .normalize("NFC")
      .match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  const telling = words.filter((word) => !EMPTY_WORDS.has(word.toLowerCase()));
  const terms = new Set<string>();
  for (const word of telling) {
    const all = [...termsOf(word)];
    const longer = all.filter((term) => !isCjkCharacter(term));
    // `getUserById` is looked for by its parts, too; a text need not hold it whole.
    for (const term of longer.length > 0 ? longer : all) terms.add(term);
  }
  return [...terms];
}

/** A word that stands nowhere may be a word of asking: where trust is measured it counts more than others, and not all. */
export const RARITY = 0.5;

/** How much each term tells among these texts: what stands in all of them tells little, what stands in none most. */
export function weigh(terms: QuestionTerms, texts: readonly ReadonlySet<string>[], power = 1): QuestionTerms {
  const weighed = new Map<string, number>();
  for (const [term, weight] of terms) {
    const holding = texts.reduce((sum, text) => sum + (text.has(term) ? 1 : 0), 0);
    weighed.set(term, weight * Math.log(1 + (texts.length + 1) / (holding + 0.5)) ** power);
  }
  return weighed;
}

/** The share of the question, 0 to 1, that a text speaks about. */
export function coverage(terms: QuestionTerms, held: ReadonlySet<string>): number {
  let all = 0;
  let covered = 0;
  for (const [term, weight] of terms) {
    all += weight;
    if (held.has(term)) covered += weight;
  }
  return all === 0 ? 0 : covered / all;
}
