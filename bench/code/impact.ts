/**
 * Measures the tests that `dex code impact --diff` names, by replaying commits that changed code and tests: the project
 * as it was before the commit, with the commit's code but without its tests. The right answers are the test files that
 * the commit changed and that existed before.
 *
 *   node bench/code/impact.ts REPOSITORY... [--commits 60] [--seed 7] [--show N] [--fit]
 *
 * A REPOSITORY is a clone that this program may check out and reset. --fit fits the weights of the evidence for each
 * repository on the others, and prints the figures out of fold and the weights of all.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { indexProject } from "../../src/code/indexing/indexer.ts";
import { languageOf } from "../../src/code/languages/registry.ts";
import { findCodeProject, openCode } from "../../src/code/project.ts";
import { isTestPath } from "../../src/code/test_paths.ts";
import { type ChangeHistory, listedChanges } from "../../src/project/changes.ts";
import { diffEvidence } from "../../src/project/impact/diff_impact.ts";
import { rankedTests, type TestEvidence, testFeatures } from "../../src/project/impact/tests_to_run.ts";
import { seeded } from "../../test/support/random.ts";
import { type Example, fitLogistic } from "../lib/logistic.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: "string" },
    seed: { type: "string" },
    show: { type: "string" },
    fit: { type: "boolean", default: false },
  },
});
const MAX_CODE_FILES = 20;
const MAX_COMMITS = 1200;

interface Case {
  sha: string;
  code: string[];
  gone: string[];
  tests: string[];
}

interface Replayed {
  tests: ReadonlySet<string>;
  evidence: TestEvidence[];
}

const repositories = new Map<string, Replayed[]>();
for (const root of positionals) {
  const replayed = await replay(root);
  repositories.set(root, replayed);
  report(`${basename(root)}: the weights in use`, replayed, (each) => rankedTests(each).map(({ path }) => path));
}
if (values.fit) fit();

async function replay(root: string): Promise<Replayed[]> {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", root, ...args], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    });
  const home = mkdtempSync(join(tmpdir(), "dex-impact-"));
  process.once("exit", () => rmSync(home, { recursive: true, force: true }));
  const start = git("rev-parse", "HEAD").trim();
  const project = findCodeProject(home, root);
  const replayed: Replayed[] = [];
  for (const { sha, code, gone, tests } of sampleOf(casesOf(git))) {
    git("checkout", "-q", "--force", `${sha}^`);
    git("clean", "-fdq");
    if (code.length > 0) git("checkout", "-q", sha, "--", ...code);
    if (gone.length > 0) git("rm", "-q", "--", ...gone);
    await indexProject(project, { now: Date.now() });
    const { store } = openCode(project);
    const evidence = await diffEvidence(project.root, store, undefined, historyOf(git));
    store.close();
    replayed.push({ tests: new Set(tests), evidence });
    if (replayed.length <= Number(values.show ?? 0)) show(sha, code, tests, evidence);
  }
  git("checkout", "-q", "--force", start);
  return replayed;
}

function casesOf(git: (...args: string[]) => string): Case[] {
  const cases: Case[] = [];
  for (const sha of git("log", "--no-merges", "--format=%H", `-${MAX_COMMITS}`).split("\n").filter(Boolean)) {
    const rows = git("diff-tree", "--no-commit-id", "-r", "--no-renames", "--name-status", "-z", sha).split("\0");
    const found: Case = { sha, code: [], gone: [], tests: [] };
    for (let at = 0; at + 1 < rows.length; at += 2) {
      const [status, path = ""] = [rows[at], rows[at + 1]];
      const language = languageOf(path);
      if (language === undefined || language === "config" || language === "document") continue;
      if (isTestPath(path)) {
        if (status === "M") found.tests.push(path);
      } else if (status === "D") found.gone.push(path);
      else found.code.push(path);
    }
    const changed = found.code.length + found.gone.length;
    if (changed > 0 && changed <= MAX_CODE_FILES && found.tests.length > 0) cases.push(found);
  }
  return cases;
}

function sampleOf(cases: Case[]): Case[] {
  const random = seeded(Number(values.seed ?? 7));
  const sample: Case[] = [];
  while (sample.length < Number(values.commits ?? 60) && cases.length > 0)
    sample.push(...cases.splice(Math.floor(random() * cases.length), 1));
  return sample;
}

/** The commits up to the one that is checked out. */
function historyOf(git: (...args: string[]) => string): ChangeHistory {
  const log = git("log", "--no-merges", "--no-renames", "--format=%x01%ct", "--name-only").split("\x01").slice(1);
  return listedChanges(
    log.map((commit) => {
      const [time, ...files] = commit.split("\n").filter(Boolean);
      return { time: Number(time) * 1000, files };
    }),
  );
}

