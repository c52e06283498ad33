/**
 * Fits the weights of the evidence for a conversation (src/ranking/scores/weights.ts) on the queries over real histories.
 * For each repository they are chosen on the queries of all others, so the figures are those of a repository that the
 * fit has not seen. The weights that are written are chosen on all of them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WEIGHTS } from "../../../src/ranking/scores/weights.ts";
import { parseQuery } from "../../../src/search/query/query.ts";
import { vectorsOf } from "../../../src/search/query/vector.ts";
import { openCorpus } from "../../lib/corpus.ts";
import { bootstrapInterval } from "../bootstrap.ts";
import { readSessions } from "../data.ts";
import { QualityHome } from "../home.ts";
import { hitAt, type Metric, reciprocalRankAt } from "../metrics.ts";
import { foldToParents, TOLD } from "../sessions.ts";
import { fitTextWeights, type TextWeights } from "./fit_texts.ts";

type Weights = Record<keyof typeof WEIGHTS, number>;

/** The weights that are tried. The form as typed always counts: it decides between words of one stem. */
const GRID: readonly Weights[] = [0, 0.05, 0.1, 0.15, 0.2, 0.25].flatMap((together) =>
  [0, 0.05, 0.1, 0.15, 0.2].flatMap((near) => [0.02, 0.05].map((written) => ({ together, near, written }))),
);
const NONE: Weights = { together: 0, near: 0, written: 0 };
const NAMES = ["together", "near", "written"] as const;
const CANDIDATES = 60;
const WEIGHTS_FILE = join(import.meta.dirname, "../../../src/ranking/scores/weights.ts");

interface Candidate {
  id: string;
  /** The score of its messages. */
  base: number;
  evidence: Weights;
}

interface Asked {
  kind: string;
  repository: string;
  gold: ReadonlySet<string>;
  candidates: Candidate[];
}

export async function fitWeights(temp: string): Promise<string> {
  const asked = await candidatesOf(temp);
  const told = asked.filter(({ kind }) => TOLD.includes(kind));
  const repositories = [...new Set(asked.map(({ repository }) => repository))];
  const chosen = new Map(
    repositories.map((each) => [each, choose(told.filter(({ repository }) => repository !== each))] as const),
  );
  const outOfFold = (query: Asked): Weights => chosen.get(query.repository) ?? NONE;
  const kinds = [...new Set(asked.map(({ kind }) => kind))];
  const rows = [
    ...kinds.map((kind) => [kind, asked.filter((query) => query.kind === kind)] as const),
    ...repositories.map((each) => [each, told.filter(({ repository }) => repository === each)] as const),
    [TOLD.join(" + "), told] as const,
  ];
  const lines = rows.flatMap(([name, queries]) => (queries.length === 0 ? [] : [figures(name, queries, outOfFold)]));
  const weights = choose(told);
  const texts = await fitTextWeights(temp);
  writeFileSync(WEIGHTS_FILE, sourceOf(weights, texts.weights));
  return [
    ...[...chosen].map(([each, found]) => `without ${each}: ${JSON.stringify(found)}`),
    "messages alone, then with evidence weighed by the other repositories:",
    ...lines,
    "messages alone, then with the weights that are written, which were chosen on the same queries:",
    figures(TOLD.join(" + "), told, () => weights),
    `written: ${JSON.stringify(weights)}`,
    "single texts: without evidence, and the difference that it makes:",
    texts.report,
    `written: ${JSON.stringify(texts.weights)}`,
  ].join("\n");
}

async function candidatesOf(temp: string): Promise<Asked[]> {
  const set = readSessions();
  if (!set) throw new Error("There are no real histories next to this checkout: set DEX_SHARED to the shared data.");
  const corpus = await openCorpus(undefined, temp, false);
  const home = await QualityHome.open(join(temp, "fit"));
  try {
    await home.sync(corpus.home);
    const asked: Asked[] = [];
    for (const { query, gold, group, repository } of set.queries) {
      const parsed = parseQuery(query, {}, true);
      if (!parsed) continue;
      const vectors = await vectorsOf(parsed, home.dex, "hybrid");
      const { hits } = home.dex.store.searchTexts({ ...parsed, ...vectors }, {}, CANDIDATES, 0);
      const candidates = hits.map(({ no, score, evidence }) => {
        const amountOf = (wanted: string): number => evidence.find(({ name }) => name === wanted)?.value ?? 0;
        const found = { together: amountOf("together"), near: amountOf("near"), written: amountOf("written") };
        const added = evidence.reduce((sum, { weighted }) => sum + weighted, 0);
        const id = foldToParents([home.dex.store.byNo(no)?.id ?? ""], set.parents)[0] ?? "";
        return { id, base: score - added, evidence: found };
      });
      asked.push({ kind: group, repository, gold: new Set(foldToParents(gold, set.parents)), candidates });
    }
    return asked;
  } finally {
    home.close();
  }
}

/** Weights are tried many times on the same queries. */
const ranks = new Map<Weights, Map<Asked, number>>(GRID.map((weights) => [weights, new Map()]));

/** The weights with the best mean reciprocal rank; of equal ones the first. */
function choose(queries: readonly Asked[]): Weights {
  let best = { weights: NONE, rank: 0 };
  for (const [weights, known] of ranks) {
    const rank = mean(
      queries.map((query) => {
        const value = known.get(query) ?? measure(query, weights, reciprocalRankAt(10));
        known.set(query, value);
        return value;
      }),
    );
    if (rank > best.rank + 1e-9) best = { weights, rank };
  }
  return best.weights;
}

function measure({ candidates, gold }: Asked, weights: Weights, metric: Metric): number {
  const most = Math.max(0, ...candidates.map(({ base }) => base));
  const score = ({ base, evidence }: Candidate): number =>
    NAMES.reduce((sum, name) => sum + most * weights[name] * evidence[name], base);
  const scored = candidates.map((candidate) => ({ id: candidate.id, score: score(candidate) }));
  const ranked = scored.sort((a, b) => b.score - a.score).map(({ id }) => id);
  return metric([...new Set(ranked)], gold);
}

function figures(name: string, queries: readonly Asked[], weightsOf: (query: Asked) => Weights): string {
  const cells = [hitAt(1), hitAt(5), reciprocalRankAt(10)].map((metric) => {
    const before = queries.map((query) => measure(query, NONE, metric));
    const after = queries.map((query) => measure(query, weightsOf(query), metric));
    const differences = after.map((value, i) => value - (before[i] ?? 0));
    const { low, high } = bootstrapInterval(
      differences,
      differences.map(() => ""),
    );
    return `${percent(mean(before))} → ${percent(mean(after))} (${percent(mean(differences))}: ${percent(low)} to ${percent(high)})`;
  });
  return `${name}, ${queries.length} queries: hit@1 ${cells[0]}, hit@5 ${cells[1]}, MRR@10 ${cells[2]}`;
}

function sourceOf(conversations: Weights, texts: TextWeights): string {
  const source = ({ together, near, written }: Weights): string =>
    `{ together: ${together}, near: ${near}, written: ${written} } as const;`;
  return `/** The weights of the evidence for a conversation. Written by \`npm run bench:quality -- --fit\`. */
export const WEIGHTS = ${source(conversations)}
/** The same for single texts. */
export const TEXT_WEIGHTS = ${source(texts)}
`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function percent(value: number): string {
  return (100 * value).toFixed(1);
}
