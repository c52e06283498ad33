/** Fits the scale on cases, and scores the cases of one project with the fit on the others. */
import { combinedChance } from "../../../src/suggest/combine.ts";
import type { Evidence } from "../../../src/suggest/evidence.ts";
import { fitShifts } from "../../../src/suggest/replay/fit_shifts.ts";
import { MAX_COMMITS, MAX_SESSIONS } from "../../../src/suggest/replay/moments.ts";
import { outcomesOf } from "../../../src/suggest/replay/outcomes_at.ts";
import {
  chanceOf,
  type EvidenceKind,
  fittedChance,
  type KindShifts,
  SCALE,
  shifted,
} from "../../../src/suggest/scale.ts";
import { type Example, fitLogistic } from "../../lib/logistic.ts";
import type { Case } from "./cases.ts";
import type { OwnMoment } from "./own_past.ts";

export interface Scored extends Case {
  probability: number;
  weight: number;
  /** Of the newer half of its project's commits and sessions. */
  isNewer: boolean;
}

interface Fit {
  bias: number;
  weights: Record<string, number>;
}

export type Fits = ReadonlyMap<EvidenceKind, Fit>;

const RIDGE = 5;
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

/** The chance of a piece of evidence: by the fits, and by the scale for kinds without one. */
function chanceWith(fits: Fits): (evidence: Evidence) => number {
  return (each) => {
    const fit = fits.get(each.kind);
    if (!fit) return chanceOf(each.kind, each.strength, each.features) * each.share;
    const scale: object = Object(SCALE[each.kind]);
    return fittedChance({ ...scale, ...fit }, featuresOf(each)) * each.share;
  };
}

function scoreWith(chance: (evidence: Evidence) => number, { evidence }: Case): number {
  return combinedChance(
    evidence.map((each) => ({ ...each, reason: "" })),
    chance,
  );
}

function featuresOf({ features, strength }: Case["evidence"][number]): Readonly<Record<string, number>> {
  return features ?? { strength };
}

/** Commits or sessions between two refreshes of a project. */
const REFRESH_STEP = 5;

/**
 * Every case, scored by weights that were fitted on all other projects: by these alone, as in a project whose past shows
 * nothing yet, and as dex shows it, moved by what a refresh learns from the project's own past up to then.
 */
export function heldOutScores(
  cases: readonly Case[],
  past: readonly OwnMoment[],
): { general: Scored[]; shown: Scored[] } {
  const all = weighted(cases);
  const general: Scored[] = [];
  const shown: Scored[] = [];
  for (const [project, own] of Map.groupBy(all, ({ set }) => set)) {
    const chance = chanceWith(fitKinds(all.filter(({ set }) => set !== project)));
    const units = [...Map.groupBy(own, ({ unit }) => unit).values()].sort((a, b) => timeOf(a) - timeOf(b));
    const moments = past.filter(({ set }) => set === project).sort((a, b) => b.time - a.time);
    let shifts: KindShifts = {};
    for (const [at, items] of units.entries()) {
      if (at % REFRESH_STEP === 0) shifts = learnt(moments, timeOf(items), chance);
      const shiftedChance = (each: Evidence): number =>
        shifted(chance({ ...each, share: 1 }), shifts[each.kind] ?? 0) * each.share;
      const isNewer = at >= Math.floor(units.length / 2);
      general.push(...items.map((each) => ({ ...each, isNewer, probability: scoreWith(chance, each) })));
      shown.push(...items.map((each) => ({ ...each, isNewer, probability: scoreWith(shiftedChance, each) })));
    }
  }
  return { general, shown };
}

function timeOf([first]: readonly Case[]): number {
  return first?.time ?? 0;
}

/** As a refresh at that time: the latest commits and sessions before it, as many as it replays. */
function learnt(moments: readonly OwnMoment[], time: number, chance: (evidence: Evidence) => number): KindShifts {
  const before = moments.filter((moment) => moment.time < time);
  const latest = [
    ...before.filter(({ sort }) => sort === "commit").slice(0, MAX_COMMITS),
    ...before.filter(({ sort }) => sort === "session").slice(0, MAX_SESSIONS),
  ];
  return fitShifts(latest.flatMap(({ questions }) => questions.flatMap((each) => outcomesOf(each, chance))));
}
