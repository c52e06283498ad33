/**
 * Fits the weights of the second model (src/search/query/second_weights.ts). For each set they are chosen on the other
 * sets, so the figures are those of a set that the fit has not seen. The weights that are written are chosen on all sets.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SecondVector } from "../../../src/ranking/query.ts";
import { parseQuery } from "../../../src/search/query/query.ts";
import { SECOND } from "../../../src/search/query/second_weights.ts";
import { vectorsOf } from "../../../src/search/query/vector.ts";
import { bootstrapInterval } from "../bootstrap.ts";
import type { Metric } from "../metrics.ts";
import { eachSecondSet, type Measured } from "./second_sets.ts";

interface Weights {
  /** The share of the built-in vector. */
  first: number;
  /** The share of the second vector, or the part of the best score that the nearest conversation gets. */
  second: number;
}

const FIRST = [0.05, 0.1, 0.2];
const GRID: readonly Weights[] = FIRST.flatMap((first) => [0.2, 0.3, 0.4, 0.5].map((second) => ({ first, second })));
const WEIGHTS_FILE = join(import.meta.dirname, "../../../src/search/query/second_weights.ts");

/** The value of every query by one metric: with the built-in model alone, and with each of the weights. */
interface Values {
  set: string;
  kind: Measured["kind"];
  metric: string;
  builtIn: number[];
  second: number[][];
}

export async function fitSecond(options: Parameters<typeof eachSecondSet>[0]): Promise<string> {
  const values: Values[] = [];
  await eachSecondSet(options, async (measured) => {
    values.push(...(await valuesOf(measured)));
    process.stderr.write(`measured: ${measured.set}, ${measured.kind}\n`);
  });
  const chosen = choose(values);
  writeFileSync(WEIGHTS_FILE, sourceOf(chosen));
  return [...values.flatMap((each) => report(each, values)), `written: ${JSON.stringify(chosen)}`].join("\n");
}

async function valuesOf({ set, kind, metrics, queries, dex, rank }: Measured): Promise<Values[]> {
  const found = Object.keys(metrics).map(
    (metric): Values => ({ set, kind, metric, builtIn: [], second: GRID.map(() => []) }),
  );
  for (const { query, gold, project } of queries) {
    const parsed = parseQuery(query);
    if (!parsed) continue;
    const { vector, second } = await vectorsOf(parsed, dex, "hybrid");
    const right = new Set(gold);
    const asked = { ...parsed, ...(vector ? { vector } : {}) };
    const builtIn = await rank(asked, project);
    const lists: string[][] = [];
    for (const weights of GRID) {
      lists.push(second ? await rank({ ...asked, second: weighed(second, weights) }, project) : builtIn);
    }
    for (const values of found) {
      const metric = metrics[values.metric] as Metric;
      values.builtIn.push(metric(builtIn, right));
      for (const [i, list] of lists.entries()) values.second[i]?.push(metric(list, right));
    }
  }
  return found;
}

/** All weights are multiplied with the share of plain words in the question, which the vector has already. */
function weighed(vector: SecondVector, { first, second }: Weights): SecondVector {
  const plain = vector.share / SECOND.texts;
  return { ...vector, share: second * plain, conversationWeight: second * plain, firstShare: first * plain };
}

interface Chosen {
  first: number;
  conversations: number;
  texts: number;
}

/** The weights whose smallest gain is the largest, each in its standard errors: they should help everywhere. */
function choose(all: readonly Values[]): Chosen {
  const least = (kind: Values["kind"], weights: Weights): number =>
    Math.min(...all.filter((each) => each.kind === kind).map((each) => gainOf(each, weights)));
  const best = (kind: Values["kind"], first: number): { second: number; gain: number } =>
    GRID.filter((weights) => weights.first === first)
      .map((weights) => ({ second: weights.second, gain: least(kind, weights) }))
      .reduce((a, b) => (b.gain > a.gain ? b : a));
  const options = FIRST.map((first) => {
    const [conversations, texts] = [best("conversations", first), best("texts", first)];
    const gain = Math.min(conversations.gain, texts.gain);
    return { gain, chosen: { first, conversations: conversations.second, texts: texts.second } };
  });
  return options.reduce((a, b) => (b.gain > a.gain ? b : a)).chosen;
}

function differencesOf({ builtIn, second }: Values, weights: Weights): number[] {
  return (second[GRID.indexOf(weights)] ?? []).map((value, i) => value - (builtIn[i] ?? 0));
}

/** The mean difference from the built-in model, in standard errors. */
function gainOf(values: Values, weights: Weights): number {
  const differences = differencesOf(values, weights);
  const gain = mean(differences);
  const variance = mean(differences.map((each) => (each - gain) ** 2));
  return gain / Math.sqrt(variance / differences.length + 1e-12);
}

/** With the weights of the other sets. */
function report(values: Values, all: readonly Values[]): string[] {
  const chosen = choose(all.filter(({ set }) => set !== values.set));
  const weights = GRID.find(({ first, second }) => first === chosen.first && second === chosen[values.kind]);
  const differences = differencesOf(values, weights as Weights);
  const { low, high } = bootstrapInterval(
    differences,
    differences.map(() => ""),
  );
  const before = mean(values.builtIn);
  const gain = `${percent(mean(differences))}: ${percent(low)} to ${percent(high)}`;
  const tried = GRID.map(({ first, second }, i) => `${first}/${second} ${percent(mean(values.second[i] ?? []))}`);
  return [
    `${values.set}, ${values.kind}, ${values.metric}, ${differences.length} queries: ${percent(before)} → ` +
      `${percent(before + mean(differences))} (${gain}) with the weights of the other sets, ${JSON.stringify(chosen)}`,
    `  first/second: ${tried.join(", ")}`,
  ];
}

function sourceOf({ first, conversations, texts }: Chosen): string {
  return `/**
 * The weights of a second vector beside the built-in one, whose share becomes \`first\`: \`texts\` is the second one's share
 * in a search for single messages or passages, \`conversations\` the part of the best score that the nearest conversation
 * gets. Written by \`npm run bench:quality -- --fit --minilm <folder>\`.
 */
export const SECOND = { first: ${first}, conversations: ${conversations}, texts: ${texts} } as const;
`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function percent(value: number): string {
  return (100 * value).toFixed(1);
}
