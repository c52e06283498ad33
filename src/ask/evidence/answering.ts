/**
 * Ranks passages for a question, and estimates the probability that they answer it. Both are small models over the
 * figures of `matching.ts`; `npm run bench:answers -- --fit` computes their weights from questions about documentation
 * whose answers are known, including questions that the documentation does not answer.
 */
import type { ReadPassage } from "../passage.ts";
import type { Asked } from "./asked.ts";
import { type Match, matchOf } from "./matching.ts";

/** Passages that an answer may quote: the estimate looks at these. */
export const MAX_QUOTED_PASSAGES = 3;

/** How much each figure of a passage counts for its rank. */
const RANK_WEIGHTS: Partial<Record<keyof Match, number>> = {
  score: 3.38,
  own: 1.46,
  meaning: 2.1,
  heading: 1.66,
  cosine: 1.55,
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

/** The evidence that the best passages answer a question. */
export interface Evidence {
  /** Share of the question's words that occur nowhere in the texts that are searched. */
  unknown: number;
  /** The largest share of the question that one unit covers with its headings. */
  unit: number;
  /** The share that the best passage covers, where similar words count in part; and the largest of the passages. */
  first: number;
  meaning: number;
  /** For a question that asks for a number, a limit or a default: 1 minus the closeness of its words in one unit. */
  quantity: number;
}

const EVIDENCE_WEIGHTS: Readonly<Record<keyof Evidence, number>> = {
  unknown: -2.93,
  unit: 1.95,
  first: 2.85,
  meaning: 1.58,
  quantity: -2.51,
};
const BIAS = -3.48;

export function evidenceOf(asked: Asked, ranked: readonly Ranked[]): Evidence {
  const matches = ranked.slice(0, MAX_QUOTED_PASSAGES).map(({ match }) => match);
  const most = (name: keyof Match): number => Math.max(0, ...matches.map((match) => match[name]));
  const unknown = asked.terms.reduce((sum, { known, weight }) => sum + (known ? 0 : weight), 0);
  return {
    unknown: asked.total === 0 ? 1 : unknown / asked.total,
    unit: most("unit"),
    first: matches[0]?.meaning ?? 0,
    meaning: most("meaning"),
    quantity: asked.quantity ? 1 - most("closeness") : 0,
  };
}

/** The probability that the passages answer the question. */
export function probabilityOf(evidence: Evidence): number {
  const sum = Object.entries(EVIDENCE_WEIGHTS).reduce(
    (all, [name, weight]) => all + weight * evidence[name as keyof Evidence],
    BIAS,
  );
  return 1 / (1 + Math.exp(-sum));
}
