/**
 * Measures the tests that `dex code impact --diff` names, by replaying commits that changed code and tests: the project
 * as it was before the commit, with the commit's code but without its tests. The right answers are the test files that
 * the commit changed and that existed before.
 *
 *   node bench/code/impact.ts REPOSITORY [--commits 60] [--seed 7] [--show N]
 *
 * REPOSITORY is a clone that this program may check out and reset.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { indexProject } from "../../src/code/indexing/indexer.ts";
import { languageOf } from "../../src/code/languages/registry.ts";
import { findCodeProject, openCode } from "../../src/code/project.ts";
import { isTestPath } from "../../src/code/test_paths.ts";
import { diffImpact } from "../../src/project/impact/diff_impact.ts";
import { seeded } from "../../test/support/random.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { commits: { type: "string" }, seed: { type: "string" }, show: { type: "string" } },
});
const root = positionals[0] ?? ".";
const MAX_CODE_FILES = 20;
const home = mkdtempSync(join(tmpdir(), "dex-impact-"));
process.once("exit", () => rmSync(home, { recursive: true, force: true }));
const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });

interface Case {
  sha: string;
  code: string[];
  gone: string[];
  tests: string[];
}

const start = git("rev-parse", "HEAD").trim();
const cases: Case[] = [];
for (const sha of git("log", "--no-merges", "--format=%H", "-1200").split("\n").filter(Boolean)) {
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
const random = seeded(Number(values.seed ?? 7));
const sample: Case[] = [];
while (sample.length < Number(values.commits ?? 60) && cases.length > 0)
  sample.push(...cases.splice(Math.floor(random() * cases.length), 1));

const project = findCodeProject(home, root);
const cut = { 1: [0, 0, 0], 5: [0, 0, 0], 10: [0, 0, 0], all: [0, 0, 0] };
let [done, wanted] = [0, 0];
const sizes: number[] = [];
for (const { sha, code, gone, tests } of sample) {
  git("checkout", "-q", "--force", `${sha}^`);
  git("clean", "-fdq");
  if (code.length > 0) git("checkout", "-q", sha, "--", ...code);
  if (gone.length > 0) git("rm", "-q", "--", ...gone);
  await indexProject(project, { now: Date.now() });
  const { store } = openCode(project);
  const { tests: found } = await diffImpact(project.root, store, undefined);
  store.close();
  const listed = found.map(({ path }) => path);
  const right = new Set(tests);
  done += 1;
  wanted += right.size;
  sizes.push(listed.length);
  for (const [key, counts] of Object.entries(cut)) {
    const shown = key === "all" ? listed : listed.slice(0, Number(key));
    counts[0] = (counts[0] ?? 0) + shown.filter((path) => right.has(path)).length;
    counts[1] = (counts[1] ?? 0) + shown.length;
    counts[2] = (counts[2] ?? 0) + Number(shown.some((path) => right.has(path)));
  }
  if (done % 10 === 0) report();
  if (sizes.length <= Number(values.show ?? 0))
    process.stdout.write(
      `${sha.slice(0, 10)} ${code.join(" ")}: wanted ${tests.join(" ")}; listed ${listed.slice(0, 6).join(" ")} (${listed.length})\n`,
    );
}
git("checkout", "-q", "--force", start);
report();

function report(): void {
  sizes.sort((a, b) => a - b);
  process.stdout.write(
    `${done} commits, ${wanted} changed test files; files listed: median ${sizes[sizes.length >> 1]}, most ${sizes.at(-1)}\n`,
  );
  for (const [key, [right = 0, listed = 0, any = 0]] of Object.entries(cut))
    process.stdout.write(
      `first ${key}: recall ${(right / wanted).toFixed(2)}, precision ${(right / Math.max(1, listed)).toFixed(2)}, commits with a hit ${(any / done).toFixed(2)}\n`,
    );
}
