/**
 * Sentences that tell how a person wants things done, told by their words (English). A cue must be how a rule is
 * phrased, not only a word that rules have: "it always fails" and "I don't know" are none.
 */
export type RuleKind = "standing" | "correction" | "instruction";

/** "always run", "never push"; not "always fails", "always-on", "never being". */
const EVER = "(?:always|never)(?! \\w+(?:[^s\\W]s|ing)\\b)(?= )";

/** Meant beyond the moment. */
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
  /\bstick (?:to|with)\b/i,
];

/** How to do it, perhaps only this time. */
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

/** Said right after the agent did something, at the beginning of the answer. */
const CORRECTION = [
  /^(?:no|nope|nah|wrong|stop|wait)\b[,.! ]/i,
  /^(?:that's|that is|this is|it's|it is|that was) (?:not|wrong|incorrect)\b/i,
  /^not (?:like|what|that|the|there|here)\b/i,
  /^(?:actually|instead|rather),? /i,
  /^(?:please )?(?:undo|revert|roll back|put (?:it|that) back)\b/i,
  /^you (?:forgot|missed|broke|removed|deleted|ignored|should(?:n't)? have|didn't|did not|misunderstood)\b/i,
  /^i (?:said|asked|told you|meant|wanted|didn't ask|did not ask)\b/i,
];

/** A question that is none. */
const REPROACH = /^why (?:did|didn't|are|aren't) you\b/i;
/** "No." and "revert it" correct, but tell nothing. */
const LEAST_CORRECTION = 3;

/** `answering`: the person speaks right after the agent did something, and this is among their first sentences. */
export function ruleKind(sentence: string, answering: boolean): RuleKind | undefined {
  const asks = sentence.endsWith("?");
  if (answering && asks && REPROACH.test(sentence)) return "correction";
  if (asks) return undefined;
  const says = sentence.split(" ").length >= LEAST_CORRECTION;
  if (answering && says && CORRECTION.some((cue) => cue.test(sentence))) return "correction";
  if (STANDING.some((cue) => cue.test(sentence))) return "standing";
  return INSTRUCTION.some((cue) => cue.test(sentence)) ? "instruction" : undefined;
}

const LIKES =
  /\b(?:i|we)(?:'d| would| really| also| do| don't| do not)* (?:like|love|hate|dislike|want|favou?r|need)\b|\b(?:should(?:n't)?|favou?rite|better (?:to|if)|instead)\b/i;

/** How much a sentence sounds like somebody's preference: 0, 0.5 or 1. */
export function preferenceStrength(sentence: string): number {
  if (sentence.endsWith("?")) return 0;
  if (STANDING.some((cue) => cue.test(sentence)) || INSTRUCTION.some((cue) => cue.test(sentence))) return 1;
  return LIKES.test(sentence) ? 0.5 : 0;
}

/** Words that change nothing about what is meant, at the beginning and the end. */
const FILLER =
  /^(?:(?:please|and|but|also|so|just|ok|okay|no|again|hey|well|hm+|now|then|from now on)[,:;.! ]+)+|[,; ]+(?:please|thanks|thank you|ok|okay)?[.! ]*$/gi;

export function withoutFiller(sentence: string): string {
  return sentence.replace(FILLER, "").trim() || sentence;
}
