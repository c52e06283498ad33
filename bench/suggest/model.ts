/** Fits the weights over some histories, and the combination of several files. */
import { FEATURE_NAMES, FEATURES, type Feature } from "../../src/suggest/files/features.ts";
import { PROMPT_FEATURE_NAMES, PROMPT_FEATURES, type PromptFeature } from "../../src/suggest/files/prompt.ts";
import { type Example, type Fitted, fitLogistic } from "./logistic.ts";
import type { Asked, Candidate } from "./rows.ts";

/** Of wrong candidates without any co-change, one of this many is used, with this weight. */
const SAMPLED = 8;
const SUPPORT = FEATURE_NAMES.indexOf("support");

/** Of a commit or session of many files, this many are enough to learn from. */
const QUESTIONS = 3;

/** Each history counts the same, and in it each commit or session. */
export function fitFiles(sets: readonly (readonly Asked[])[]): Fitted<Feature> {
  const examples: Example[] = [];
  for (const set of sets) {
    const units = new Map<number, Asked[]>();
    for (const asked of set) units.set(asked.unit, [...(units.get(asked.unit) ?? []), asked]);
    let passed = 0;
    for (const questions of units.values()) {
      const every = Math.ceil(questions.length / QUESTIONS);
      const taken = questions.filter((_, at) => at % every === 0);
      const weight = 200 / units.size / taken.length;
      for (const { right, features } of taken.flatMap(({ candidates }) => candidates)) {
        const plain = !right && features[SUPPORT] === 0;
        if (plain && ++passed % SAMPLED !== 0) continue;
        examples.push({ features, right, weight: plain ? weight * SAMPLED : weight });
      }
    }
  }
  return fitLogistic(examples, FEATURES);
}

/** Each session counts the same. */
export function fitPrompts(sets: readonly (readonly Asked[])[]): Fitted<PromptFeature> {
  const examples = sets.flatMap((set) =>
    set.flatMap(({ candidates }) => candidates.map(({ right, features }) => ({ right, features, weight: 1 }))),
  );
  return fitLogistic(examples, PROMPT_FEATURES);
}

export function scoreOf<F extends string>(
  { bias, weights }: Fitted<F>,
  names: readonly F[],
): (candidate: Candidate) => number {
  const list = Float64Array.from(names, (name) => weights[name]);
  return ({ features }) => {
    let score = bias;
    for (let k = 0; k < list.length; k += 1) score += (list[k] as number) * (features[k] as number);
    return score;
  };
}

export const fileScore = (fitted: Fitted<Feature>): ((candidate: Candidate) => number) =>
  scoreOf(fitted, FEATURE_NAMES);
export const promptScore = (fitted: Fitted<PromptFeature>): ((candidate: Candidate) => number) =>
  scoreOf(fitted, PROMPT_FEATURE_NAMES);

export const SEVERAL_SIGNS = { best: true, second: true } as const;

/** Two files of a commit are queried for a third. */
export function fitSeveral(
  sets: readonly (readonly Asked[])[],
  score: (candidate: Candidate) => number,
): Fitted<keyof typeof SEVERAL_SIGNS> {
  const examples: Example[] = [];
  for (const set of sets) for (const pair of pairsOf(set)) examples.push(...severalOf(pair, score));
  return fitLogistic(examples, SEVERAL_SIGNS, 0.01);
}

function pairsOf(set: readonly Asked[]): [Asked, Asked][] {
  const found: [Asked, Asked][] = [];
  for (const [at, asked] of set.entries()) {
    const next = set[at + 1];
    if (asked.first && next && next.unit === asked.unit && asked.siblings > 2) found.push([asked, next]);
  }
  return found;
}

function severalOf([a, b]: [Asked, Asked], score: (candidate: Candidate) => number): Example[] {
  const other = new Map(b.candidates.map((candidate) => [candidate.path, candidate]));
  return a.candidates.flatMap((candidate) => {
    const second = other.get(candidate.path);
    if (!second) return [];
    const [high, low] = [score(candidate), score(second)].sort((x, y) => y - x);
    return [{ features: [high ?? 0, low ?? 0], right: candidate.right && second.right, weight: 1 }];
  });
}

export const BEND_SIGNS = { slope: true, bend: false } as const;
const BEND_AT = -1;

/** High scores are overconfident: the calibration is fitted on scores of histories outside the fit. */
export function fitBend(
  sets: readonly { asked: readonly Asked[]; score: (candidate: Candidate) => number }[],
): Fitted<keyof typeof BEND_SIGNS> {
  const examples: Example[] = [];
  for (const { asked, score } of sets) {
    const units = new Set(asked.map(({ unit }) => unit)).size;
    for (const { siblings, candidates } of asked) {
      for (const candidate of candidates) {
        const value = score(candidate);
        const weight = 200 / units / siblings;
        examples.push({ features: [value, Math.max(0, value - BEND_AT)], right: candidate.right, weight });
      }
    }
  }
  return fitLogistic(examples, BEND_SIGNS, 0.01);
}

export function bent({ bias, weights }: Fitted<keyof typeof BEND_SIGNS>, score: number): number {
  return bias + weights.slope * score + weights.bend * Math.max(0, score - BEND_AT);
}

/** Sets dealt into folds; each gets the score that was fitted on the other folds. */
export function foldedScores(
  sets: ReadonlyMap<string, readonly Asked[]>,
  folds: number,
): Map<string, { asked: readonly Asked[]; fold: number; score: (candidate: Candidate) => number }> {
  const names = [...sets.keys()];
  const found = new Map<string, { asked: readonly Asked[]; fold: number; score: (candidate: Candidate) => number }>();
  for (let fold = 0; fold < folds; fold += 1) {
    const rest = names.flatMap((name, at) => (at % folds === fold ? [] : [sets.get(name) ?? []]));
    if (rest.length === 0) continue;
    const score = fileScore(fitFiles(rest));
    for (const [at, name] of names.entries()) {
      if (at % folds === fold) found.set(name, { asked: sets.get(name) ?? [], fold, score });
    }
  }
  return found;
}
