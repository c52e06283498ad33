/**
 * Fits the weights of the evidence for single texts (TEXT_WEIGHTS in src/ranking/scores/weights.ts): messages of LoCoMo and
 * BEAM, passages of CoSQA and SciFact. For each fifth of the conversations or queries they are chosen on the others.
 */
import { join } from "node:path";
import type { TEXT_WEIGHTS } from "../../../src/ranking/scores/weights.ts";
import { parseQuery } from "../../../src/search/query/query.ts";
import { vectorsOf } from "../../../src/search/query/vector.ts";
import { bootstrapInterval } from "../bootstrap.ts";
import { type Query, readPublicSet } from "../data.ts";
import { projectOf, QualityHome, type ScoredItem } from "../home.ts";
import { type Metric, ndcgAt, reciprocalRankAt } from "../metrics.ts";

export type TextWeights = Record<keyof typeof TEXT_WEIGHTS, number>;

const METRICS: Readonly<Record<string, Metric>> = {
  locomo: ndcgAt(10),
  beam: ndcgAt(10),
  cosqa: reciprocalRankAt(10),
  scifact: ndcgAt(10),
};
const NAMES = ["together", "near", "written"] as const;
const NONE: TextWeights = { together: 0, near: 0, written: 0 };
/**
 * The form as typed always counts: it decides between words of one stem. The other kinds of evidence, fitted in the same way,
 * gained nothing out of fold.
 */
const GRID: readonly TextWeights[] = [0.005, 0.01, 0.02, 0.05, 0.1].map((written) => ({ ...NONE, written }));
const FOLDS = 5;
const CANDIDATES = 30;

interface Asked {
  set: string;
  fold: number;
  gold: ReadonlySet<string>;
  candidates: { id: string; base: number; values: TextWeights }[];
}

export async function fitTextWeights(temp: string): Promise<{ weights: TextWeights; report: string }> {
  const asked: Asked[] = [];
  for (const set of Object.keys(METRICS)) asked.push(...(await askedOf(set, temp)));
  const chosen = Array.from({ length: FOLDS }, (_, fold) => choose(asked.filter((each) => each.fold !== fold)));
  const weights = choose(asked);
  const lines = Object.keys(METRICS).map((set) => {
    const queries = asked.filter((each) => each.set === set);
    return `${set}, ${queries.length} queries: out of fold ${figure(queries, ({ fold }) => chosen[fold] ?? NONE)}; written ${figure(queries, () => weights)}`;
  });
  return { weights, report: [...chosen.map((each) => JSON.stringify(each)), ...lines].join("\n") };
}

async function askedOf(set: string, temp: string): Promise<Asked[]> {
  const data = readPublicSet(set);
  if (!data) return [];
  const home = await QualityHome.open(join(temp, `texts-${set}`));
  const isDocuments = set === "cosqa" || set === "scifact";
  try {
    if (isDocuments) await home.collect(data.items);
    else await home.import(data.items);
    const asked: Asked[] = [];
    for (const query of data.queries) {
      const parsed = parseQuery(query.query);
      if (!parsed) continue;
      const all = { ...parsed, ...(await vectorsOf(parsed, home.dex, "hybrid")) };
      const found = isDocuments
        ? await home.scoredPassages(all, CANDIDATES, home.dex)
        : home.scoredMessages(all, CANDIDATES, projectOf(query.conversation), home.dex);
      asked.push({ set, fold: foldOf(query), gold: new Set(query.gold), candidates: found.map(candidateOf) });
    }
    return asked;
  } finally {
    home.close();
  }
}

function candidateOf({ id, score, evidence }: ScoredItem): Asked["candidates"][number] {
  const amountOf = (wanted: string): number => evidence.find(({ name }) => name === wanted)?.value ?? 0;
  const base = evidence.reduce((rest, { weighted }) => rest - weighted, score);
  return { id, base, values: { together: amountOf("together"), near: amountOf("near"), written: amountOf("written") } };
}

/** All questions about one conversation are in one fold. */
function foldOf({ id, conversation }: Query): number {
  const key = conversation === "" ? id : conversation;
  return [...key].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) >>> 0, 7) % FOLDS;
}

/** The weights with the best mean over the sets; the first of equal ones. */
function choose(queries: readonly Asked[]): TextWeights {
  let best = { weights: NONE, value: 0 };
  for (const weights of GRID) {
    const means = Object.keys(METRICS).map((set) =>
      mean(queries.flatMap((each) => (each.set === set ? [measured(each, weights)] : []))),
    );
    if (mean(means) > best.value + 1e-9) best = { weights, value: mean(means) };
  }
  return best.weights;
}

function measured({ set, candidates, gold }: Asked, weights: TextWeights): number {
  const most = Math.max(0, ...candidates.map(({ base }) => base));
  const scored = candidates.map(({ id, base, values }) => ({
    id,
    score: NAMES.reduce((sum, name) => sum + most * weights[name] * values[name], base),
  }));
  const ranked = scored.sort((a, b) => b.score - a.score).map(({ id }) => id);
  return (METRICS[set] as Metric)([...new Set(ranked)], gold);
}

function figure(queries: readonly Asked[], weightsOf: (query: Asked) => TextWeights): string {
  const before = queries.map((query) => measured(query, NONE));
  const differences = queries.map((query, i) => measured(query, weightsOf(query)) - (before[i] ?? 0));
  const { low, high } = bootstrapInterval(
    differences,
    differences.map(() => ""),
  );
  const percent = (value: number): string => (100 * value).toFixed(1);
  return `${percent(mean(before))} (${percent(mean(differences))}: ${percent(low)} to ${percent(high)})`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
