/**
 * Ranks passages for a question, and estimates the probability that they answer it. Both are small models over the
 * figures of `matching.ts`. `npm run bench:answers -- --fit` fits their weights on questions about documentation whose
 * answers are known, including questions that the documentation does not answer.
 */
import { OWN_DOCUMENTS } from "../../collections/declaring/own_documents.ts";
import { CODE, CONVERSATIONS, isDocument, type ReadPassage } from "../passage.ts";
import { asksForPlace } from "../question/place.ts";
import { type WeighedQuestion, type WeighedTerm, weightOf } from "../question/question_words.ts";
import { fullText, headingCoverage, type Match, matchOf } from "./matching.ts";
import { hasTerm, nearTo, wordingOf } from "./similar.ts";

/** Passages that an answer may quote. The probability is estimated from these. */
export const MAX_QUOTED_PASSAGES = 3;
/** With a smaller lead, another collection matches about as well as the best one: the question may be about either. */
export const MIN_LEAD = 1.5;

/** The weight of each figure of a passage in its rank. */
const RANK_WEIGHTS: Partial<Record<keyof Match, number>> = {
  score: 1.54,
  meaning: 0.86,
  window: 1.45,
  heading: 0.89,
  cosine: 1.25,
  sentence: 2.42,
  phrase: 1.58,
};

/**
 * A message describes the state at the time it was written, documents and code the current one. For a question about
 * reasons, decisions and past work, a message counts in full.
 */
const MESSAGE_SHARE = 0.8;
const ABOUT_PAST =
  /\b(?:why|reasons?|who|did|didn['’]t|was|wasn['’]t|were|had|we|us|our|decided?|decisions?|chose|chosen|agreed?|changed|fixed|tried|happened|earlier|ago|yesterday|today|previously)\b/i;

/** Code shows how something works, but seldom how to use it, and rarely why it is so. */
const CODE_SHARE = 0.8;
const ABOUT_USE = /\bhow (?:do|can|could|should|would|must) (?:i|we|you|one)\b|\bhow to\b|\bwhy\b/i;

/** A question for a place in the code: documents and messages have its words, but rarely name the place. */
const NOT_A_PLACE_SHARE = 0.65;

