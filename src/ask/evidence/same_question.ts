/**
 * Recognises messages that ask the user's question themselves. A request such as "find out why the gate is stuck" has
 * all words of the question and answers nothing, so dex must not quote it as an answer.
 */
import { CONVERSATIONS, type ReadPassage } from "../passage.ts";
import { type WeighedQuestion, weightOf } from "../question/question_words.ts";
import { hasForm, wordingOf } from "./similar.ts";

/**
 * Requests to find something out. A request to do something ("can you remove it, since …") does not count: it states
 * what was wanted, and why.
 */
const FIND_OUT =
  /\b(?:investigat(?:e|ing)|find(?:ing)? (?:out|the|what|why|where|how)|figur(?:e|ing) out|look(?:ing)? into|explain|tell me|(?:check|see|understand) (?:if|whether|why|what|how|where)|research(?:ing)?|analy[sz]e|dig into)\b/i;
const QUESTION = /^\W*(?:what|why|how|when|where|which|who|is|are|was|were|does|do|did)\b.*\?\W*$/is;
const SENTENCE_ENDS = /(?<=[.!?])\s+|\n+/;
const MAX_SENTENCES = 200;
/**
 * The share of the question's words that one asking sentence must have, and that every other sentence must stay below.
 */
const MIN_ASKED_SHARE = 0.5;
const MAX_TOLD_SHARE = 0.3;

/** Whether the message asks the same question without saying anything else about it. */
export function onlyRepeatsQuestion(
  asked: WeighedQuestion,
  { collection, text }: Pick<ReadPassage, "collection" | "text">,
): boolean {
  if (collection !== CONVERSATIONS || asked.total === 0) return false;
  const shares = text
    .split(SENTENCE_ENDS)
    .slice(0, MAX_SENTENCES)
    .map((sentence) => ({
      isAsking: FIND_OUT.test(sentence) || QUESTION.test(sentence),
      share: shareOf(asked, sentence),
    }));
  const most = (isAsking: boolean): number =>
    Math.max(0, ...shares.filter((each) => each.isAsking === isAsking).map(({ share }) => share));
  return most(true) >= MIN_ASKED_SHARE && most(false) < MAX_TOLD_SHARE;
}

const MAX_NAMED = 2;

/** A note that names such messages: their conversations may contain the answer in other words. */
export function askedBeforeNote(asking: readonly Pick<ReadPassage, "document" | "section">[]): string[] {
  if (asking.length === 0) return [];
  const places = asking.slice(0, MAX_NAMED).map(({ document, section = "" }) => `${document}${section}`);
  return [`Asked before in ${places.join(" and ")}: the answer may follow there.`];
}

function shareOf(asked: WeighedQuestion, sentence: string): number {
  const wording = wordingOf(sentence);
  return weightOf(asked.terms.filter((term) => hasForm(term, wording))) / asked.total;
}
