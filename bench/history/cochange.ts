/**
 * Measures how well past commits predict co-changes. The bench replays a history: each commit is queried with one of
 * its files, its other files are the answers, and only earlier commits are known. A ranking by plain confidence is the
 * baseline.
 *
 *   node bench/history/cochange.ts [repository …] (this one when none is named)
 */
import { resolve } from "node:path";
import { COCHANGE, type CoChangeOptions, rankPartners } from "../../src/history/cochange/cochange.ts";
import { readLog } from "../../src/history/log.ts";
import { findRepository } from "../../src/history/repository.ts";
import type { CommitRecord, Touch } from "../../src/store/history_records.ts";
import { MAX_COCHANGE_FILES } from "../../src/store/history_records.ts";

interface Figures {
  queries: number;
  answered: number;
  hit3: number;
  hit10: number;
  map: number;
}

type Rank = (path: string, touches: readonly Touch[], countOf: (path: string) => number, commits: number) => string[];

const ranked =
  (options: CoChangeOptions): Rank =>
  (path, touches, countOf, commits) =>
    rankPartners(path, touches, countOf, commits, options).map((partner) => partner.path);

/** The baseline: pairs by confidence, ties by support, then by name. */
const plain: Rank = (path, touches) => {
  const support = new Map<string, number>();
  for (const { files } of touches) {
    for (const other of files) if (other !== path) support.set(other, (support.get(other) ?? 0) + 1);
  }
  return [...support].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([other]) => other);
};

export const RANKINGS: Readonly<Record<string, Rank>> = {
  "confidence alone": plain,
  "recency alone": ranked({ halfLife: COCHANGE.halfLife, prior: 0, likeness: 0 }),
  "without likeness": ranked({ ...COCHANGE, likeness: 0 }),
  dex: ranked(COCHANGE),
};

export async function history(folder: string): Promise<CommitRecord[]> {
  const repository = findRepository(folder);
  if (!repository?.head) throw new Error(`${folder} is in no git repository with commits`);
  const commits: CommitRecord[] = [];
  for await (const commit of readLog(repository, { revisions: ["--reverse", repository.head], detail: "lines" }))
    commits.push(commit);
  return commits;
}

export function replay(commits: readonly CommitRecord[], rank: Rank): Figures {
  const past = new Map<string, Touch[]>();
  const now = new Map<string, string>();
  const figures = { queries: 0, answered: 0, hit3: 0, hit10: 0, map: 0 };
  let seen = 0;
  for (const commit of commits) {
    if (commit.parents > 1 || commit.file_count > MAX_COCHANGE_FILES) continue;
    for (const { path, old } of commit.files) {
      if (old === undefined) continue;
      // A renamed file keeps its past, as in the program.
      past.set(path, past.get(old) ?? []);
      past.delete(old);
      now.set(old, path);
    }
    const files = commit.files.map(({ path }) => path);
    // A file without a past has no answer, and a new file cannot be guessed.
    const known = files.filter((path) => past.has(path));
    if (known.length >= 2) for (const path of known) ask(path, known, rank, past, seen, now, figures);
    const touch = { time: commit.time, files };
    for (const path of files) past.set(path, [touch, ...(past.get(path) ?? [])].slice(0, 300));
    seen += 1;
  }
  const { queries } = figures;
  return {
    ...figures,
    hit3: figures.hit3 / queries,
    hit10: figures.hit10 / queries,
    map: figures.map / queries,
  };
}

function ask(
  path: string,
  known: readonly string[],
  rank: Rank,
  past: ReadonlyMap<string, Touch[]>,
  seen: number,
  now: ReadonlyMap<string, string>,
  figures: Figures,
): void {
  const current = (name: string): string => {
    let at = name;
    for (let next = now.get(at), steps = 0; next !== undefined && !past.has(at) && steps < 50; steps += 1) {
      at = next;
      next = now.get(at);
    }
    return at;
  };
  const touches = (past.get(path) ?? []).map(({ time, files }) => ({ time, files: [...new Set(files.map(current))] }));
  const gold = new Set(known.filter((other) => other !== path));
  const answer = rank(path, touches, (other) => past.get(other)?.length ?? 0, seen);
  figures.queries += 1;
  if (answer.length > 0) figures.answered += 1;
  if (answer.slice(0, 3).some((other) => gold.has(other))) figures.hit3 += 1;
  if (answer.slice(0, 10).some((other) => gold.has(other))) figures.hit10 += 1;
  let hits = 0;
  let precision = 0;
  for (const [i, other] of answer.entries()) {
    if (!gold.has(other)) continue;
    hits += 1;
    precision += hits / (i + 1);
  }
  figures.map += precision / gold.size;
}

async function main(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const commits = await history(resolve(folder));
    process.stdout.write(`\n${folder}: ${commits.length} commits\n`);
    process.stdout.write(
      "| ranking | queries | hit@3 | hit@10 | MAP | coverage | MAP against confidence |\n|---|---|---|---|---|---|---|\n",
    );
    const base = replay(commits, plain).map;
    for (const [name, rank] of Object.entries(RANKINGS)) {
      const { queries, answered, hit3, hit10, map } = replay(commits, rank);
      const cells = [hit3, hit10, map, answered / queries].map((value) => value.toFixed(3));
      const gain = `${(100 * (map / base - 1)).toFixed(1)}%`;
      process.stdout.write(`| ${[name, queries, ...cells, gain].join(" | ")} |\n`);
    }
  }
}

if (import.meta.main) await main(process.argv.length > 2 ? process.argv.slice(2) : ["."]);
