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

/** Conditional logit: the passages of one question compete with each other. */
export function fitRank(questions: readonly FittedQuestion[], names: readonly (keyof Match)[]): Weights {
  const asked = questions.filter(({ passages }) => passages.some(({ gold }) => gold));
  const weights: Weights = Object.fromEntries(names.map((name) => [name, 0]));
  const penalty = 0.02;
  for (let step = 0; step < 600; step += 1) {
    const slope: Weights = Object.fromEntries(names.map((name) => [name, 0]));
    for (const { passages } of asked) {
      const powers = passages.map(({ match }) =>
        Math.exp(names.reduce((sum, name) => sum + (weights[name] ?? 0) * match[name], 0)),
      );
      const all = powers.reduce((sum, power) => sum + power, 0);
      const gold = passages.reduce((sum, each, i) => sum + (each.gold ? (powers[i] ?? 0) : 0), 0);
      for (const [i, each] of passages.entries()) {
        const push = (each.gold ? (powers[i] ?? 0) / gold : 0) - (powers[i] ?? 0) / all;
        for (const name of names) slope[name] = (slope[name] ?? 0) + push * each.match[name];
      }
    }
    for (const name of names) {
      const weight = weights[name] ?? 0;
      weights[name] = weight + 0.5 * ((slope[name] ?? 0) / asked.length - penalty * weight);
    }
  }
  return weights;
}

/** Logistic regression with an L2 penalty, over standardized figures; the weights are those of the plain figures. */
export function fitEvidence(
  questions: readonly FittedQuestion[],
  names: readonly (keyof Evidence)[],
  penalty = 0.01,
): Weights {
  const count = questions.length;
  const mean = names.map((name) => questions.reduce((sum, { evidence }) => sum + evidence[name], 0) / count);
  const spread = names.map(
    (name, k) =>
      Math.sqrt(questions.reduce((sum, { evidence }) => sum + (evidence[name] - (mean[k] ?? 0)) ** 2, 0) / count) +
      1e-9,
  );
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
