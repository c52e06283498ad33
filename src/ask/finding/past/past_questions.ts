/** Recognises questions about the project's past, and texts that can answer them. */

/** The detail that a question about the past asks for. */
export type PastQuestion = "why" | "when" | "who";

/** "When" as a question word: "what happens when it has failed?" does not ask for a time. */
const WHEN =
  /(?:^\W*(?:(?:and|but|so) )?|\b(?:know|remember|tell me|find out|see) )when\b.{0,40}\b(?:did|was|were|has|have)\b|\bin which (?:version|release|commit)\b.{0,40}\b(?:did|was|were|has|have)\b|\bsince when\b/i;

const ASKS: Readonly<Record<PastQuestion, RegExp>> = {
  why: /\bwhy\b|\b(?:reasons?|rationale|motivation)\b|\bhow come\b/i,
  who: /\bwho (?:first )?(?:\w+ed|made|wrote|chose|built|began|did)\b/i,
  when: WHEN,
};

/** Matches reasons as commit messages give them: the problem before, or the improvement. */
const GIVES_REASON =
  /\b(?:because|since|so that|so (?:it|that|this|the|we|they|users?)\b|otherwise|instead|rather than|in order to|due to|reason|as (?:it|this|we|the)\b|to (?:avoid|prevent|allow|enable|ensure|keep|make|support|help|reduce|facilitate)|avoid(?:s|ed|ing)?|prevent(?:s|ed|ing)?|allow(?:s|ed|ing)?|caus(?:e|es|ed|ing)|fail(?:s|ed|ing)?|broke(?:n)?|breaks?|hang(?:s|ing)?|leak(?:s|ed|ing)?|better|no longer|not? need(?:ed)?|cannot|can't|could(?:n't| not)|would(?:n't| not)?|means?|requires?|following|according to|security)\b/i;

/** Undefined for a question about the present. */
export function pastQuestionIn(query: string): PastQuestion | undefined {
  const kinds = Object.keys(ASKS) as PastQuestion[];
  return kinds.find((kind) => ASKS[kind].test(query));
}

export function givesReason(text: string): boolean {
  return GIVES_REASON.test(text);
}

/** A comment in code may give a reason, but no time and no author. */
export function codeMayAnswer(asked: PastQuestion, text: string): boolean {
  return asked === "why" && givesReason(text);
}

/** A document may give a reason, or a time if it has a number; it hardly ever names an author. */
export function documentMayAnswer(asked: PastQuestion, text: string): boolean {
  return asked === "why" || (asked === "when" && /\d/.test(text));
}
