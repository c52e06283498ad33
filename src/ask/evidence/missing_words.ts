/**
 * Names the words of a question that the sources lack. The asker may know another word for the same thing, or notice
 * that the answer is about something else.
 */
import { cleanLine } from "../../text/clean.ts";
import { type WeighedQuestion, type WeighedTerm, weightOf } from "../question/question_words.ts";
import type { Ranked } from "./answering.ts";
import { fullText } from "./matching.ts";
import { hasForm, wordingOf } from "./similar.ts";

const MAX_SHOWN_WORDS = 5;
const MAX_WORD_CHARS = 40;
/** A word with a smaller share of the question's weight ("again", "several") is not reported. */
const MIN_SHARE = 0.15;

/** `where`: names these passages in the note. Empty if they have all words. */
export function missingWords(asked: WeighedQuestion, passages: readonly Ranked[], where: string): string[] {
  const wordings = passages.map(({ passage }) => wordingOf(`${passage.collection}\n${fullText(passage)}`));
  const words = [...Map.groupBy(asked.terms, ({ word }) => word)];
  const isMissing = (terms: readonly WeighedTerm[]): boolean =>
    terms.every((term) => !wordings.some((wording) => hasForm(term, wording)));
  const missed = words.filter(([, terms]) => weightOf(terms) >= asked.total * MIN_SHARE && isMissing(terms));
  const unknown = missed.filter(([, terms]) => terms.every(({ known }) => !known));
  const far = missed.filter((word) => !unknown.includes(word));
  return [
    ...(unknown.length === 0 ? [] : [`Not in the sources: ${named(unknown)}.`]),
    ...(far.length === 0 || passages.length === 0 ? [] : [`Not in ${where}: ${named(far)}.`]),
  ];
}

function named(words: readonly (readonly [string, unknown])[]): string {
  return words
    .slice(0, MAX_SHOWN_WORDS)
    .map(([word]) => `"${cleanLine(word, MAX_WORD_CHARS)}"`)
    .join(", ");
}
