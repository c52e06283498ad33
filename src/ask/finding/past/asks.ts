/** Which questions are about the project's past, and which texts give a reason. */

/** The thing that a question about the past asks for. */
export type AskedOfPast = "why" | "when" | "who";

/** "When" as the word that asks: "what happens when it has failed?" asks for something else. */
const WHEN =
  /(?:^\W*(?:(?:and|but|so) )?|\b(?:know|remember|tell me|find out|see) )when\b.{0,40}\b(?:did|was|were|has|have)\b|\bin which (?:version|release|commit)\b.{0,40}\b(?:did|was|were|has|have)\b|\bsince when\b/i;

const ASKS: Readonly<Record<AskedOfPast, RegExp>> = {
  why: /\bwhy\b|\b(?:reasons?|rationale|motivation)\b|\bhow come\b/i,
  who: /\bwho (?:first )?(?:\w+ed|made|wrote|chose|built|began|did)\b/i,
  when: WHEN,
};

/** In the words of commit messages: what was wrong before, or what is better now. */
const GIVES_REASON =
  /\b(?:because|since|so that|so (?:it|that|this|the|we|they|users?)\b|otherwise|instead|rather than|in order to|due to|reason|as (?:it|this|we|the)\b|to (?:avoid|prevent|allow|enable|ensure|keep|make|support|help|reduce|facilitate)|avoid(?:s|ed|ing)?|prevent(?:s|ed|ing)?|allow(?:s|ed|ing)?|caus(?:e|es|ed|ing)|fail(?:s|ed|ing)?|broke(?:n)?|breaks?|hang(?:s|ing)?|leak(?:s|ed|ing)?|better|no longer|not? need(?:ed)?|cannot|can't|could(?:n't| not)|would(?:n't| not)?|means?|requires?|following|according to|security)\b/i;

/** Undefined for a question about what is. */
export function askedOfPast(query: string): AskedOfPast | undefined {
  const kinds = Object.keys(ASKS) as AskedOfPast[];
  return kinds.find((kind) => ASKS[kind].test(query));
}

export function givesReason(text: string): boolean {
  return GIVES_REASON.test(text);
}

/** Code says why in its comments, and nothing about when or by whom. */
export function codeMayTell(asked: AskedOfPast, text: string): boolean {
  return asked === "why" && givesReason(text);
}

/** A document may say why, and with a number also when; it hardly ever says who did something. */
export function documentMayTell(asked: AskedOfPast, text: string): boolean {
  return asked === "why" || (asked === "when" && /\d/.test(text));
}
