/**
 * How well `dex search --in code` finds the place of a change from the words of its commit.
 *
 *   node bench/code/search.ts --repositories <folder with clones> [--only NAME] [--queries 400] [--misses N]
 *
 * A query is the subject of a commit, without its type, scope and numbers, that changed one to three files of source code
 * which still exist (tests, examples and declarations do not count). Right: a result is in one of these files. The history
 * is not in the code's index. Subjects name the purpose of a change as often as its place, so no search finds all.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { searchCode } from "../../src/code/answers/search.ts";
import { indexProject } from "../../src/code/indexing/indexer.ts";
import { languageOf } from "../../src/code/languages/registry.ts";
import { findCodeProject, openCode } from "../../src/code/project.ts";
import { isTestPath } from "../../src/code/test_paths.ts";
import { readLog } from "../../src/history/log.ts";
import { findRepository } from "../../src/history/repository.ts";
import { markdownTable } from "../lib/markdown_table.ts";

const { values } = parseArgs({
  options: {
    repositories: { type: "string" },
    only: { type: "string" },
    queries: { type: "string" },
    misses: { type: "string" },
  },
});

interface Query {
  text: string;
  /** Any of these files is right. */
  files: readonly string[];
}

const MAX_CHANGED_SOURCES = 3;
const MAX_CHANGED_FILES = 12;
const MIN_WORDS = 3;
/** Changes that no place in the code is about. */
const UPKEEP = /^(?:revert|merge|bump|release|chore|ci|tests?|docs|style|build|v?\d)/i;
const ASIDE =
  /(?:^|\/)(?:bench|example|demo|sample|playground|docs?|fixture)(?:marks?|es|s)?(?:[-_][^/]*)?\/|\.d\.[cm]?ts$/i;

const folder = values.repositories ?? "";
if (!existsSync(folder)) throw new Error("--repositories names the folder with the clones");
const most = Number(values.queries ?? 400);
const home = mkdtempSync(join(tmpdir(), "dex-code-search-"));
process.once("exit", () => rmSync(home, { recursive: true, force: true }));

const lines: string[][] = [];
const sums = { queries: 0, first: 0, five: 0, any: 0 };
for (const name of readdirSync(folder).sort()) {
  if (!existsSync(join(folder, name, ".git")) || (values.only !== undefined && values.only !== name)) continue;
  const queries = await queriesOf(join(folder, name));
  const project = findCodeProject(home, join(folder, name));
  await indexProject(project, { now: Date.now() });
  const { store } = openCode(project);
  let shown = Number(values.misses ?? 0);
  const own = { queries: queries.length, first: 0, five: 0, any: 0 };
  for (const { text, files } of queries) {
    const found = searchCode(store, text, {}, 200).found.map(({ entity }) => entity.path);
    const rank = [...new Set(found)].findIndex((path) => files.includes(path));
    own.first += Number(rank === 0);
    own.five += Number(rank >= 0 && rank < 5);
    own.any += Number(found.slice(0, 5).some((path) => files.includes(path)));
    if (rank < 0 || rank >= 5) {
      if (shown-- > 0)
        console.log(`${text}\n  ${files.join(", ")}\n  not: ${[...new Set(found)].slice(0, 3).join(", ")}`);
    }
  }
  store.close();
  lines.push([name, ...figures(own)]);
  for (const key of ["queries", "first", "five", "any"] as const) sums[key] += own[key];
}
lines.push(["all", ...figures(sums)]);
console.log(markdownTable(["repository", "queries", "first file", "first five files", "first five results"], lines));

async function queriesOf(root: string): Promise<Query[]> {
  const repository = findRepository(root);
  if (!repository?.head) return [];
  const queries = new Map<string, Query>();
  for await (const { subject, files, parents } of readLog(repository, {
    revisions: [repository.head],
    detail: "lines",
  })) {
    const changed = files.map(({ path }) => path);
    const sources = changed.filter((path) => isSource(path) && existsSync(join(root, path)));
    const text = subject
      .replace(/^\w+(?:\([^)]*\))?!?:\s*/, "")
      .replaceAll(/\(?#\d+\)?/g, "")
      .trim();
    const isOne = parents < 2 && sources.length > 0 && sources.length <= MAX_CHANGED_SOURCES;
    if (!isOne || changed.length > MAX_CHANGED_FILES || UPKEEP.test(subject)) continue;
    if (text.split(/\s+/).length >= MIN_WORDS && !queries.has(text)) queries.set(text, { text, files: sources });
    if (queries.size === most) break;
  }
  return [...queries.values()];
}

function isSource(path: string): boolean {
  const language = languageOf(path);
  return (
    language !== undefined && language !== "document" && language !== "config" && !isTestPath(path) && !ASIDE.test(path)
  );
}

function figures({ queries, first, five, any }: typeof sums): string[] {
  const share = (count: number): string => ((100 * count) / Math.max(1, queries)).toFixed(1);
  return [String(queries), share(first), share(five), share(any)];
}
