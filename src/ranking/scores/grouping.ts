/**
 * From scored messages to ranked conversations. A conversation is ranked by its three best messages: one lucky message
 * says less than three good ones. Further evidence then orders the first of them.
 */

import { type Segment, TITLE_SLOT } from "../segment.ts";
import { type EvidenceSource, lowerOwn, MAX_WEIGHED, type Weighed, type WeightedEvidence, weigh } from "./evidence.ts";
import type { ScoreKeeper } from "./score_keeper.ts";

/** The weights of the best message, the second and the third. */
const BEST_MESSAGES = [1, 0.5, 0.3] as const;

/** Checks a matching message itself, when its terms are not enough to decide. */
export type Accept = (no: number, index: number) => boolean;

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
  /** Their weighted scores, times the boost, and the evidence add up to the score. */
  parts: (TextPosition & { weighted: number })[];
  evidence: WeightedEvidence[];
}

interface Found {
  /** Conversations with a match. */
  numbers: number[];
  /** By conversation, its three best scores and their documents, numbered through all segments. */
  best: readonly [Float64Array, Float64Array, Float64Array];
  whose: readonly [Int32Array, Int32Array, Int32Array];
  /** By conversation, its best message and the score of that. */
  slots: Int32Array;
  slotScores: Float64Array;
}

export function rankConversations(
  segments: readonly Segment[],
  scores: readonly ScoreKeeper[],
  accept: Accept | undefined,
  largestNo: number,
  boosts: ReadonlyMap<number, number>,
  source: EvidenceSource,
  tie: (a: number, b: number) => number,
  page: { limit: number; offset: number },
): { ranked: Ranked[]; total: number } {
  const found = group(segments, scores, accept, largestNo + 1);
  const scoreOf = (no: number): number =>
    BEST_MESSAGES.reduce((sum, weight, i) => sum + weight * ((found.best[i] as Float64Array)[no] as number), 0) *
    (boosts.get(no) ?? 1);
  const order = (a: Weighed, b: Weighed): number => b.score - a.score || tie(a.no, b.no);
  const ranked = found.numbers.map((no): Weighed => ({ no, score: scoreOf(no), evidence: [] })).sort(order);
  const slotsOf = (no: number): number[] =>
    partsOf(found, no, segments).map(({ segment, document }) => segments[segment]?.places[document * 2 + 1] as number);
  // Evidence only adds, so the conversations without it stay behind.
  const first = weigh(ranked.slice(0, MAX_WEIGHED), slotsOf, source);
  ranked.splice(0, first.length, ...first.sort(order));
  const own = source.caller?.own;
  if (own !== undefined && lowerOwn(ranked, own)) ranked.sort(order);
  const shown = ranked.slice(page.offset, page.offset + page.limit).map(({ no, score, evidence }) => {
    const slot = found.slots[no] as number;
    const boost = boosts.get(no) ?? 1;
    return { no, score, index: slot < 0 ? null : slot, boost, parts: partsOf(found, no, segments), evidence };
  });
  return { ranked: shown, total: ranked.length };
}

function partsOf(found: Found, no: number, segments: readonly Segment[]): Ranked["parts"] {
  return BEST_MESSAGES.flatMap((weight, i) => {
    const score = (found.best[i] as Float64Array)[no] as number;
    if (score === 0) return [];
    let document = (found.whose[i] as Int32Array)[no] as number;
    let segment = 0;
    for (; document >= (segments[segment]?.documents ?? 0); segment += 1) document -= segments[segment]?.documents ?? 0;
    return [{ segment, document, weighted: weight * score }];
  });
}

function group(
  segments: readonly Segment[],
  scores: readonly ScoreKeeper[],
  accept: Accept | undefined,
  size: number,
): Found {
  const found: Found = {
    numbers: [],
    best: [new Float64Array(size), new Float64Array(size), new Float64Array(size)],
    whose: [new Int32Array(size), new Int32Array(size), new Int32Array(size)],
    slots: new Int32Array(size).fill(-1),
    slotScores: new Float64Array(size),
  };
  let before = 0;
  for (const [i, segment] of segments.entries()) {
    const { values, documents } = scores[i] as ScoreKeeper;
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] as number;
      const score = values[document] as number;
      const no = segment.places[document * 2] as number;
      const slot = segment.places[document * 2 + 1] as number;
      if (accept && (slot === TITLE_SLOT || !accept(no, slot))) continue;
      if (found.best[0][no] === 0) found.numbers.push(no);
      if (slot !== TITLE_SLOT) keepSlot(found, no, slot, score);
      keepScore(found, no, score, before + document);
    }
    before += segment.documents;
  }
  return found;
}

function keepScore(found: Found, no: number, score: number, document: number): void {
  const [first, second, third] = found.best;
  const [a, b, c] = found.whose;
  if (score > (first[no] as number)) {
    third[no] = second[no] as number;
    c[no] = b[no] as number;
    second[no] = first[no] as number;
    b[no] = a[no] as number;
    first[no] = score;
    a[no] = document;
  } else if (score > (second[no] as number)) {
    third[no] = second[no] as number;
    c[no] = b[no] as number;
    second[no] = score;
    b[no] = document;
  } else if (score > (third[no] as number)) {
    third[no] = score;
    c[no] = document;
  }
}

/** Of messages with the same score the first is kept, whatever the order of segments. */
function keepSlot(found: Found, no: number, slot: number, score: number): void {
  const before = found.slotScores[no] as number;
  if (score < before || (score === before && (found.slots[no] as number) <= slot && found.slots[no] !== -1)) return;
  found.slots[no] = slot;
  found.slotScores[no] = score;
}
