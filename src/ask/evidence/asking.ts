/**
 * Conversations begin with requests, and a request to find something out has all words of a question about it. It asks
 * the same and answers nothing, so it must not be quoted as the answer.
 */
import { CONVERSATIONS, type ReadPassage } from "../passage.ts";
import { type Asked, weightOf } from "./asked.ts";
import { hasForm, wordingOf } from "./similar.ts";

/** Requests to find something out. A request to do something ("can you remove it, since …") tells what was wanted, and why. */
const FIND_OUT =
  /\b(?:investigat(?:e|ing)|find(?:ing)? (?:out|the|what|why|where|how)|figur(?:e|ing) out|look(?:ing)? into|explain|tell me|(?:check|see|understand) (?:if|whether|why|what|how|where)|research(?:ing)?|analy[sz]e|dig into)\b/i;
const QUESTION = /^\W*(?:what|why|how|when|where|which|who|is|are|was|were|does|do|did)\b.*\?\W*$/is;
const SENTENCE_ENDS = /(?<=[.!?])\s+|\n+/;
const MAX_SENTENCES = 200;
/** The share of the question's words that the asking sentence has, and that no telling sentence has. */
const MIN_ASKED_SHARE = 0.5;
const MAX_TOLD_SHARE = 0.3;

/** Whether the message asks what the question asks, and tells nothing about it. */
export function onlyAsks(asked: Asked, { collection, text }: Pick<ReadPassage, "collection" | "text">): boolean {
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

/** Names such messages: their conversations may hold the answer, in other words. */
export function askedBefore(asking: readonly Pick<ReadPassage, "document" | "section">[]): string[] {
  if (asking.length === 0) return [];
  const places = asking.slice(0, MAX_NAMED).map(({ document, section = "" }) => `${document}${section}`);
  return [`Asked before in ${places.join(" and ")}: the answer may follow there.`];
}

function shareOf(asked: Asked, sentence: string): number {
  const wording = wordingOf(sentence);
  return weightOf(asked.terms.filter((term) => hasForm(term, wording))) / asked.total;
}
