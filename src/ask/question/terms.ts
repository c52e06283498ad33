/** The terms of a question that an answer must cover, and their weights. */
import { Analyser, SMALL_CAPACITY } from "../../text/terms/analyser.ts";
import { isCjkCharacter } from "../../text/terms/forms.ts";
import { FOREIGN_FUNCTION_WORDS } from "../../text/terms/function_words.ts";

/** Words that are typical of questions, in addition to the general stop words. */
const EMPTY_WORDS = new Set([
  ...FOREIGN_FUNCTION_WORDS,
  ...(
    "a about again all also am an and any are as at be because been being best but by can could did do does doing done each for from get " +
    "give had has have having help here how i if in into is it its just know let like make many me mean more most much must my " +
    "need of often on one or other our out please should show so some tell than that the their them then there these they " +
    "thing this those to understand up us use used using want was way we were what when where whether which who why " +
    "will with without work would you your"
  ).split(" "),
]);

/** The use case only helps to choose between answers. */
const USE_CASE_WEIGHT = 0.3;
const MAX_TERMS = 48;
const MAX_TEXT_CHARS = 20_000;

const analyser = new Analyser(SMALL_CAPACITY);

export function termsOf(text: string): Set<string> {
  analyser.trim();
  return new Set(analyser.words(text));
}

/** Terms with their weights; those of the question weigh 1. */
export type QuestionTerms = ReadonlyMap<string, number>;

export function questionTerms(query: string, useCase: string): QuestionTerms {
  const terms = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const term of significantTerms(text)) {
      if (!terms.has(term) && terms.size < MAX_TERMS) terms.set(term, weight);
    }
  };
  add(query, 1);
  if (terms.size === 0) for (const term of termsOf(query.slice(0, MAX_TEXT_CHARS))) terms.set(term, 1);
  add(useCase, USE_CASE_WEIGHT);
  return terms;
}

/** In the order of the text. */
export function significantTerms(text: string): string[] {
  const words =
    text
      .slice(0, MAX_TEXT_CHARS)
      .normalize("NFC")
      .match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  const telling = words.filter((word) => !EMPTY_WORDS.has(word.toLowerCase()));
  const terms = new Set<string>();
  for (const word of telling) {
    const all = [...termsOf(word)];
    const longer = all.filter((term) => !isCjkCharacter(term));
    // The parts of `getUserById` count, too, because a text may not contain the whole name.
    for (const term of longer.length > 0 ? longer : all) terms.add(term);
  }
  return [...terms];
}

/** Weights each term by its rarity in these texts. */
export function weigh(terms: QuestionTerms, texts: readonly ReadonlySet<string>[]): QuestionTerms {
  const weighed = new Map<string, number>();
  for (const [term, weight] of terms) {
    const holding = texts.reduce((sum, text) => sum + (text.has(term) ? 1 : 0), 0);
    weighed.set(term, weight * Math.log(1 + (texts.length + 1) / (holding + 0.5)));
  }
  return weighed;
}

/** The share of the question, 0 to 1, that a text covers. */
export function coverage(terms: QuestionTerms, held: ReadonlySet<string>): number {
  let all = 0;
  let covered = 0;
  for (const [term, weight] of terms) {
    all += weight;
    if (held.has(term)) covered += weight;
  }
  return all === 0 ? 0 : covered / all;
}
