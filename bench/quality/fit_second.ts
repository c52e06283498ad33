/**
 * Fits the weights of the second model (src/search/query/second_weights.ts). For each set they are chosen on the other
 * sets, so the figures are those of a set that the fit has not seen. The weights that are written are chosen on all sets.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SecondVector } from "../../src/ranking/query.ts";
import { parseQuery } from "../../src/search/query/query.ts";
import { SECOND } from "../../src/search/query/second_weights.ts";
import { vectorsOf } from "../../src/search/query/vector.ts";
import { bootstrapInterval } from "./bootstrap.ts";
import { eachSecondSet, type Measured } from "./second_sets.ts";

interface Weights {
  /** The share of the built-in vector. */
  first: number;
  /** The share of the second vector, or the part of the best score that the nearest conversation gets. */
  second: number;
}

const FIRST = [0.05, 0.1, 0.2];
const GRID: readonly Weights[] = FIRST.flatMap((first) => [0.2, 0.3, 0.4, 0.5].map((second) => ({ first, second })));
const KINDS = ["conversations", "texts"] as const;
const WEIGHTS_FILE = join(import.meta.dirname, "../../src/search/query/second_weights.ts");

/** The value of every query of a set: with the built-in model alone, and with each of the weights. */
interface Values {
  name: string;
  kind: Measured["kind"];
  builtIn: number[];
  second: number[][];
}

export async function fitSecond(options: Parameters<typeof eachSecondSet>[0]): Promise<string> {
  const values: Values[] = [];
  await eachSecondSet(options, async (measured) => {
    values.push(await valuesOf(measured));
    process.stderr.write(`measured: ${measured.name}\n`);
  });
  const chosen = choose(values);
  writeFileSync(WEIGHTS_FILE, sourceOf(chosen));
  return [...values.flatMap((each) => report(each, values)), `written: ${JSON.stringify(chosen)}`].join("\n");
}

async function valuesOf({ name, kind, queries, dex, value }: Measured): Promise<Values> {
  const found: Values = { name, kind, builtIn: [], second: GRID.map(() => []) };
  for (const { query, gold, project } of queries) {
    const parsed = parseQuery(query);
    if (!parsed) continue;
    const { vector, second } = await vectorsOf(parsed, dex, "hybrid");
    const right = new Set(gold);
    const asked = { ...parsed, ...(vector ? { vector } : {}) };
    found.builtIn.push(await value(asked, right, project));
    for (const [i, weights] of GRID.entries()) {
      const both = second ? { ...asked, second: weighed(second, weights) } : asked;
      found.second[i]?.push(await value(both, right, project));
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

/** The weights with the largest mean gain over the sets; of equal ones the first. */
function choose(sets: readonly Values[]): Chosen {
  const gain = (set: Values, weights: Weights): number =>
    mean(set.second[GRID.indexOf(weights)] ?? []) - mean(set.builtIn);
  const options = FIRST.map((first) => {
    const best = KINDS.map((kind) => {
      const own = sets.filter((set) => set.kind === kind);
      const tried = GRID.filter((weights) => weights.first === first).map((weights) => ({
        second: weights.second,
        gain: own.reduce((sum, set) => sum + gain(set, weights), 0),
      }));
      return tried.reduce((a, b) => (b.gain > a.gain + 1e-9 ? b : a));
    });
    const [conversations, texts] = best.map(({ second }) => second) as [number, number];
    return { first, conversations, texts, gain: best.reduce((sum, each) => sum + each.gain, 0) };
  });
  const { gain: _, ...chosen } = options.reduce((a, b) => (b.gain > a.gain + 1e-9 ? b : a));
  return chosen;
}

/** With the weights of the other sets: a set with the same texts is not another one. */
function report(set: Values, sets: readonly Values[]): string[] {
  const family = (name: string): string => name.split(",")[0] ?? name;
  const chosen = choose(sets.filter((each) => family(each.name) !== family(set.name)));
  const at = GRID.findIndex(({ first, second }) => first === chosen.first && second === chosen[set.kind]);
  const values = set.second[at] ?? [];
  const differences = values.map((value, i) => value - (set.builtIn[i] ?? 0));
  const { low, high } = bootstrapInterval(
    differences,
    differences.map(() => ""),
  );
  const gain = `${percent(mean(differences))}: ${percent(low)} to ${percent(high)}`;
  const all = GRID.map(({ first, second }, i) => `${first}/${second} ${percent(mean(set.second[i] ?? []))}`);
  return [
    `${set.name}, ${values.length} queries: ${percent(mean(set.builtIn))} → ${percent(mean(values))} (${gain}), ` +
      `with the weights of the other sets, ${JSON.stringify(chosen)}`,
    `  first/second: ${all.join(", ")}`,
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
