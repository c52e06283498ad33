/**
 * Computes the weights of src/ask/evidence from questions with known answers: of passages (which one has the answer), and
 * of the evidence (whether a quoted answer is right). `npm run bench:answers -- --fit` prints them.
 */
import type { Evidence } from "../../src/ask/evidence/answering.ts";
import type { Match } from "../../src/ask/evidence/matching.ts";

export interface FittedQuestion {
  set: string;
  /** Whether it was asked over all collections. */
  isAll: boolean;
  /** Of each passage: its figures, and whether it has the answer. */
  passages: readonly { match: Match; gold: boolean }[];
  evidence: Evidence;
  right: boolean;
  answerable: boolean;
}

type Weights = Record<string, number>;
const STEPS = 1000;
const RANK_STEPS = 300;
/** Limits of differences between passages are in this scale. */
const SUM_OF_RANK_WEIGHTS = 10;

/**
 * Conditional logit over standardized figures: the passages of one question compete with each other. Only the ratios of
 * the weights matter for the order.
 */
export function fitRank(questions: readonly FittedQuestion[], names: readonly (keyof Match)[]): Weights {
  const asked = questions.filter(({ passages }) => passages.some(({ gold }) => gold));
  const all = asked.flatMap(({ passages }) => passages.map(({ match }) => match));
  const spread = new Map(names.map((name) => [name, deviation(all.map((match) => match[name]))]));
  const scaled = (match: Match, name: keyof Match): number => match[name] / (spread.get(name) ?? 1);
  const weights: Weights = Object.fromEntries(names.map((name) => [name, 0]));
  const penalty = 0.02;
  for (let step = 0; step < RANK_STEPS; step += 1) {
    const slope: Weights = Object.fromEntries(names.map((name) => [name, 0]));
    for (const { passages } of asked) {
      const powers = passages.map(({ match }) =>
        Math.exp(names.reduce((sum, name) => sum + (weights[name] ?? 0) * scaled(match, name), 0)),
      );
      const every = powers.reduce((sum, power) => sum + power, 0);
      const gold = passages.reduce((sum, each, i) => sum + (each.gold ? (powers[i] ?? 0) : 0), 0);
      for (const [i, each] of passages.entries()) {
        const push = (each.gold ? (powers[i] ?? 0) / gold : 0) - (powers[i] ?? 0) / every;
        for (const name of names) slope[name] = (slope[name] ?? 0) + push * scaled(each.match, name);
      }
    }
    for (const name of names) {
      const weight = weights[name] ?? 0;
      weights[name] = weight + 0.5 * ((slope[name] ?? 0) / asked.length - penalty * weight);
    }
  }
  const plain = names.map((name) => [name, (weights[name] ?? 0) / (spread.get(name) ?? 1)] as const);
  const sum = plain.reduce((total, [, weight]) => total + weight, 0);
  return Object.fromEntries(plain.map(([name, weight]) => [name, (weight / sum) * SUM_OF_RANK_WEIGHTS]));
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) + 1e-9;
}

/** Logistic regression with an L2 penalty, over standardized figures; the weights are those of the plain figures. */
export function fitEvidence(
  questions: readonly FittedQuestion[],
  names: readonly (keyof Evidence)[],
  penalty = 0.01,
): Weights {
  const count = questions.length;
  const mean = names.map((name) => questions.reduce((sum, { evidence }) => sum + evidence[name], 0) / count);
  const spread = names.map((name) => deviation(questions.map(({ evidence }) => evidence[name])));
  const rows = questions.map(({ evidence, right }) => ({
    figures: names.map((name, k) => (evidence[name] - (mean[k] ?? 0)) / (spread[k] ?? 1)),
    right: right ? 1 : 0,
  }));
  const weights = names.map(() => 0);
  let bias = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const slope = names.map(() => 0);
    let biasSlope = 0;
    for (const { figures, right } of rows) {
      const sum = figures.reduce((total, figure, k) => total + figure * (weights[k] ?? 0), bias);
      const error = right - 1 / (1 + Math.exp(-sum));
      biasSlope += error;
      for (const [k, figure] of figures.entries()) slope[k] = (slope[k] ?? 0) + error * figure;
    }
    bias += (0.5 * biasSlope) / count;
    for (const [k] of names.entries())
      weights[k] = (weights[k] ?? 0) + 0.5 * ((slope[k] ?? 0) / count - penalty * (weights[k] ?? 0));
  }
  const plain = names.map((name, k) => [name, (weights[k] ?? 0) / (spread[k] ?? 1)] as const);
  return {
    ...Object.fromEntries(plain),
    bias: bias - plain.reduce((sum, [, weight], k) => sum + weight * (mean[k] ?? 0), 0),
  };
}

export function estimate(weights: Weights, evidence: Evidence): number {
  const sum = Object.entries(weights).reduce(
    (all, [name, weight]) => all + (name === "bias" ? weight : weight * evidence[name as keyof Evidence]),
    0,
  );
  return 1 / (1 + Math.exp(-sum));
}
