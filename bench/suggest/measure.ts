/** Metrics of a ranking with probabilities: hits among the first, and items pushed past the gate. */
import { seeded } from "../../test/support/random.ts";
import { quantile } from "../lib/measure.ts";
import type { Asked, Candidate } from "./rows.ts";

export interface Ranked {
  asked: Asked;
  /** The best first. */
  candidates: readonly Candidate[];
  /** Of the first of them; empty if the ranking gives none. */
  probabilities: readonly number[];
}

export interface Figures {
  questions: number;
  /** Queries with an answer. */
  answerable: number;
  hit3: number;
  hit5: number;
  hit10: number;
  /** Mean average precision of the whole list. */
  map: number;
  /** Questions with any answer. */
  coverage: number;
  /** The share of pushed items that was right; NaN: nothing was pushed. */
  precision: number;
  /** Questions with a push. */
  pushing: number;
  pushed: number;
  tokensPerUseful: number;
}

export const GATE = 0.5;
const MAX_PUSHED = 5;
const DRAWS = 1000;

/** `chance`: the probability for a score; rankings without probabilities push nothing. */
export function rank(
  asked: Asked,
  score: (candidate: Candidate) => number | undefined,
  chance?: (score: number) => number,
): Ranked {
  const scored = asked.candidates.flatMap((candidate) => {
    const value = score(candidate);
    return value === undefined ? [] : [{ candidate, value }];
  });
  scored.sort((a, b) => b.value - a.value || (a.candidate.path < b.candidate.path ? -1 : 1));
  return {
    asked,
    candidates: scored.map(({ candidate }) => candidate),
    probabilities: chance && !asked.silent ? scored.slice(0, MAX_PUSHED).map(({ value }) => chance(value)) : [],
  };
}

export function hit({ asked, candidates }: Ranked, cut: number): number {
  return asked.gold > 0 && candidates.slice(0, cut).some(({ right }) => right) ? 1 : 0;
}

function averagePrecision({ asked, candidates }: Ranked): number {
  let hits = 0;
  let sum = 0;
  for (const [at, { right }] of candidates.entries()) {
    if (!right) continue;
    hits += 1;
    sum += hits / (at + 1);
  }
  return sum / asked.gold;
}

export function figuresOf(rankings: readonly Ranked[]): Figures {
  const answerable = rankings.filter(({ asked }) => asked.gold > 0);
  let pushed = 0;
  let useful = 0;
  let pushing = 0;
  let tokens = 0;
  for (const { candidates, probabilities } of rankings) {
    const shown = candidates.filter((_, at) => (probabilities[at] ?? 0) >= GATE);
    pushed += shown.length;
    useful += shown.filter(({ right }) => right).length;
    pushing += shown.length > 0 ? 1 : 0;
    for (const candidate of shown) tokens += candidate.tokens;
  }
  return {
    questions: rankings.length,
    answerable: answerable.length,
    hit3: mean(answerable.map((each) => hit(each, 3))),
    hit5: mean(answerable.map((each) => hit(each, 5))),
    hit10: mean(answerable.map((each) => hit(each, 10))),
    map: mean(answerable.map(averagePrecision)),
    coverage: mean(answerable.map(({ candidates }) => (candidates.length > 0 ? 1 : 0))),
    precision: useful / pushed,
    pushing: pushing / rankings.length,
    pushed,
    tokensPerUseful: tokens / useful,
  };
}

/** The numerator and denominator that one question adds to a share. */
type Part = (ranked: Ranked) => readonly [above: number, below: number];

/** 95%, of a share over rankings; commits and sessions are drawn, not questions. */
export function interval(rankings: readonly Ranked[], part: Part): [number, number] {
  const units = new Map<string, [number, number]>();
  for (const ranked of rankings) {
    const key = `${ranked.asked.set} ${ranked.asked.unit}`;
    const [above, below] = part(ranked);
    const known = units.get(key) ?? [0, 0];
    units.set(key, [known[0] + above, known[1] + below]);
  }
  const list = [...units.values()];
  const random = seeded(7);
  const values: number[] = [];
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let above = 0;
    let below = 0;
    for (let i = 0; i < list.length; i += 1) {
      const drawn = list[Math.floor(random() * list.length)];
      above += drawn?.[0] ?? 0;
      below += drawn?.[1] ?? 0;
    }
    if (below > 0) values.push(above / below);
  }
  return values.length === 0 ? [Number.NaN, Number.NaN] : [quantile(values, 0.025), quantile(values, 0.975)];
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The share of pushed items that is right. */
export function pushedPart({ candidates, probabilities }: Ranked): [number, number] {
  let pushed = 0;
  let useful = 0;
  for (const [at, probability] of probabilities.entries()) {
    if (probability < GATE) continue;
    pushed += 1;
    if (candidates[at]?.right) useful += 1;
  }
  return [useful, pushed];
}

export interface Bin {
  from: number;
  count: number;
  /** The sum of the files' weights. */
  weight: number;
  predicted: number;
  observed: number;
}

/** The expected calibration error: the mean distance between predicted and observed, over the files in all bins. */
export function calibrationError(bins: readonly Bin[]): number {
  const all = bins.reduce((sum, { weight }) => sum + weight, 0);
  return bins.reduce((sum, { weight, predicted, observed }) => sum + weight * Math.abs(predicted - observed), 0) / all;
}

/** Predicted against observed, by tenths; each commit or session counts once. */
export function reliability(scored: Iterable<{ probability: number; right: boolean; weight: number }>): Bin[] {
  const bins = Array.from({ length: 10 }, () => ({ count: 0, weight: 0, predicted: 0, observed: 0 }));
  for (const { probability, right, weight } of scored) {
    const bin = bins[Math.min(9, Math.floor(probability * 10))];
    if (!bin) continue;
    bin.count += 1;
    bin.weight += weight;
    bin.predicted += weight * probability;
    bin.observed += right ? weight : 0;
  }
  return bins.flatMap(({ count, weight, predicted, observed }, at) =>
    count === 0 ? [] : [{ from: at / 10, count, weight, predicted: predicted / weight, observed: observed / weight }],
  );
}
