/**
 * Rules of a person that forbid something in the project, and with it name the rejected alternative: "no ORMs here,
 * write plain SQL", "never use axios, use fetch", "we don't use Redux any more", "moment is banned". An order for the
 * task at hand has neither a place, nor a replacement, nor a reason.
 */

const FILLERS = "^(?:(?:ok|okay|no|yes|so|please|then|and|but|also|actually|remember|from now on)[,:.]? )*";
/** A thing of one to three words that can be understood without the sentences before. */
const THING =
  "([`\"']?(?!(?:an?|the|any|all|some|this|that|these|those|it|them|our|my|your|its|their|such|more|too|so|to|as|for|on|in)\\b)[\\w@][\\w@./+#-]*[\"'`]?(?: (?!(?:here|in|for|any ?more|again|ever|at|because|since|and|but|to|on|as|with|is|are|please|unless|if|when|until)\\b)[\\w@][\\w@./+#-]*){0,2}?)";
const PLACE =
  "(?: (?:here|anywhere|any ?more|again|ever|at all|in production|in (?:this|the|our) (?:project|repo(?:sitory)?|code ?base|app|application|package|library|service|code)))";
const REPLACED = "(?:[,;:.]| [—–-]) (?:please |always |just |only |we )*(?:use|prefer|write|stick|import|plain)\\b";
const REASONED =
  "(?:,? because\\b|,? since\\b|[,;:]? ?(?:[—–-] )?(?:it|they)(?:'s| is| was| has| are| were| have|\\w*s|'re| \\w+ed)\\b)";
/** The place, replacement or reason of a rule. */
const SUPPORT = `(?:${PLACE}?(?:${REPLACED}|,? ?${REASONED})|${PLACE}(?= ?[,;:.!]|$| [—–-]))`;
const OBJECT_OF =
  "(?:us(?:e|ing)|add(?:ing)?|import(?:ing)?|install(?:ing)?|introduc(?:e|ing)|depend(?:ing)? on|allow|bring(?:ing)? (?:back|in)|pull(?:ing)? in)";
const BANS: readonly RegExp[] = [
  new RegExp(`${FILLERS}(?:never|do not ever|don't ever) ${OBJECT_OF} ${THING}(?=${PLACE}|[,;.!]|$)`, "i"),
  new RegExp(
    `${FILLERS}(?:(?:never|do not|don't|dont|stop)(?: ever)? ${OBJECT_OF}|avoid(?: ${OBJECT_OF})?) ${THING}${SUPPORT}`,
    "i",
  ),
  new RegExp(
    `${FILLERS}we(?: do not| don't| never| no longer| are not|'re not| aren't) ${OBJECT_OF} ${THING}${SUPPORT}`,
    "i",
  ),
  new RegExp(`${FILLERS}no ${THING}${PLACE}?${REPLACED}`, "i"),
  new RegExp(`^${THING} (?:is|are) (?:banned|forbidden|prohibited|off[- ]limits)\\b`, "i"),
  new RegExp(`^${THING} (?:must|may) (?:not|never) be (?:used|added|imported|installed)\\b`, "i"),
];
/** "No ORMs in this project". Without a replacement, only a plural counts; a singular may report what is missing. */
const NONE = new RegExp(`${FILLERS}no ${THING}${PLACE}[.!]?$`, "i");
const SEVERAL = /(?:[^s]s|[A-Z]{2}\w*)[`"']?$/;
/** Tools of the agent, its current task, and things that a report counts: not parts of the product. */
const NOT_OF_PRODUCT =
  /^(?:grep|cat|sed|awk|find|curl|bash|sudo|git|gh|emojis?|sub-?agents?|agents?|work-?trees?|tools?|skills?|browsers?|plan mode|web ?search|playwright|docker|changes?|tests?|errors?|warnings?|issues?|problems?|bugs?|failures?|results?|files?|docs?|matches|logs?|conflicts?|commits?|comments?|questions?|need|idea|worries|thanks|mind|one|longer|way)\b/i;

/** The thing that the sentence forbids; undefined if it states no such rule. */
export function forbidden(sentence: string): string | undefined {
  const thing = BANS.map((cue) => cue.exec(sentence)?.[1]).find((each) => each !== undefined) ?? noneOf(sentence);
  return thing === undefined || NOT_OF_PRODUCT.test(thing) ? undefined : thing.replace(/[.,]+$/, "");
}

function noneOf(sentence: string): string | undefined {
  const thing = NONE.exec(sentence)?.[1];
  return thing !== undefined && SEVERAL.test(thing) ? thing : undefined;
}
