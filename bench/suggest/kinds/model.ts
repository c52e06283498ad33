/** Fits the scale on cases, and scores the cases of one project with the fit on the others. */

import type { FeedbackCount } from "../../../src/store/suggestions.ts";
import { combinedChance } from "../../../src/suggest/combine.ts";
import { shiftsFrom } from "../../../src/suggest/feedback/score_shift.ts";
import { ITEM_TYPES, type ItemType } from "../../../src/suggest/model.ts";
import { chanceAt, chanceOf, type EvidenceKind, logit, SCALE } from "../../../src/suggest/scale.ts";
import { type Example, fitLogistic } from "../logistic.ts";
import type { Case } from "./cases.ts";

export interface Scored extends Case {
  probability: number;
  weight: number;
}

interface Fit {
  bias: number;
  weights: Record<string, number>;
}

export type Fits = ReadonlyMap<EvidenceKind, Fit>;

const RIDGE = 5;
const OWN_PROJECT = "this";
/** With fewer cases a kind keeps the line of the scale. */
const MIN_CASES = 60;

/** Kinds of evidence with fitted weights, and the features that have one. */
function fittedKinds(): [EvidenceKind, string[]][] {
  return (Object.keys(SCALE) as EvidenceKind[]).flatMap((kind): [EvidenceKind, string[]][] => {
    const scale = SCALE[kind];
    return typeof scale === "object" && "weights" in scale ? [[kind, Object.keys(scale.weights)]] : [];
  });
}

/** Cases of one question share one weight: a question with many candidates counts as one. */
export function weighted(cases: readonly Case[]): (Case & { weight: number })[] {
  const key = ({ set, unit, asked, type }: Case): string => `${set} ${unit} ${asked} ${type}`;
  const counts = new Map<string, number>();
  for (const each of cases) counts.set(key(each), (counts.get(key(each)) ?? 0) + 1);
  return cases.map((each) => ({ ...each, weight: 1 / (counts.get(key(each)) ?? 1) }));
}

/** Fits each kind on the cases in which it is the only evidence, or the only kind with weights. */
export function fitKinds(cases: readonly (Case & { weight: number })[]): Fits {
  const fits = new Map<EvidenceKind, Fit>();
  for (const [kind, names] of fittedKinds()) {
    const own = cases.flatMap(({ evidence, useful, weight }) => {
      const best = evidence.find((each) => each.kind === kind);
      const features = best && featuresOf(best);
      return features ? [{ features, useful, weight: weight * best.share }] : [];
    });
    if (own.length < MIN_CASES) continue;
    const examples: Example[] = own.map(({ features, useful, weight }) => ({
      features: names.map((name) => features[name] ?? 0),
      right: useful,
      weight,
    }));
    const signs = Object.fromEntries(names.map((name) => [name, false]));
    fits.set(kind, fitLogistic(examples, signs, RIDGE));
  }
  return fits;
}

/** The chance of a case: by the fits, and by the scale for kinds without one. */
export function scoreWith(fits: Fits, { evidence }: Case): number {
  return combinedChance(
    evidence.map((each) => ({ ...each, reason: "" })),
    (each) => {
      const { kind, strength, share } = each;
      const fit = fits.get(kind);
      if (!fit) return chanceOf(kind, strength, each.features) * share;
      const features = featuresOf(each);
      const logits = Object.entries(fit.weights).reduce((sum, [name, w]) => sum + w * (features[name] ?? 0), fit.bias);
      return chanceAt(logits) * share;
    },
  );
}

function featuresOf({ features, strength }: Case["evidence"][number]): Readonly<Record<string, number>> {
  return features ?? { strength };
}

/** Every case scored by weights that were fitted on all other projects. */
export function heldOutScores(cases: readonly Case[]): Scored[] {
  const all = weighted(cases);
  return [...new Set(all.map(({ set }) => set))].flatMap((project) => {
    const fits = fitKinds(all.filter(({ set }) => set !== project));
    return all.filter(({ set }) => set === project).map((each) => ({ ...each, probability: scoreWith(fits, each) }));
  });
}

/**
 * The same scores as a project gets them whose earlier outcomes are known, in the order of time: its own feedback moves
 * the scores of a type. Only items that were pushed have an outcome that dex sees.
 */
export function withFeedback(scored: readonly Scored[], gate: number): Scored[] {
  return [...Map.groupBy(scored, ({ set }) => set).values()].flatMap((project) => {
    const counts: FeedbackCount[] = [];
    return [...Map.groupBy(project, ({ unit }) => unit).values()].flatMap((items) => {
      const shift = shiftsFrom(counts, OWN_PROJECT);
      const moved = items.map((each) => ({ ...each, probability: shifted(each, shift) }));
      for (const [at, { type, probability, useful }] of moved.entries()) {
        const expected = items[at]?.probability ?? 0;
        const action = useful ? "used" : "ignored";
        if (probability >= gate) counts.push({ project_id: OWN_PROJECT, type, action, count: 1, expected });
      }
      return moved;
    });
  });
}

function shifted({ type, probability }: Scored, shift: (type: ItemType) => number): number {
  const known = ITEM_TYPES.find((each) => each === type);
  return known === undefined ? probability : chanceAt(logit(probability) + shift(known));
}
