/**
 * Ranks passages for a question, and estimates the probability that they answer it. Both are small models over the
 * figures of `matching.ts`; `npm run bench:answers -- --fit` computes their weights from questions about documentation
 * whose answers are known, including questions that the documentation does not answer.
 */
import type { ReadPassage } from "../passage.ts";
import type { Asked } from "./asked.ts";
import { type Match, matchOf, presentIn, wholeOf, windowCoverage } from "./matching.ts";
import { nearTo } from "./similar.ts";

/** Passages that an answer may quote: the estimate looks at these. */
export const MAX_QUOTED_PASSAGES = 3;

/** How much each figure of a passage counts for its rank. */
const RANK_WEIGHTS: Partial<Record<keyof Match, number>> = {
  score: 3.22,
  own: 1.44,
  meaning: 2.05,
  heading: 1.48,
  cosine: 1.71,
};

export interface Ranked {
  passage: ReadPassage;
  match: Match;
  worth: number;
}

/** Best first; ties keep the order of the search. */
export function rankPassages(asked: Asked, passages: readonly ReadPassage[]): Ranked[] {
  const best = Math.max(0, ...passages.map(({ score = 0 }) => score));
  return passages
    .map((passage) => {
      const match = matchOf(asked, passage, best);
      return { passage, match, worth: worthOf(match) };
    })
    .sort((a, b) => b.worth - a.worth);
}

function worthOf(match: Match): number {
  return Object.entries(RANK_WEIGHTS).reduce((sum, [name, weight]) => sum + weight * match[name as keyof Match], 0);
}

/** The evidence that the best passages answer a question; each figure between 0 and 1. */
export interface Evidence {
  /** Share of the question's words that occur nowhere in the texts, as far as the passages have no similar word, either. */
  unknown: number;
  /** Share of words with a narrow meaning, mostly names, that occur nowhere in the texts. */
  names: number;
  /** The largest share of the question that a few neighbouring units cover with the headings above them. */
  window: number;
  /** Cosine of the question and the best passage. */
  topic: number;
  /** 1 for a question that asks for a number, a limit or a default: texts have all of its words more often by chance. */
  quantity: number;
}

const EVIDENCE_WEIGHTS: Readonly<Record<keyof Evidence, number>> = {
  unknown: -1.65,
  names: -5.27,
  window: 5.5,
  topic: 5.49,
  quantity: -2.3,
};
const BIAS = -5.18;

/** Words with a narrower meaning are mostly names; so are words that the model does not know. */
export const NAME_STRENGTH = 2.5;
/** The usual topic of a passage that covers a question, for lack of a model. */
const USUAL_TOPIC = 0.6;
/** Characters of a passage that its topic is taken from. */
const MAX_TOPIC_CHARS = 4000;

export function evidenceOf(asked: Asked, ranked: readonly Ranked[]): Evidence {
  const passages = ranked.slice(0, MAX_QUOTED_PASSAGES).map(({ passage }) => passage);
  const present = presentIn(asked, passages);
  const unknown = asked.terms.filter(({ known }) => !known);
  const share = (sum: number): number => (asked.total === 0 ? 1 : sum / asked.total);
  const window = passages.reduce((most, passage) => Math.max(most, windowCoverage(asked, passage)), 0);
  return {
    unknown: share(unknown.reduce((sum, term) => sum + term.weight * (1 - present(term)), 0)),
    names: share(unknown.reduce((sum, { word, weight }) => sum + (isName(asked, word) ? weight : 0), 0)),
    window,
    topic: asked.model ? topicOf(asked, passages[0]) : window * USUAL_TOPIC,
    quantity: asked.quantity ? 1 : 0,
  };
}

function topicOf(asked: Asked, best: ReadPassage | undefined): number {
  return best ? nearTo(asked)(wholeOf(best).slice(0, MAX_TOPIC_CHARS)) : 0;
}

function isName({ model }: Asked, word: string): boolean {
  const strength = model?.strength(word) ?? 0;
  return strength === 0 || strength >= NAME_STRENGTH;
}

/** The probability that the passages answer the question. */
export function probabilityOf(evidence: Evidence): number {
  const sum = Object.entries(EVIDENCE_WEIGHTS).reduce(
    (all, [name, weight]) => all + weight * evidence[name as keyof Evidence],
    BIAS,
  );
  return 1 / (1 + Math.exp(-sum));
}
