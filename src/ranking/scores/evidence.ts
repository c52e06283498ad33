/**
 * Evidence for a conversation besides the scores of its best messages. Each kind adds a share of the best score: that of
 * the messages alone, so a weight means the same in a small history and in a large one, and for words alone and words
 * with vectors.
 */
import { sep } from "node:path";
import type { Caller } from "../query.ts";
import { WEIGHTS } from "./weights.ts";
import type { WordPairs } from "./words_together.ts";

export interface WeightedEvidence {
  /**
   * `together`: the question's words stand together in one of its best messages, relative to the conversation in which
   * most of them do. `meaning`: one of its messages is near the question, as the second model sees it. `here`: it belongs to the caller's project. `own`: the caller is in it, which lowers its score.
   */
  name: "together" | "meaning" | "here" | "own";
  /** 0 to 1. */
  value: number;
  /** The amount that it adds to the score. */
  weighted: number;
}

export interface Weighed {
  no: number;
  score: number;
  evidence: WeightedEvidence[];
}

/** Where the evidence comes from. */
export interface EvidenceSource {
  /** Undefined where the words of the question do not count. */
  pairs: WordPairs | undefined;
  /** The order of a text's words, if it is known. */
  order(no: number, slot: number): Uint16Array | undefined;
  project(no: number): string | undefined;
  caller: Caller | undefined;
}

/** Conversations for which evidence is gathered: those that rank first by their messages. */
export const MAX_WEIGHED = 40;
/** Of these, dex compares the order of words of so few, because it reads three texts of each from the store, */
const MAX_COMPARED = 12;
/** and only from this share of the best score on: the others cannot become the first. */
const MIN_SHARE = 0.75;
/** The caller's own conversation gets at most this share of the best other score. */
const MAX_OWN_SHARE = 0.5;

/** Adds evidence to these conversations, best first. `slotsOf`: the best texts of a conversation. */
export function weigh(
  ranked: readonly Weighed[],
  slotsOf: (no: number) => readonly number[],
  source: EvidenceSource,
): Weighed[] {
  const best = ranked[0]?.score ?? 0;
  const shares = ranked.map(({ no, score }, i) =>
    i >= MAX_COMPARED || score < best * MIN_SHARE ? 0 : togetherIn(no, slotsOf(no), source),
  );
  const most = Math.max(0, ...shares);
  const { caller } = source;
  return ranked.map(({ no, score, evidence: before }, i) => {
    const evidence: WeightedEvidence[] = [];
    const share = shares[i] as number;
    if (share > 0) {
      const value = share / most;
      evidence.push({ name: "together", value, weighted: best * WEIGHTS.together * value });
    }
    if (caller && caller.projectBoost > 0 && isIn(caller.roots, source.project(no))) {
      evidence.push({ name: "here", value: 1, weighted: best * caller.projectBoost });
    }
    const sum = evidence.reduce((total, { weighted }) => total + weighted, score);
    return { no, score: sum, evidence: [...before, ...evidence] };
  });
}

/** The largest share of the question's neighbouring words that stand together in one of the texts. */
function togetherIn(no: number, slots: readonly number[], { pairs, order }: EvidenceSource): number {
  let most = 0;
  if (!pairs) return most;
  for (const slot of slots) {
    const words = order(no, slot);
    if (words) most = Math.max(most, pairs.shareIn(words));
  }
  return most;
}

function isIn(roots: readonly string[], project: string | undefined): boolean {
  return project !== undefined && roots.some((root) => project === root || project.startsWith(root + sep));
}

/** Lowers the score of the caller's own conversation, in `ranked` best first. False: it was low enough. */
export function lowerOwn(ranked: Weighed[], own: number): boolean {
  const at = ranked.findIndex(({ no }) => no === own);
  const each = ranked[at];
  const other = ranked[at === 0 ? 1 : 0];
  if (!each || !other) return false;
  const weighted = MAX_OWN_SHARE * other.score - each.score;
  if (weighted >= 0) return false;
  ranked[at] = {
    no: own,
    score: each.score + weighted,
    evidence: [...each.evidence, { name: "own", value: 1, weighted }],
  };
  return true;
}
