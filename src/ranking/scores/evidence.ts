/**
 * Evidence for a conversation besides the scores of its best messages. Each kind adds a share of the best score, which
 * is that of messages alone. So a weight means the same in small and large histories, and with or without vectors.
 */
import { sep } from "node:path";
import type { Caller } from "../query.ts";
import { WEIGHTS } from "./weights.ts";
import type { Standing, WordComparison } from "./words_together.ts";

export interface WeightedEvidence {
  /**
   * In its best messages: `together`, the query's words are side by side; `near`, one place has many of them; both
   * relative to the conversation with the most. `written`: the words have the form that was typed. `meaning`: a message
   * is near the query by the second model. `here`: the conversation belongs to the caller's project. `own`: it is the
   * caller's own conversation, which lowers its score.
   */
  name: "together" | "near" | "written" | "meaning" | "here" | "own";
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
  /** Undefined if the words of the query do not count. */
  words: WordComparison | undefined;
  /** The order of a text's words, if it is known. */
  order(no: number, slot: number): Uint16Array | undefined;
  project(no: number): string | undefined;
  caller: Caller | undefined;
}

/** Conversations for which evidence is gathered: those that rank first by their messages. */
export const MAX_WEIGHED = 40;
/** How many of them have the order of their words compared: that reads three texts of each from the store. */
export const MAX_COMPARED = 12;
/** A conversation with a smaller share of the best score cannot become the best, so it is not compared. */
const MIN_SHARE = 0.75;
/** The caller's own conversation gets at most this share of the best other score. */
const MAX_OWN_SHARE = 0.5;

const NOWHERE: Standing = { together: 0, near: 0, written: 0 };
const STANDINGS = ["together", "near", "written"] as const;

/** Adds evidence to these conversations, best first. `slotsOf`: the best texts of a conversation. */
export function weigh(
  ranked: readonly Weighed[],
  slotsOf: (no: number) => readonly number[],
  source: EvidenceSource,
  weights: Readonly<Record<keyof Standing, number>> = WEIGHTS,
): Weighed[] {
  const best = ranked[0]?.score ?? 0;
  const standings = ranked.map(({ no, score }, i) =>
    i >= MAX_COMPARED || score < best * MIN_SHARE ? NOWHERE : standingIn(no, slotsOf(no), source),
  );
  const found = largest(standings);
  // `written` is not relative: if no text has the typed form, no other form is as good.
  const most = { together: found.together || 1, near: found.near || 1, written: 1 };
  const { caller } = source;
  return ranked.map(({ no, score, evidence: before }, i) => {
    const evidence: WeightedEvidence[] = [];
    for (const name of STANDINGS) {
      const value = (standings[i] as Standing)[name] / most[name];
      if (value > 0) evidence.push({ name, value, weighted: best * weights[name] * value });
    }
    if (caller && caller.projectBoost > 0 && isIn(caller.roots, source.project(no))) {
      evidence.push({ name: "here", value: 1, weighted: best * caller.projectBoost });
    }
    const sum = evidence.reduce((total, { weighted }) => total + weighted, score);
    return { no, score: sum, evidence: [...before, ...evidence] };
  });
}

/** The best values in these texts. */
function standingIn(no: number, slots: readonly number[], { words, order }: EvidenceSource): Standing {
  if (!words) return NOWHERE;
  return largest(
    slots.flatMap((slot) => {
      const found = order(no, slot);
      return found ? [words.standingIn(found)] : [];
    }),
  );
}

function largest(standings: readonly Standing[]): Standing {
  const most = { ...NOWHERE };
  for (const each of standings) for (const name of STANDINGS) most[name] = Math.max(most[name], each[name]);
  return most;
}

function isIn(roots: readonly string[], project: string | undefined): boolean {
  return project !== undefined && roots.some((root) => project === root || project.startsWith(root + sep));
}

/**
 * Lowers the score of the caller's own conversation. `ranked`: best first. Returns false if it was already low enough.
 */
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
