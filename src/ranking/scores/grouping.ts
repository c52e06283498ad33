/**
 * From scored messages to ranked conversations. A conversation is ranked by its three best messages: one lucky message
 * says less than three good ones. Further evidence then orders the first of them.
 */

import { isBelow } from "../../kernel/files/paths.ts";
import type { Caller } from "../query.ts";
import { type Segment, TITLE_SLOT } from "../segment.ts";
import {
  type Evidence,
  type EvidenceSource,
  gatherEvidence,
  MAX_WEIGHED,
  type WeightedEvidence,
} from "./evidence.ts";
import type { ScoreKeeper } from "./score_keeper.ts";
import { WEIGHTS } from "./weights.ts";

/** The weights of the best message, the second and the third. */
const BEST_MESSAGES = [1, 0.5, 0.3] as const;

/** The caller's own conversation gets at most this share of the best other score. */
const MAX_OWN_SHARE = 0.5;

const EVIDENCE_NAMES: readonly (keyof Evidence)[] = ["together", "project"];

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

interface Scored {
  no: number;
  score: number;
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
  caller: Caller | undefined,
  tie: (a: number, b: number) => number,
  page: { limit: number; offset: number },
): { ranked: Ranked[]; total: number } {
  const found = group(segments, scores, accept, largestNo + 1);
  const scoreOf = (no: number): number =>
    BEST_MESSAGES.reduce((sum, weight, i) => sum + weight * ((found.best[i] as Float64Array)[no] as number), 0) *
    (boosts.get(no) ?? 1);
  const order = (a: Scored, b: Scored): number => b.score - a.score || tie(a.no, b.no);
  const ranked = found.numbers.map((no): Scored => ({ no, score: scoreOf(no), evidence: [] })).sort(order);
  // Evidence only adds, so the conversations without it stay behind.
  const first = ranked.slice(0, MAX_WEIGHED);
  for (const [i, evidence] of gatherEvidence(segments, scores, first, source).entries()) {
    const each = first[i] as Scored;
    const here = caller !== undefined && isIn(caller.roots, source.project(each.no));
    ranked[i] = weighed(each, evidence, here ? caller.projectBoost : 0, first[0]?.score ?? 0);
  }
  ranked.splice(0, first.length, ...ranked.slice(0, first.length).sort(order));
  if (caller?.own !== undefined && lowerOwn(ranked, caller.own)) ranked.sort(order);
  const shown = ranked.slice(page.offset, page.offset + page.limit).map(({ no, score, evidence }) => {
    const slot = found.slots[no] as number;
    const boost = boosts.get(no) ?? 1;
    return { no, score, index: slot < 0 ? null : slot, boost, parts: partsOf(found, no, segments), evidence };
  });
  return { ranked: shown, total: ranked.length };
}

function isIn(roots: readonly string[], project: string | undefined): boolean {
  return project !== undefined && roots.some((root) => isBelow(root, project));
}

/** Whether the score of the caller's own conversation, in `ranked` best first, had to be lowered. */
function lowerOwn(ranked: Scored[], own: number): boolean {
  const at = ranked.findIndex(({ no }) => no === own);
  const other = ranked[at === 0 ? 1 : 0];
  const each = ranked[at];
  if (!each || !other) return false;
  const weighted = MAX_OWN_SHARE * other.score - each.score;
  if (weighted >= 0) return false;
  const evidence: WeightedEvidence[] = [...each.evidence, { name: "own", value: 1, weighted }];
  ranked[at] = { no: own, score: each.score + weighted, evidence };
  return true;
}

function weighed({ no, score }: Scored, evidence: Evidence, projectBoost: number, best: number): Scored {
  const parts: WeightedEvidence[] = EVIDENCE_NAMES.map((name) => {
    const value = evidence[name];
    return { name, value, weighted: best * WEIGHTS[name] * value };
  }).filter(({ value }) => value > 0);
  if (projectBoost > 0) parts.push({ name: "here", value: 1, weighted: best * projectBoost });
  return { no, score: parts.reduce((sum, { weighted }) => sum + weighted, score), evidence: parts };
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
