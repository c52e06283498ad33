/**
 * Whether a text can be understood without its context: it is a whole sentence and refers to nothing that only the
 * conversation or the surrounding lines explain.
 */
import { hasWords } from "./sentences.ts";

/** "It …", "This is …", "Both have …": the subject was named before. "This command …" names it. */
const POINTING_SUBJECT =
  /^(?!it was (?:decided|agreed)\b)(?:(?:so|and|but|then|also|ok|okay|yes|no|here|instead|otherwise)[,:]? )*(?:it|its|they|their|them|he|she|both|neither|such|these|those|this|that)(?:(?:'s|'re)\b|(?: (?:is|are|was|were|has|have|had|will|would|can|could|should|must|may|means?|needs?|way|one|also|now|only|intentionally|deliberately|\w+s)\b|[,.:]|$))/i;
/** "Any of those …", "The set is …": of what? */
const POINTING_PHRASE =
  /^(?:\w+ ){0,4}(?:of|in|to|from|with) (?:those|these|them)\b|^(?:(?:the|this|that) )?(?:set|scope|value|form|[\w/]+ form) (?:is|are)\b/i;
/** "go with this", "keep it", "do that": the object was named before. "keep it short" does not match. */
const POINTING_OBJECT =
  /\b(?:go(?:ing)? (?:with|for|ahead with)|went with|use|using|keep|kept|drop|dropped|remove|removed|take|do|did|done|pick|picked|chose|choose|prefer|adopt|call|rename|add|rely on|trust|change|touch|call|around|agreed? (?:on|to|with)|stick (?:with|to)) (?:it|this|that|them|these|those|both|all of (?:it|them)|(?:this|that|these|those|your|all|all the|both|the) (?:approach|options?|plans?|ones?|way|versions?|steps?|proposals?|ideas?|solutions?|points?|suggestions?|recommendations?|changes?|fix(?:es)?)|the (?:same|first|second|third|last|latter|former|above|following|other)(?: one| option| approach)?)(?!, (?:the|a|an|one|with) \w+)(?= (?:on|in|at|any|rather|to|where|when|then|for|as|because|so|since|instead|everywhere|here|there|now|though)\b|[,.:;!—–-]|$)/i;
/** An option by letter or number. With a colon or dash after it, its text follows. */
const OPTION_NAME =
  /\b(?:options?|variants?|approach|direction|proposal|plan|choice|points?|items?|steps?|issues?) (?:\(?[a-f]\)?|#?\d{1,2}|one|two|three)\b(?!\s*(?:[:—–](?! (?:it|its|this|that|because|since|the cleanest|cleanest|simplest)\b)|\([^)]{8,}|, (?:the|a|an|one|with) \w+))|(?:^|\s)\([a-f]\)(?=[\s,.]|$)|\b(?:the )?above\b|\bas (?:discussed|mentioned|described)\b|\bother (?:way|option) round\b/i;
/** "Backward compatible" needs the name of the interface. */
const COMPATIBILITY = /\bbackwards?[- ]compat/i;
const NAME = /`[^`]+`|--[a-z]|\w_\w|[a-z][A-Z]|\w\.\w|\bv\d/;
/** The sentence was cut off. */
const OPEN_END =
  /(?:[,:;(–—-]|\b(?:because|since|so|that|and|or|but|with|of|to|for|in|on|by|from|the|a|an|their|its|is|are|was|be|as|when|which|if|than|not))$/i;
const MIN_WORDS = 3;

export function standsAlone(text: string): boolean {
  const plain = text.replace(/\*\*/g, "").trim();
  if (!hasWords(plain, MIN_WORDS) || OPEN_END.test(plain) || !balanced(plain)) return false;
  if (COMPATIBILITY.test(plain) && !NAME.test(plain)) return false;
  const words = plain.replace(/`[^`]*`/g, "x");
  return ![POINTING_SUBJECT, POINTING_PHRASE, POINTING_OBJECT, OPTION_NAME].some((cue) => cue.test(words));
}

/** Half a parenthesis or half a piece of code means that the rest was cut off. */
function balanced(text: string): boolean {
  const count = (mark: string): number => text.split(mark).length - 1;
  return count("`") % 2 === 0 && count('"') % 2 === 0 && count("(") <= count(")") + (/[;:]-?\(/.test(text) ? 1 : 0);
}
