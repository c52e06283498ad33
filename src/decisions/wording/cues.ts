/**
 * Scores how likely a sentence states a decision, by its words; those of other languages than English are in
 * `other_languages.ts`. Decisions are in the past tense or are made by
 * saying them ("we chose", "let's use"), often with a rejected alternative and a reason. Plans, questions, guesses,
 * quotes and reports about other people or programs use the same words and must not count.
 */
import { alternativesOf } from "./alternatives.ts";
import { forbidden } from "./bans.ts";
import { scoreOtherLanguages } from "./other_languages.ts";

export type Speaker = "user" | "assistant" | "commit";

export interface SentenceContext {
  who: Speaker;
  /** The user's next message agrees. */
  confirmed?: boolean;
  /** It names a file, symbol or dependency of the project. */
  known?: boolean;
}

export interface SentenceScore {
  score: number;
  because: string | null;
  alternatives: string[];
}

/** The score of a rule that forbids something: enough without a contrast. */
const BAN_SCORE = 5;

/**
 * Words that nearly every decision has, and many other sentences too: the filter for messages that are sent to a model.
 */
export const DECISION_WORDS =
  /\b(?:decid|decision|chose|choice|agreed|settled|opted|picked|adopt|reject|instead of|rather than|in favou?r of|because|so that|let's|going with|go with|went with|prefer|recommend|drop|switch|keep)/i;

/** The scores from which a decision is stored as a candidate, and shown by default. */
export const MIN_STORED_SCORE = 3;
export const MIN_SHOWN_SCORE = 5;

const WE =
  "(?:we|i)(?:'ve| have| had)?(?: (?:also|finally|therefore|then|all|both|just|now|intentionally|deliberately|already))*";
/** Only with the words that must follow: "the groups we agreed" is not a decision. */
const PAST =
  "(?:decided (?:to|that|on|against|not|in favou?r)|agreed (?:to|that|on|with|not)|(?:chose|picked|adopted|selected|rejected|settled on|ruled out|went with|gone with|committed to|standardi[sz]ed on|ended up (?:using|with)) [\\w`\"']|opted (?:for|to|against|not))";
/** Verbs for code changes: a decision only with a rejected alternative or a reason. */
const DONE =
  "(?:switched|moved|migrated|went back|returned|reverted|kept|left out|dropped|avoided|deferred|pinned|removed)";

const STRONG: readonly RegExp[] = [
  new RegExp(`\\b${WE} ${PAST}`, "i"),
  /^(?:(?:ok|okay|so|right|alright|fine|good|final|design|architecture)[,:]? )*decisions?(?: made)?: \S/i,
  /^(?:(?:ok|okay|so|right|alright|fine)[,:]? )?(?:decided|agreed|settled): \S/i,
  /\b(?:the|our|my) (?:final )?(?:decision|choice|verdict) (?:is|was)\b(?!:?$)/i,
  /\bit was (?:decided|agreed)\b/i,
  /\b(?:we're|we are) (?:going with|using|sticking with|keeping|dropping)\b/i,
  /\bwe (?:will not|won't|no longer) (?:support|use|ship|allow|add)\b/i,
  /\bper your (?:choice|decision|preference)\b/i,
  /^(?:decided|agreed|settled|opted) (?:to|for|against|on|not|that)\b/i,
  /^(?:(?:deliberately|intentionally) )?(?:chose|picked|settled on) /i,
  /^accepted (?:the|a|an) .+ (?:instead of|over) /i,
  /^rejected: /i,
];

/** "We", not "I": in a commit, "I" tells how the author worked. */
const DECIDED = new RegExp(
  `\\bwe(?:'ve| have| had)?(?: \\w+)? ${PAST}|\\bit was (?:decided|agreed)\\b|^(?:decided|agreed|rejected): |^decided (?:to|against|not)\\b|\\bwe (?:will not|won't|no longer) (?:support|use|ship|allow)\\b`,
  "i",
);

/** Sufficient alone, from any speaker. */
const CLEAR: readonly RegExp[] = [
  /\b(?:i|we) made the call (?:on|to|that)\b/i,
  /\b(?:out of scope|stays?|remains?|kept|dropped|left out)\b.{0,40}\bas agreed\b/i,
];

const WEAK: readonly RegExp[] = [
  new RegExp(`^(?:[\\w ,]{0,30}[,:;] )?(?:so |and |but |therefore |actually |ok |then )?${WE} ${DONE}\\b`, "i"),
  /\b(?:i|we) (?:deliberately|intentionally|purposely) (?:do(?:n't| not)|did(?:n't| not)|\w+ed|left|kept|chose)\b/i,
  /\b(?:was|were|has been|have been) (?:chosen|picked|dropped|ruled out)\b/i,
];

/** A decision if the user says it. */
const SAYS: readonly RegExp[] = [
  /^(?:(?:ok|okay|no|yes|so|right|alright|fine|then|good|great|and|but|actually)[,:.]? )*let's (?:just )?(?:go with|stick (?:with|to)|keep|drop|use|not|avoid|adopt|(?:switch|move|migrate)(?: (?:away )?from [\w`@./-]+)? to)\b/i,
  /^(?:(?:ok|okay|no|yes|so|then|and|but|actually)[,:.]? )*(?:let's|we'll|we) go back to (?!the\b|work\b)[\w`@./-]+(?: for\b|[,.:;]|$)/i,
  /^(?:(?:ok|okay|no|yes|so|please)[,:.]? )*always \w+ /i,
  /^(?:(?:ok|okay|no|yes|so|please)[,:.]? )*replace [\w`@./-]+ (?:with|by) [\w`@./-]+ (?:everywhere|throughout|across)\b/i,
  /^(?:(?:ok|okay|no|yes|so|please|then|actually)[,:.]? )*(?:go with|keep|stick (?:with|to)|prefer) /i,
  /^(?:(?:ok|okay|no|yes|so)[,:.]? )*(?:from now on|going forward|in this project|for \w+),? /i,
  /^(?:.{0,30}[,;:] |.{0,20}instead of .{2,40} )?we(?: only| always)? (?:use|keep|prefer|store|write|ship)\b/i,
  /\bi want (?!you\b|to\b)/i,
  /^(?:(?:ok|okay|no|yes|so|and|but|actually|generally)[,:.]? )*i(?:'d)? (?:really |much |strongly )?prefer \S/i,
];

const FILLERS = "^(?:(?:ok|okay|no|yes|so|right|alright|fine|then|good|great|and|but|actually|please)[,:.]? )*";
/** One of several options. */
const OPTION =
  "(?:the )?(?:[\\w-]+ ){0,2}(?:options?|variants?|approach|directions?|proposals?|design|solution|strategy|layout)\\b";

/** Sufficient alone if the user says it. */
const SETTLES: readonly RegExp[] = [
  new RegExp(`${FILLERS}(?:let'?s|we'll) (?:just )?(?:go|stick|stay) (?:with|to|for)\\b(?! it\\b)`, "i"),
  new RegExp(`${FILLERS}(?:let'?s )?(?:go (?:for|with|ahead with)|do|take|pick) ${OPTION}`, "i"),
  new RegExp(`${FILLERS}let'?s do (?:[a-d]|\\d)(?:,| then|[.!]?$)`, "i"),
  new RegExp(`\\bi (?:actually |really |still )?(?:prefer|want to use|choose) ${OPTION}`, "i"),
  new RegExp(`${FILLERS}let'?s (?:rename|call) (?:it|this|that|them|the|to)\\b`, "i"),
  /\b(?:no need for|(?:don't|do not|dont) need|without) (?:any )?backwards?[- ]compat/i,
  /^(?:the|our|a|new) (?:\w+ )?(?:rule|policy|convention)(?: here)?(?: is)?(?: that|:) \S/i,
  new RegExp(`${FILLERS}drop support for \\S`, "i"),
  /^(?!.*\?$)[\w`.' -]{2,40} (?:should|must) be (?:hard[- ])?(?:deprecated|optional|required|opt-in|opt-out|private|public|read-?only)\b/i,
];

/** "Instead of x, use y". */
const INSTEAD =
  /^instead of .{2,80}(?:,| )(?:just )?(?:call|name|use|put|store|add|make|return|show|keep|write)\b.{0,4}\w/i;

/** An instruction: a decision only with an alternative. */
const ORDERS = /^(?:(?:ok|okay|no|yes|so|please|then|actually)[,:.]? )*(?:use|take) /i;

/** Imperatives of commit messages. */
const COMMITS =
  /^(?:use|switch|replace|drop|remove|prefer|move|make|keep|store|adopt|migrate|pin|standardi[sz]e|do not|don't|stop|disallow|require|default to|avoid|split|rename|forbid|never|always)\b/i;

/** A decision only if the user agrees. */
const PROPOSAL =
  /\b(?:i(?:'d| would)? (?:strongly )?(?:recommend|suggest|propose|prefer|go with|use|keep|lean)|(?:my|the) (?:suggestion|recommendation|proposal) (?:is|would be))\b/i;

const CONTRAST =
  /\b(?:instead of|rather than|in favou?r of|as opposed to|in place of)\b|\b(?:chose|choose|choice|picked?|take|went with|gone with|go(?:ing)? with|prefer|opted for)\b.{1,80}\bover\b|, (?:not|never) [\w`]|\bnot in\b|; .* instead\b|^(?:switch(?:ed)?|move[d]?|migrate[d]?) from\b|\b(?:switched|moved|migrated) from\b.{1,60}\bto\b|\breplaced? .{2,60} (?:with|by)\b|\b(?:switch|move|migrate) from .{1,60} to\b|\b(?:go|went|gone|switch(?:ed)?|move[d]?|reverted) back to [\w`]|\bdecided against\b|\bdecided not to\b|\band drop\b|\band not\b|\binstead[.!]?$|\bwon't support\b|\bwill not support\b/i;

const REASON =
  /\b(?:because|so that|due to|in order to|the reason|otherwise|on account of|given that)\b|[,;:] (?:since|as|to avoid|to keep) |; (?:the|it|that|this) | [—–] (?:since|because|so|simpler|safer|cheaper|faster|it|that|this) ?|: (?:a|an|the|it|that|one|your|our) |\bto (?:avoid|prevent|keep)\b/i;

/** "so" and "as" may introduce a consequence instead of a reason. */
const SURE_REASON = /\b(?:because|so that|due to|in order to|to avoid|to prevent)\b|, since /i;

/** Signs of an open question, a guess or a negation, which outweigh other cues. */
const OPEN: readonly RegExp[] = [
  /\?["')\]]*(?:\s|$)/,
  /^(?:why|what|how|which|when|where|who|should|shall|can|could|would|do|does|did|is|are|will|have|has)\b(?! not\b)(?!n't)/i,
  /\b(?:could|might|may|would|maybe|perhaps|possibly|presumably|probably|if|unless|whether|consider(?:ing)?|should(?! be (?:hard[- ])?(?:deprecated|optional|required|opt-|private|public|read)))\b/i,
  /\b(?:haven't|hasn't|have not|not yet|still need to|need to|before|once you|until you|after you|to be) decid/i,
  /\bdecid(?:e|ing)\b/i,
  /\b(?:undecided|unclear|not sure|unsure|don't care|no preference|looks like|seems|apparently)\b/i,
  /\bwere thinking\b|\bthinking (?:of|about)\b|\b(?:option|alternative|approach|variant|way)s? (?:a|b|c|\d|one|two|three)\b(?=.*\b(?:uses?|is|are|has|keeps?|needs?)\b)/i,
  /\bthere are (?:two|three|several|a few|many|some)\b/i,
];

/** Open even if the user agrees. */
const UNSURE: readonly RegExp[] = [/\?["')\]]*$/, /\b(?:if|whether|maybe|perhaps|unless)\b/i];

/** Plans, mostly for the next minutes. */
const PLAN =
  /\b(?:i'll|i will|i'm going to|i am going to|let me|i need to|we need to|i have to|i want to(?! use \w*\s?(?:option|variant|approach))|we want to|next,? (?:i|we)|now i|first,? i|i plan|we plan|todo|going to|about to)\b/i;

/** Other people or programs chose, or the sentence describes behaviour. */
const OTHERS =
  /\b(?:they|he|she|it) (?:decided|chose|picked|went|dropped|used|opted)\b|\bthe [\w-]+(?: [\w-]+)? (?:team|authors?|maintainers?|docs?|article|paper|user|users|customer|client|server|linter|compiler|function|library|framework|old code|previous code|existing code|documentation|spec|build|test|request|error|connection|parser)\b.{0,30}\b(?:decided|decides|chose|picked|picks|went|dropped|said?|says|say|used|rejected|skipped|failed|fails|was|were)\b|\b(?:many|most|some|other) (?:teams|people|projects|libraries)\b|\b(?:says|said|states|stated|claims|reads) (?:that|it|`|"|we)|\bpreviously\b|\bused to\b|\b(?:request|connection|token|test|message|packet|frame|event|row|file|user|order|job|commit) (?:was|were|has been) (?:rejected|dropped|skipped|removed|cancelled|moved|replaced)\b/i;

/** About the current task, not about the product. */
const ERRAND =
  /\b(?:(?:read|edit|write|search|bash|grep|glob) tool|grep|cat|sed|this (?:test )?run|for this test|the logs|wrong (?:branch|file|folder|one|place|path)|(?:re)?run the|my mistake|by mistake|accidentally|oops|timed out)\b/i;

/**
 * Steps of the work itself, about branches, pull requests, workers, plans, and things that the conversation has just
 * named. They are irrelevant once the conversation ends.
 */
const STEP =
  /\b(?:this|that|the|my|your|a|new|one|same|first|larger?) (?:\w+ )?(?:branch|worktree|pull request|pr|commits?|subagent|tweets?|ticket)\b|\b(?:this|that|another) (?:session|worker|message|issue)\b|\bthe primary issue\b|\b(?:re-?bas(?:e|ing)|cherry-?pick|squash|force-?push|spawn|dispatch|straight away|right away|this time|in the next (?:minute|hour)|first pass|wip|prd|(?:a|the) (?:prd|plan|summary|report|draft))\b|\bbeing the real fix\b|\breview between tasks\b|^(?:delete|fix|run|skip|update|check) (?:the|this|that|these|those) \w+|\byour (?:\w+ )?(?:machine|setup|shell|terminal|template|theme|prompt|home|editor|laptop|environment)\b/i;
/** A rename is not a decision about the project. */
const RENAMES = /\b(?:re-?nam(?:e|ed|ing)|let'?s call|call it)\b/i;

/** Whether the sentence is a step of the work, or a rename, in the words of a decision. */
export function isErrand(sentence: string): boolean {
  return STEP.test(sentence) || RENAMES.test(sentence);
}

const QUOTED = /^(?:>|["“'‘]|\||\$ |\[|\d{4}-\d\d-\d\d)|["”]$/;
const FIXES = /^(?:fix|fixes|fixed|update|bump|return early|add|typo|refactor|clean|format|lint|test|docs?)\b/i;

/** Whether the sentence says outright that the team decided something. */
export function isDecided(sentence: string): boolean {
  const plain = sentence.replace(/`[^`]*(?:`|$)/g, "`x`");
  return DECIDED.test(plain);
}

export function scoreSentence(whole: string, context: SentenceContext): SentenceScore {
  const foreign =
    context.who === "commit" || QUOTED.test(whole) ? undefined : scoreOtherLanguages(whole, context.who === "user");
  if (foreign) return { ...foreign, score: foreign.score + (context.known ? 1 : 0) };
  const because = statedReason(whole);
  const banned = context.who === "user" ? forbidden(whole) : undefined;
  const named = alternativesOf(whole);
  const alternatives = banned === undefined || named.includes(banned) ? named : [...named, banned];
  const none = { score: 0, because, alternatives };
  // A sentence with a colon at its end only introduces something, and words inside backticks are names.
  if (QUOTED.test(whole) || whole.endsWith(":")) return none;
  const sentence = whole.replace(/`[^`]*(?:`|$)/g, "`x`");
  const contrast = CONTRAST.test(sentence);
  const reason = REASON.test(sentence);
  let score = Math.max(verbScore(sentence, context, contrast || reason), banned === undefined ? 0 : BAN_SCORE);
  if (score === 0) return none;
  if (contrast) score += 2;
  if (reason) score += 2;
  if (context.known) score += 1;
  if (context.confirmed && context.who === "assistant") score += 2;
  const open = context.confirmed && PROPOSAL.test(sentence) ? UNSURE : OPEN;
  if (open.some((cue) => cue.test(sentence))) score -= 4;
  if (PLAN.test(sentence)) score -= 4;
  if (OTHERS.test(sentence)) score -= 4;
  if (ERRAND.test(sentence)) score -= 4;
  return { score: Math.max(0, score), because, alternatives };
}

function verbScore(sentence: string, context: SentenceContext, supported: boolean): number {
  if (CLEAR.some((cue) => cue.test(sentence))) return 5;
  if (STRONG.some((cue) => cue.test(sentence))) return 4;
  const { who } = context;
  if (who === "assistant" && PROPOSAL.test(sentence)) return context.confirmed && supported ? 3 : 0;
  if (who === "user" && SETTLES.some((cue) => cue.test(sentence))) return 5;
  if (!supported) return 0;
  if (who === "commit" && FIXES.test(sentence)) return 0;
  if (who === "commit" && COMMITS.test(sentence)) return 3;
  if (who === "user" && ORDERS.test(sentence)) return CONTRAST.test(sentence) ? 3 : 0;
  if (
    who === "user" &&
    (SAYS.some((cue) => cue.test(sentence)) || INSTEAD.test(sentence) || /^instead of\b.*\bwe\b/i.test(sentence))
  )
    return 3;
  return WEAK.some((cue) => cue.test(sentence)) && (SURE_REASON.test(sentence) || CONTRAST.test(sentence)) ? 3 : 0;
}

const MAX_REASON_CHARS = 300;

/** The text after the word that introduces the reason. */
export function statedReason(sentence: string): string | null {
  const match =
    /\b(?:because(?: of)?|so that|due to|given that|on account of)\s+(.+)$/i.exec(sentence) ??
    /[,;:] (?:since|as|so)\s+(.+)$/i.exec(sentence) ??
    /\b(to (?:avoid|prevent|keep)\s+.+)$/i.exec(sentence);
  const reason = match?.[1]?.replace(/[.!]+$/, "").trim();
  return reason ? reason.slice(0, MAX_REASON_CHARS) : null;
}

/** A short answer that agrees with a proposal. */
const AGREES =
  /^(?:(?:yes|yeah|yep|yup|ok|okay|sure|agreed|perfect|great|good|fine|right|correct|exactly|sounds? (?:good|great|right)|makes sense|go (?:ahead|for it)|do (?:it|that)|please do|lgtm|ship it|i agree|let's do (?:it|that))\b)/i;
const BUT = /\b(?:but|however|wait|not|no|instead|though|what about|hmm)\b|\?/i;

export function confirms(answer: string): boolean {
  const first = answer.trim().slice(0, 200);
  return AGREES.test(first) && !BUT.test(first);
}
