/**
 * Evidence for a conversation besides the scores of its best messages. Each kind is relative to the best conversation of
 * the search, from 0 to 1, and adds its weight times the best score. The best score is that of the messages alone, so the
 * weights mean the same in a small history and in a large one, and for words alone and words with vectors.
 *
 * `npm run bench:quality -- --fit` fits the weights: for each repository on the queries of the others.
 */

import type { Segment } from "../segment.ts";
import type { ScoreKeeper } from "./score_keeper.ts";
import type { WordPairs } from "./words_together.ts";

export interface Evidence {
  /** The question's words stand together in one of its best messages. */
  together: number;
  /** Other conversations of its project match, too. */
  project: number;
}

/** Evidence whose weight is a setting, or a rule. */
export type Circumstance =
  /** It belongs to the project that the caller is in. */
  | "here"
  /** The caller is in it: takes away from its score. */
  | "own";

export interface WeightedEvidence {
  name: keyof Evidence | Circumstance;
  /** Relative to the best conversation of the search: 0 to 1. */
  value: number;
  /** What it adds to the score. */
  weighted: number;
}

/** Conversations for which the evidence is gathered: those that rank first by their messages. */
export const MAX_WEIGHED = 40;
/** Messages of each in which dex looks for words that stand together. */
const MAX_MESSAGES_COMPARED = 8;
/** Conversations of a project whose mean stands for the project. */
const MAX_OF_PROJECT = 3;

/** Where the evidence comes from. */
export interface EvidenceSource {
  /** Undefined where the words of the question do not count. */
  pairs: WordPairs | undefined;
  /** The order of a text's words, if it is known. */
  order(no: number, slot: number): Uint16Array | undefined;
  project(no: number): string | undefined;
}

/** The evidence of each of these conversations, which are ordered by their scores. */
export function gatherEvidence(
  segments: readonly Segment[],
  keepers: readonly ScoreKeeper[],
  ranked: readonly { no: number; score: number }[],
  source: EvidenceSource,
): Evidence[] {
  const together = source.pairs ? togetherEvidence(segments, keepers, ranked, source, source.pairs) : [];
  const project = projectEvidence(
    ranked.map(({ no }) => source.project(no)),
    ranked.map(({ score }) => score),
  );
  return ranked.map((_, i) => ({ together: together[i] ?? 0, project: project[i] as number }));
}

function togetherEvidence(
  segments: readonly Segment[],
  keepers: readonly ScoreKeeper[],
  ranked: readonly { no: number }[],
  source: EvidenceSource,
  pairs: WordPairs,
): number[] {
  const best = bestMessages(segments, keepers, ranked);
  const shares = ranked.map(({ no }, i) => {
    let most = 0;
    for (const slot of best[i] as number[]) {
      const order = source.order(no, slot);
      if (order) most = Math.max(most, pairs.shareIn(order));
      if (most === 1) break;
    }
    return most;
  });
  return relative(shares);
}

/** For each conversation the slots of its best texts, best first. */
function bestMessages(
  segments: readonly Segment[],
  keepers: readonly ScoreKeeper[],
  ranked: readonly { no: number }[],
): number[][] {
  const lists = new Map<number, { score: number; slot: number }[]>(ranked.map(({ no }) => [no, []]));
  for (const [i, { values, documents }] of keepers.entries()) {
    const { places } = segments[i] as Segment;
    for (const document of documents) {
      const list = lists.get(places[document * 2] as number);
      if (!list) continue;
      const score = values[document] as number;
      const last = list.at(-1);
      if (list.length === MAX_MESSAGES_COMPARED && last && score <= last.score) continue;
      let at = list.length;
      while (at > 0 && (list[at - 1]?.score ?? 0) < score) at -= 1;
      list.splice(at, 0, { score, slot: places[document * 2 + 1] as number });
      if (list.length > MAX_MESSAGES_COMPARED) list.pop();
    }
  }
  return ranked.map(({ no }) => (lists.get(no) ?? []).map(({ slot }) => slot));
}

/** The best conversations of each project, relative to the best of all. `projects` and `scores` are in the same order. */
function projectEvidence(projects: readonly (string | undefined)[], scores: readonly number[]): number[] {
  const best = new Map<string, number[]>();
  for (const [i, project] of projects.entries()) {
    if (project === undefined) continue;
    const list = best.get(project) ?? [];
    if (list.length < MAX_OF_PROJECT) list.push(scores[i] as number);
    best.set(project, list);
  }
  const sums = projects.map((project) =>
    project === undefined ? 0 : (best.get(project) ?? []).reduce((sum, score) => sum + score, 0),
  );
  return relative(sums);
}

/** Each number divided by the largest; all 0 if that is 0. */
function relative(values: readonly number[]): number[] {
  const largest = Math.max(0, ...values);
  return values.map((value) => (largest === 0 ? 0 : value / largest));
}
