/**
 * Fits the weight of words that stand together (src/ranking/scores/weights.ts) on the queries over real histories. For
 * each repository the weight is chosen on the queries of all others, so the figures are those of a repository that the fit
 * has not seen. The weight that is written is chosen on all of them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseQuery } from "../../src/search/query/query.ts";
import { vectorsOf } from "../../src/search/query/vector.ts";
import { openCorpus } from "../lib/corpus.ts";
import { bootstrapInterval } from "./bootstrap.ts";
import { readSessions } from "./data.ts";
import { QualityHome } from "./home.ts";
import { hitAt, type Metric, reciprocalRankAt } from "./metrics.ts";
import { foldToParents, TOLD } from "./sessions.ts";

/** The weights that are tried. */
const GRID = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3];
const CANDIDATES = 100;
const WEIGHTS_FILE = join(import.meta.dirname, "../../src/ranking/scores/weights.ts");

interface Candidate {
  id: string;
  /** The score of its messages. */
  base: number;
  together: number;
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
  const outOfFold = (query: Asked): number => chosen.get(query.repository) ?? 0;
  const kinds = [...new Set(asked.map(({ kind }) => kind))];
  const rows = [
    ...kinds.map((kind) => [kind, asked.filter((query) => query.kind === kind)] as const),
    ...repositories.map((each) => [each, told.filter(({ repository }) => repository === each)] as const),
    [TOLD.join(" + "), told] as const,
  ];
  const lines = rows.flatMap(([name, queries]) => (queries.length === 0 ? [] : [figures(name, queries, outOfFold)]));
  const weight = choose(told);
  writeFileSync(WEIGHTS_FILE, sourceOf(weight));
  return [
    ...[...chosen].map(([each, found]) => `without ${each}: ${found}`),
    "messages alone, then with evidence weighed by the other repositories:",
    ...lines,
    `written: ${weight}`,
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
      const parsed = parseQuery(query);
      if (!parsed) continue;
      const vectors = await vectorsOf(parsed, home.dex, "hybrid");
      const { hits } = home.dex.store.searchTexts({ ...parsed, ...vectors }, {}, CANDIDATES, 0);
      const candidates = hits.map(({ no, score, evidence }) => {
        const together = evidence.find(({ name }) => name === "together")?.value ?? 0;
        const added = evidence.reduce((sum, { weighted }) => sum + weighted, 0);
        const id = foldToParents([home.dex.store.byNo(no)?.id ?? ""], set.parents)[0] ?? "";
        return { id, base: score - added, together };
      });
      asked.push({ kind: group, repository, gold: new Set(foldToParents(gold, set.parents)), candidates });
    }
    return asked;
  } finally {
    home.close();
  }
}

/** The weight with the best mean reciprocal rank; of equal ones the smallest. */
function choose(queries: readonly Asked[]): number {
  let best = { weight: 0, rank: 0 };
  for (const weight of GRID) {
    const rank = mean(queries.map((query) => measure(query, weight, reciprocalRankAt(10))));
    if (rank > best.rank + 1e-9) best = { weight, rank };
  }
  return best.weight;
}

function measure({ candidates, gold }: Asked, weight: number, metric: Metric): number {
  const most = Math.max(0, ...candidates.map(({ base }) => base));
  const score = ({ base, together }: Candidate): number => base + most * weight * together;
  const ranked = [...candidates].sort((a, b) => score(b) - score(a)).map(({ id }) => id);
  return metric([...new Set(ranked)], gold);
}

function figures(name: string, queries: readonly Asked[], weightOf: (query: Asked) => number): string {
  const cells = [hitAt(1), hitAt(5), reciprocalRankAt(10)].map((metric) => {
    const before = queries.map((query) => measure(query, 0, metric));
    const after = queries.map((query) => measure(query, weightOf(query), metric));
    const differences = after.map((value, i) => value - (before[i] ?? 0));
    const { low, high } = bootstrapInterval(
      differences,
      differences.map(() => ""),
    );
    return `${percent(mean(before))} → ${percent(mean(after))} (${percent(mean(differences))}: ${percent(low)} to ${percent(high)})`;
  });
  return `${name}, ${queries.length} queries: hit@1 ${cells[0]}, hit@5 ${cells[1]}, MRR@10 ${cells[2]}`;
}

function sourceOf(together: number): string {
  return `/** The weights of the evidence for a conversation. Written by \`npm run bench:quality -- --fit\`. */
export const WEIGHTS = { together: ${together} } as const;
`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function percent(value: number): string {
  return (100 * value).toFixed(1);
}