/** Release notes and upgrade guides describe a past change, not the current state. */
const NOTES_SHARE = 0.8;
const RELEASE_NOTES =
  /(?:^|\/)(?:changelogs?|changes|rel(?:ease)?[-_ ]?notes?|what['’]?s?[-_ ]?new|migrat(?:ion[-_ ]guide|ing[-_ ](?:to|from))|upgrad(?:e[-_ ]guide|ing))(?![a-z])|^(?:history|news)\./i;
/** Only in capitals: documentation of a database library has pages about its own migrations. */
const UPGRADE_FILE = /(?:^|\/)(?:MIGRATI(?:ON|NG)|UPGRAD(?:E|ING))\b[^/]*$/;
const ABOUT_VERSIONS =
  /\b(?:versions?|releases?d?|chang(?:ed?|es|elog)|new|since|upgrad\w*|migrat\w*|deprecated|removed|added|introduced|renamed|breaking|still|any ?more|no longer)\b|\bv?\d+\.\d/i;

/** A plan or a draft of a project says what somebody intended; what became of it is elsewhere. */
const PLAN_SHARE = 0.8;
const PLANS = /(?:^|\/)(?:archived?|brainstorms?|drafts?|plans?|proposals?|rfcs?|scratch|tickets|todos?)\//i;
const ABOUT_PLANS = /\b(?:plan(?:s|ned|ning)?|proposals?|proposed?|drafts?|intend(?:ed)?|road ?map|rfcs?|going to)\b/i;

export interface Ranked {
  passage: ReadPassage;
  match: Match;
  worth: number;
}

/**
 * Best first: statements of manifests, then definitions that the question names, then the others by worth. Ties keep
 * the order of the search.
 */
export function rankPassages(asked: WeighedQuestion, passages: readonly ReadPassage[]): Ranked[] {
  const best = Math.max(0, ...passages.map(({ score = 0 }) => score));
  const share = shareOf(asked, passages);
  const isAboutUse = ABOUT_USE.test(asked.query);
  const precedence = ({ stated, named }: ReadPassage): number => (stated ? 2 : named && !isAboutUse ? 1 : 0);
  return passages
    .map((passage) => {
      const match = matchOf(asked, passage, best);
      return { passage, match, worth: worthOf(match) * share(passage) };
    })
    .sort((a, b) => precedence(b.passage) - precedence(a.passage) || b.worth - a.worth);
}

/** The weight of a passage's kind relative to the other kinds. */
function shareOf({ query }: WeighedQuestion, passages: readonly ReadPassage[]): (passage: ReadPassage) => number {
  const isWritten = passages.some(({ collection }) => collection !== CONVERSATIONS);
  const isDocumented = passages.some(({ collection }) => collection !== CONVERSATIONS && collection !== CODE);
  const ofMessage = isWritten && !ABOUT_PAST.test(query) ? MESSAGE_SHARE : 1;
  const ofCode = isDocumented && ABOUT_USE.test(query) ? CODE_SHARE : 1;
  const ofNotes = ABOUT_VERSIONS.test(query) ? 1 : NOTES_SHARE;
  const ofPlan = ABOUT_PLANS.test(query) || ABOUT_PAST.test(query) ? 1 : PLAN_SHARE;
  const hasCode = passages.some(({ collection }) => collection === CODE);
  const ofOthers = hasCode && asksForPlace(query) ? NOT_A_PLACE_SHARE : 1;
  return ({ collection, document }) => {
    if (collection === CODE) return ofCode;
    if (collection === CONVERSATIONS) return ofOthers * ofMessage;
    if (collection === OWN_DOCUMENTS && PLANS.test(document)) return ofOthers * ofPlan;
    return RELEASE_NOTES.test(document) || UPGRADE_FILE.test(document) ? ofOthers * ofNotes : ofOthers;
  };
}

function worthOf(match: Match): number {
  return Object.entries(RANK_WEIGHTS).reduce((sum, [name, weight]) => sum + weight * match[name as keyof Match], 0);
}

/** The evidence for whether the best passages answer the question. */
export interface Evidence {
  /**
   * The share of the question that a few neighbouring units of any of these passages cover with the headings above
   * them; chance rarely covers much.
   */
  covered: number;
  /** The same for the best passage alone. */
  window: number;
  /** The weight of the heaviest word: a rare word with a narrow meaning is often missing. */
  hardest: number;
  /** How well the title and the headings above the best passage have that word, 0 to 1. */
  headed: number;
  /** Cosine of the question and the best passage. */
  topic: number;
  /** Cosine of the question and the best passage's nearest sentence, by the sentence encoder. */
  sentence: number;
  /**
   * 1 for a question for a number, a limit or a default: texts contain all words of such a question by chance more
   * often.
   */
  quantity: number;
  /** The logarithm of the number of texts in the collection: in a larger one, more texts have the words by chance. */
  size: number;
  /** 1 if the best passage lacks a name that is in the question. */
  name: number;
  /** The lead in worth of the best passage over the fourth one: a passage that answers stands out. */
  standout: number;
  /** Its lead in worth over the best passage of another collection. */
  lead: number;
  /**
   * If another collection matches as well: the largest search score among the best passages, 1 if it is the largest of
   * all.
   */
  agreed: number;
}

type Rivalry = Pick<Evidence, "lead" | "agreed">;

const EVIDENCE_WEIGHTS: Readonly<Record<keyof Evidence, number>> = {
  covered: 1.22,
  window: 1.55,
  hardest: -0.22,
  headed: 0.49,
  topic: 0.95,
  sentence: 3.66,
  quantity: -1.17,
  size: -0.32,
  name: -1.59,
  standout: 0.37,
  lead: 0.26,
  agreed: 2.68,
};
const BIAS = -6.96;

/** Used without a model: the usual cosine of a question and a passage or sentence that covers it. */
const USUAL_COSINE = 0.6;
/** The usual size of documentation. Used for other sources as well, which have many more, but shorter texts. */
const USUAL_SIZE = 5.2;
/** Used when there are too few passages to compare with. */
const USUAL_STANDOUT = 2.3;
/** The index of the passage that the best one is compared with. */
const STANDOUT_RANK = 3;
/** A larger lead counts as if no other collection matched. */
const MAX_LEAD = 4;
const NO_RIVAL: Rivalry = { lead: MAX_LEAD, agreed: 1 };
/** The topic of a passage is computed from this many characters. */
const MAX_TOPIC_CHARS = 4000;

/** `ranked`: the passages of one collection, best first; `rivalry`: as `rivalryOf` gives it for all passages. */
export function evidenceOf(asked: WeighedQuestion, ranked: readonly Ranked[], rivalry: Rivalry = NO_RIVAL): Evidence {
  const [best] = ranked;
  const compared = ranked[STANDOUT_RANK];
  const window = ranked.slice(0, MAX_QUOTED_PASSAGES).reduce((most, { match }) => Math.max(most, match.window), 0);
  const hardest = hardestWord(asked);
  return {
    covered: window * Math.log(1 + asked.total),
    window: best?.match.window ?? 0,
    hardest: weightOf(hardest),
    headed: best ? headingCoverage(asked, hardest, best.passage) : 0,
    topic: asked.model ? topicOf(asked, best?.passage) : window * USUAL_COSINE,
    sentence: asked.model ? (best?.match.sentence ?? 0) : window * USUAL_COSINE,
    quantity: asked.quantity ? 1 : 0,
    size: best && isDocument(best.passage) ? Math.log(1 + asked.texts) : USUAL_SIZE,
    name: best && !lacksName(asked, best.passage) ? 0 : 1,
    standout: best && compared ? best.worth - compared.worth : USUAL_STANDOUT,
    ...rivalry,
  };
}

/** The terms of the heaviest word, the first one of equals. */
function hardestWord({ terms }: WeighedQuestion): readonly WeighedTerm[] {
  const words = [...Map.groupBy(terms, ({ word }) => word).values()];
  return words.reduce((hardest, each) => (weightOf(each) > weightOf(hardest) ? each : hardest), words[0] ?? []);
}

/** Compares the best passage with the best one for which `isRival` is true. */
export function rivalryOf(ranked: readonly Ranked[], isRival: (passage: ReadPassage) => boolean = () => true): Rivalry {
  const [best] = ranked;
  const rival = ranked.find(({ passage }) => passage.collection !== best?.passage.collection && isRival(passage));
  const lead = best && rival ? best.worth - rival.worth : MAX_LEAD;
  if (lead >= MAX_LEAD) return NO_RIVAL;
  return { lead, agreed: Math.max(...ranked.slice(0, MAX_QUOTED_PASSAGES).map(({ match }) => match.score)) };
}

function topicOf(asked: WeighedQuestion, best: ReadPassage | undefined): number {
  return best ? nearTo(asked)(fullText(best).slice(0, MAX_TOPIC_CHARS)) : 0;
}

/** Whether the passage lacks a name of the question. It need not contain the name of its own collection. */
function lacksName({ terms }: WeighedQuestion, passage: ReadPassage): boolean {
  const wording = wordingOf(`${passage.collection}\n${fullText(passage)}`);
  return terms.some((term) => term.isName && !hasTerm(term, wording));
}

/** The probability that the passages answer the question. */
export function probabilityOf(evidence: Evidence): number {
  const sum = Object.entries(EVIDENCE_WEIGHTS).reduce(
    (all, [name, weight]) => all + weight * evidence[name as keyof Evidence],
    BIAS,
  );
  return 1 / (1 + Math.exp(-sum));
}
