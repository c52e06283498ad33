/**
 * Recognizes English sentences that state how a person wants things done. A cue matches the phrasing of a rule, not only
 * its words: "it always fails" and "I don't know" are not rules.
 */
export type RuleKind = "standing" | "correction" | "instruction";

/** "always run", "never push"; not "always fails", "always-on", "never being". */
const EVER = "(?:always|never)(?! \\w+(?:[^s\\W]s|ing)\\b)(?= )";

/** An instruction beyond the current task. */
const STANDING = [
  /\bfrom (?:now|here) on\b/i,
  /\bgoing forward\b/i,
  /\bin (?:the )?future\b.*\b(?:use|do|don't|please|always|never|make|keep|write|run)\b/i,
  new RegExp(`^(?:(?:please|and|but|also|so|just|ok|okay|no|again)[,:]? )*${EVER}`, "i"),
  new RegExp(`[,;:] (?:please |and |but )?${EVER}`, "i"),
  new RegExp(`(?<!\\b(?:if|when|since|because|that|why|which) )\\b(?:you|we) (?:should |must |have to )?${EVER}`, "i"),
  /\bi(?:'d| would)? (?:always |strongly |really |much )?prefer\b/i,
  /\bi(?:'d| would) (?:much )?rather\b/i,
  /\bwe (?:prefer|only use|don't use|do not use)\b|\bwe use [^.,]{2,60},? (?:instead|rather than|not)\b/i,
  /\b(?:every|each) time you\b|\bwhenever you\b/i,
  /\bby default,? (?:use|we|do|keep|write)\b/i,
  /\b(?:our|my|house) (?:conventions?|rules?|style|standards?|policy|preference)\b/i,
  /\bas a rule\b|\brule of thumb\b/i,
  /^(?:please |and )?(?:remember|keep in mind)(?: to\b| that\b|:)/i,
  /\bdon't ever\b|\bno more\b.*\bplease\b/i,
  /(?:^|[,;:.] |\b(?:let's|just|please|always|we|should|will|so) )stick (?:to|with)\b/i,
];

/** An instruction that may apply only this time. */
const INSTRUCTION = [
  /^(?:(?:please|and|but|also|so|just|ok|okay|again)[,:]? )*(?:do not|don't|dont|avoid|stop)\b/i,
  /[,;:(–—] ?(?:please |and |but |so )?(?:do not|don't|avoid|stop)\b(?! (?:know|think|care|see|understand|have)\b)/i,
  /\buse (?:[^.]{2,60}) (?:instead|rather than|not)\b/i,
  /\binstead of\b[^.]*\b(?:use|do|write|call|run)\b|\b(?:use|do|write|call|run)\b[^.]*\binstead of\b/i,
  /^(?:(?:please|and|but|also|so|just)[,:]? )*(?:make sure|be sure|ensure|only (?:use|change|touch|edit|run))\b/i,
  /\bbefore you (?:write|change|touch|start|commit|code|edit|push|merge)\b/i,
  /,\s+no (?!idea|problem|worries|need|luck|matter|way|one)[\w-]+(?: [\w-]+)?[.!]?$/i,
  /\b(?:you|it|they|this|that|there) (?:must|should) (?:not|never|only)\b|\b(?:mustn't|shouldn't)\b/i,
];

/** A correction, at the start of the reply to something the agent did. */
const CORRECTION = [
  /^(?:no|nope|nah|wrong|stop|wait)\b[,.! ]/i,
  /^(?:that's|that is|this is|it's|it is|that was) (?:not|wrong|incorrect)\b/i,
  /^not (?:like|what|that|the|there|here)\b/i,
  /^(?:actually|instead|rather),? /i,
  /^(?:please )?(?:undo|revert|roll back|put (?:it|that) back)\b/i,
  /^you (?:forgot|missed|broke|removed|deleted|ignored|should(?:n't)? have|didn't|did not|misunderstood)\b/i,
  /^i (?:said|asked|told you|meant|wanted|didn't ask|did not ask)\b/i,
];

/** A rhetorical question that is really a correction. */
const REPROACH = /^why (?:did|didn't|are|aren't) you\b/i;
/** "No." and "revert it" are corrections, but too short to be a rule. */
const MIN_CORRECTION_WORDS = 3;

/** `answering`: this is one of the first sentences of a reply to something the agent did. */
export function ruleKind(sentence: string, answering: boolean): RuleKind | undefined {
  const asks = sentence.endsWith("?");
  if (answering && asks && REPROACH.test(sentence)) return "correction";
  if (asks) return undefined;
  const says = sentence.split(" ").length >= MIN_CORRECTION_WORDS;
  if (answering && says && CORRECTION.some((cue) => cue.test(sentence))) return "correction";
  if (STANDING.some((cue) => cue.test(sentence))) return "standing";
  return INSTRUCTION.some((cue) => cue.test(sentence)) ? "instruction" : undefined;
}

const LIKES =
  /\b(?:i|we)(?:'d| would| really| also| do| don't| do not)* (?:like|love|hate|dislike|want|favou?r|need)\b|\b(?:should(?:n't)?|favou?rite|better (?:to|if)|instead)\b/i;

/** How clearly a sentence states a preference: 0, 0.5 or 1. */
export function preferenceStrength(sentence: string): number {
  if (sentence.endsWith("?")) return 0;
  if (STANDING.some((cue) => cue.test(sentence)) || INSTRUCTION.some((cue) => cue.test(sentence))) return 1;
  return LIKES.test(sentence) ? 0.5 : 0;
}

/** Filler words at the start and the end, which do not change the meaning. */
const FILLER =
  /^(?:(?:please|and|but|also|so|just|ok|okay|no|again|hey|well|hm+|now|then|from now on)[,:;.! ]+)+|[,; ]+(?:please|thanks|thank you|ok|okay)?[.! ]*$/gi;

export function withoutFiller(sentence: string): string {
  return sentence.replace(FILLER, "").trim() || sentence;
}
