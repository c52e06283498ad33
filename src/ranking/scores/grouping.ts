/**
 * Groups scored messages into ranked conversations. The three best messages of a conversation make its score, because
 * one lucky message says less than three good ones. Further evidence then reorders the first conversations.
 */
import type { Segment } from "../segment.ts";
import { smallestOfBest } from "./best_scores.ts";
import { type EvidenceSource, lowerOwn, MAX_WEIGHED, type Weighed, type WeightedEvidence, weigh } from "./evidence.ts";

/** The weights of the best message, the second and the third. */
export const BEST_MESSAGES = [1, 0.5, 0.3] as const;

/** Checks a matching message, or the title (null), if its terms alone do not decide. */
export type Accept = (no: number, index: number | null) => boolean;
/** The same for messages alone. */
export type AcceptSlot = (no: number, index: number) => boolean;

/**
 * The similarity of a conversation to the query, 0 to 1, and the share of the best score that the most similar one
 * gets.
 */
export interface OwnerMeaning {
  weight: number;
  values: ReadonlyMap<number, number>;
}

export interface TextPosition {
  segment: number;
  document: number;
}

export interface Ranked {
  no: number;
  score: number;
  /** The best message; null when only the title matched. */
  index: number | null;
  boost: number;
  /** The score is the sum of their weighted scores times the boost, and the evidence. */
  parts: (TextPosition & { weighted: number })[];
  evidence: WeightedEvidence[];
}

export interface Grouped {
  /** Conversations with a match. */
  numbers: readonly number[];
  /** By conversation: its three best scores and their documents, numbered across all segments. */
  best: Float64Array;
  whose: Uint32Array;
  /** By conversation: its best message; -1 if only the title matched. */
  slots: Int32Array;
}

export function rankConversations(
  found: Grouped,
  segments: readonly Segment[],
  boosts: ReadonlyMap<number, number>,
  source: EvidenceSource,
  tie: (a: number, b: number) => number,
  page: { limit: number; offset: number },
  { tiers = new Map(), meaning }: { tiers?: ReadonlyMap<number, number>; meaning?: OwnerMeaning | undefined } = {},
): { ranked: Ranked[]; numbers: readonly number[] } {
  const { numbers } = found;
  const totals = new Float64Array(numbers.length);
  for (let i = 0; i < totals.length; i += 1) totals[i] = scoreOf(found, numbers[i] as number, boosts);
  const meanings = meaning ? addMeaning(numbers, totals, meaning) : undefined;
  const least = smallestOfBest(totals, rankedFirst(page));
  const ranked: Weighed[] = [];
  for (let i = 0; i < totals.length; i += 1) {
    const score = totals[i] as number;
    const no = numbers[i] as number;
    // A conversation in a tier may rank first with a low score.
    if (score >= least || tiers.has(no)) ranked.push({ no, score, evidence: meanings?.get(no) ?? [] });
  }
  const order = (a: Weighed, b: Weighed): number =>
    (tiers.get(b.no) ?? 0) - (tiers.get(a.no) ?? 0) || b.score - a.score || tie(a.no, b.no);
  ranked.sort(order);
  const slotsOf = (no: number): number[] =>
    partsOf(found, no, segments).map(({ segment, document }) => segments[segment]?.places[document * 2 + 1] as number);
  // Evidence only adds to scores, so conversations without it cannot overtake.
  const first = weigh(ranked.slice(0, MAX_WEIGHED), slotsOf, source);
  ranked.splice(0, first.length, ...first.sort(order));
  const own = source.caller?.own;
  if (own !== undefined && lowerOwn(ranked, own)) ranked.sort(order);
  // The first conversation may be the only one of its tier.
  const [top, next] = ranked;
  if (top && next && top.no === own) ranked.splice(0, 2, next, top);
  const shown = ranked.slice(page.offset, page.offset + page.limit).map(({ no, score, evidence }) => {
    const slot = found.slots[no] as number;
    const boost = boosts.get(no) ?? 1;
    return { no, score, index: slot < 0 ? null : slot, boost, parts: partsOf(found, no, segments), evidence };
  });
  return { ranked: shown, numbers };
}

/**
 * How many conversations must be sorted: evidence reorders the first ones, and the caller's own conversation moves
 * down.
 */
export function rankedFirst({ limit, offset }: { limit: number; offset: number }): number {
  return Math.max(MAX_WEIGHED, offset + limit + 1);
}

/** Adds to the scores, and returns the evidence for each conversation. */
function addMeaning(
  numbers: readonly number[],
  totals: Float64Array,
  { weight, values }: OwnerMeaning,
): Map<number, WeightedEvidence[]> {
  const best = totals.reduce((most, total) => Math.max(most, total), 0);
  const added = new Map<number, WeightedEvidence[]>();
  for (const [i, no] of numbers.entries()) {
    const value = values.get(no) ?? 0;
    if (value === 0) continue;
    const weighted = best * weight * value;
    totals[i] = (totals[i] as number) + weighted;
    added.set(no, [{ name: "meaning", value, weighted }]);
  }
  return added;
}

/** The score from its best messages. */
export function scoreOf({ best }: Pick<Grouped, "best">, no: number, boosts: ReadonlyMap<number, number>): number {
  // Uses indices: destructuring the weights would run an iterator for each of thousands of owners.
  const sum =
    BEST_MESSAGES[0] * (best[no * 3] as number) +
    BEST_MESSAGES[1] * (best[no * 3 + 1] as number) +
    BEST_MESSAGES[2] * (best[no * 3 + 2] as number);
  return sum * (boosts.get(no) ?? 1);
}

function partsOf({ best, whose }: Grouped, no: number, segments: readonly Segment[]): Ranked["parts"] {
  return BEST_MESSAGES.flatMap((weight, i) => {
    const score = best[no * 3 + i] as number;
    if (score === 0) return [];
    let document = whose[no * 3 + i] as number;
    let segment = 0;
    for (; document >= (segments[segment]?.documents ?? 0); segment += 1) document -= segments[segment]?.documents ?? 0;
    return [{ segment, document, weighted: weight * score }];
  });
}