function show(sha: string, code: readonly string[], tests: readonly string[], evidence: TestEvidence[]): void {
  const ranked = rankedTests(evidence);
  const shown = ranked.slice(0, 6).map(({ path, score, why }) => `  ${score} ${path}: ${why}\n`);
  process.stdout.write(
    `${sha.slice(0, 10)} ${code.join(" ")}: wanted ${tests.join(" ")}; ${ranked.length}:\n${shown.join("")}`,
  );
}

function report(title: string, replayed: readonly Replayed[], rank: (evidence: TestEvidence[]) => string[]): void {
  const lists = replayed.map(({ tests, evidence }) => ({ tests, listed: rank(evidence) }));
  const wanted = lists.reduce((sum, { tests }) => sum + tests.size, 0);
  process.stdout.write(`${title}: ${lists.length} commits, ${wanted} changed test files\n`);
  for (const first of [1, 5, 10, Number.POSITIVE_INFINITY]) {
    let [right, all, hits] = [0, 0, 0];
    for (const { tests, listed } of lists) {
      const shown = listed.slice(0, first);
      const found = shown.filter((path) => tests.has(path)).length;
      right += found;
      all += shown.length;
      hits += Number(found > 0);
    }
    const name = Number.isFinite(first)
      ? `first ${first}`
      : `all (${(all / Math.max(1, lists.length)).toFixed(1)} files)`;
    process.stdout.write(
      `  ${name}: recall ${(right / wanted).toFixed(2)}, precision ${(right / Math.max(1, all)).toFixed(2)}, commits with a hit ${(hits / Math.max(1, lists.length)).toFixed(2)}\n`,
    );
  }
}

function fit(): void {
  for (const [left, replayed] of repositories) {
    const others = [...repositories].flatMap(([root, each]) => (root === left ? [] : [each]));
    const fitted = { history: weightsOf(others, true), none: weightsOf(others, false) };
    report(`${basename(left)}: out of fold`, replayed, (each) => rankedTests(each, fitted).map(({ path }) => path));
    const bare = replayed.map(({ tests, evidence }) => ({ tests, evidence: evidence.map(withoutHistory) }));
    report(`${basename(left)}: out of fold, without a history`, bare, (each) =>
      rankedTests(each, fitted).map(({ path }) => path),
    );
  }
  const all = [...repositories.values()];
  process.stdout.write(`${JSON.stringify({ history: weightsOf(all, true), none: weightsOf(all, false) })}\n`);
}

function withoutHistory(evidence: TestEvidence): TestEvidence {
  return { ...evidence, together: undefined };
}

/** Every repository counts the same. */
function weightsOf(sets: readonly (readonly Replayed[])[], hasHistory: boolean) {
  const examples: Example[] = sets.flatMap((replayed) => {
    const rows = replayed.flatMap(({ tests, evidence }) =>
      evidence.map((each) => ({ each, right: tests.has(each.path) })),
    );
    return rows.map(({ each, right }) => {
      const { graph, name, together, words } = testFeatures(each);
      return { features: [graph, name, hasHistory ? together : 0, words], right, weight: 2000 / rows.length };
    });
  });
  const { bias, weights } = fitLogistic(examples, { graph: true, name: true, together: true, words: true });
  const round = (value: number): number => Math.round(value * 100) / 100;
  const { graph, name, together, words } = weights;
  return { bias: round(bias), graph: round(graph), name: round(name), together: round(together), words: round(words) };
}
