/**
 * Scores how well each unit of the quoted sections seems to answer the question: by its words, its meaning and its
 * section.
 */
import { coverage, type QuestionTerms } from "../question/terms.ts";
import { type Candidate, isQuestion, ownTerms, type Wants } from "./candidates.ts";

/** Weight of a unit's similarity by the word model, relative to the words that it shares with the question. */
const NEAR_WEIGHT = 0.15;
/**
 * Units of each section that the sentence encoder reads: the most similar ones, and as many with the most shared words.
 */
const MAX_READ = 5;
/** A question in the text repeats the words of the user's question but does not answer it. */
export const QUESTION_DISCOUNT = 0.4;

export type Scores = ReadonlyMap<Candidate, number>;

export function scoresOf(candidates: readonly Candidate[], terms: QuestionTerms, { sentence }: Wants): Scores {
  const scores = new Map(
    candidates.map((each) => [each, coverage(terms, ownTerms(each, candidates)) + NEAR_WEIGHT * each.near]),
  );
  for (const own of Map.groupBy(candidates, ({ rank }) => rank).values()) {
    const nearest = own.toSorted((a, b) => b.near - a.near).slice(0, MAX_READ);
    const covering = own.toSorted(byScore(scores)).slice(0, MAX_READ);
    for (const each of new Set([...nearest, ...covering]))
      scores.set(each, (scores.get(each) ?? 0) + (sentence?.(each.unit.text) ?? 0));
  }
  for (const [each, score] of scores) scores.set(each, score * each.share * (isQuestion(each) ? QUESTION_DISCOUNT : 1));
  return scores;
}

/** Best first; ties keep their order. */
export function byScore(scores: Scores): (a: Candidate, b: Candidate) => number {
  return (a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || a.rank - b.rank || a.place - b.place;
}
