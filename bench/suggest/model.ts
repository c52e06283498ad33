/** Fits the weights over some histories, and the combination of several files. */
import { FEATURE_NAMES, FEATURES, type Feature } from "../../src/suggest/files/features.ts";
import { shrunk } from "../../src/suggest/files/likely.ts";
import { PROMPT_FEATURE_NAMES, PROMPT_FEATURES, type PromptFeature } from "../../src/suggest/files/prompt/features.ts";
import { shrunkScore } from "../../src/suggest/files/prompt/prompt_files.ts";
import { type Example, type Fitted, fitLogistic } from "../lib/logistic.ts";
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

/** Of wrong candidates for a prompt, one of this many is used, with this weight. */
const SAMPLED_PROMPTS = 4;

/** Each session or commit counts the same. */
export function fitPrompts(sets: readonly (readonly Asked[])[]): Fitted<PromptFeature> {
  const examples: Example[] = [];
  let passed = 0;
  for (const { right, features } of sets.flat().flatMap(({ candidates }) => candidates)) {
    if (!right && ++passed % SAMPLED_PROMPTS !== 0) continue;
    examples.push({ features, right, weight: right ? 1 : SAMPLED_PROMPTS });
  }
  return fitLogistic(examples, PROMPT_FEATURES);
}

function scoreOf<F extends string>(
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

export const fileScore = (fitted: Fitted<Feature>): ((candidate: Candidate) => number) => {
  const plain = scoreOf(fitted, FEATURE_NAMES);
  return (candidate) => shrunk(plain(candidate));
};
export const promptScore = (fitted: Fitted<PromptFeature>): ((candidate: Candidate) => number) => {
  const plain = scoreOf(fitted, PROMPT_FEATURE_NAMES);
  return (candidate) => shrunkScore(plain(candidate), candidate.isDoubtful === true);
};

const SEVERAL_SIGNS = { best: true, second: true } as const;

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

export const FOLDS = 3;

/**
 * Projects are dealt into folds in the order of their names; the repository of a project and its sessions are in one
 * fold.
 */
export function foldsOf(names: readonly string[]): (name: string) => number {
  const projects = [...new Set(names.map(projectOf))];
  return (name) => projects.indexOf(projectOf(name)) % FOLDS;
}

export function projectOf(name: string): string {
  return name.toLowerCase().replaceAll("-", "");
}

/** By set: the score that was fitted on the sets of the other folds. */
export function foldedScores(
  sets: readonly (readonly [name: string, asked: readonly Asked[]])[],
  foldOf: (name: string) => number,
  fit: (sets: readonly (readonly Asked[])[]) => (candidate: Candidate) => number,
): Map<string, (candidate: Candidate) => number> {
  const found = new Map<string, (candidate: Candidate) => number>();
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const rest = sets.flatMap(([name, asked]) => (foldOf(name) === fold ? [] : [asked]));
    if (rest.length === 0) continue;
    const score = fit(rest);
    for (const [name] of sets) if (foldOf(name) === fold) found.set(name, score);
  }
  return found;
}
