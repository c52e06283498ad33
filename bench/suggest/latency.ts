/**
 * Measures the latency of suggestions in a warm process, such as a server: for this repository and a project of 5,000
 * files; about a file, a symbol and a prompt; after an update, and from stored data. docs/internals/performance/hooks.md has
 * the figures.
 *
 *   node bench/suggest/latency.ts [--calls 200] [--home <a DEX_HOME with conversations>]
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { indexProject } from "../../src/code/indexing/indexer.ts";
import { findCodeProject, openCode } from "../../src/code/project.ts";
import { Dex } from "../../src/dex.ts";
import { runOperation } from "../../src/operations/run.ts";
import { suggest } from "../../src/operations/suggest/suggest.ts";
import { pick, seeded } from "../../test/support/random.ts";
import { quantile } from "../lib/measure.ts";

const { values } = parseArgs({ options: { calls: { type: "string" }, home: { type: "string" } } });
const CALLS = Number(values.calls ?? 200);
const FILES = 5000;
const root = join(import.meta.dirname, "../..");
const temp = mkdtempSync(join(tmpdir(), "dex-suggest-bench-"));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));

const home = join(temp, "home");
if (values.home) cpSync(values.home, home, { recursive: true });
mkdirSync(home, { recursive: true });
const vars = { PATH: process.env.PATH, HOME: temp, DEX_HOME: home };

process.stdout.write(
  "| repository | asked about | p50 | p95 | p50 of processor time | p95 |\n|---|---|---|---|---|---|\n",
);
await measure("this repository", root);
await measure(`${FILES} files`, makeLarge());

async function measure(name: string, folder: string): Promise<void> {
  const dex = await Dex.open({ vars, cwd: folder });
  const project = findCodeProject(dex.paths.code, folder);
  await indexProject(project, { now: Date.now() });
  const { store } = openCode(project);
  const random = seeded(3);
  const paths = store
    .files()
    .filter(({ language }) => language === "typescript")
    .map(({ path }) => path);
  const names = store.names();
  store.close();
  const inputs: Record<string, () => Record<string, unknown>> = {
    "a file": () => ({ currentFile: pick(random, paths) }),
    "a symbol": () => ({ currentSymbol: pick(random, names) }),
    "a prompt": () => ({
      prompt: `change how ${pick(random, names)} works in ${pick(random, paths)} and keep the tests green`,
    }),
    nothing: () => ({}),
  };
  for (const stale of [false, true]) {
    for (const [what, input] of Object.entries(inputs)) {
      const times: number[] = [];
      const work: number[] = [];
      for (let i = -5; i < (what === "nothing" ? CALLS / 5 : CALLS); i += 1) {
        const parsed = suggest.input.parse(input());
        const begin = performance.now();
        const used = process.cpuUsage();
        await runOperation(dex, suggest, parsed, { sync: false, stale });
        const { user, system } = process.cpuUsage(used);
        if (i < 0) continue;
        times.push(performance.now() - begin);
        work.push((user + system) / 1000);
      }
      const ms = (at: number, of = times): string => `${quantile(of, at).toFixed(1)} ms`;
      process.stdout.write(
        `| ${name} | ${what}${stale ? ", as stored" : ""} | ${ms(0.5)} | ${ms(0.95)} | ${ms(0.5, work)} | ${ms(0.95, work)} |\n`,
      );
    }
  }
  dex.close();
}

/** This repository's sources, copied until there are enough, with commits that change a few files each. */
function makeLarge(): string {
  const folder = join(temp, "large");
  const git = (...args: string[]): void => {
    const identity = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
    execFileSync("git", [...identity, "-C", folder, ...args], { stdio: "ignore" });
  };
  mkdirSync(folder);
  git("init", "-q");
  const sources = globSync(["src/**/*.ts", "test/**/*.ts", "bench/**/*.ts", "docs/*.md"], { cwd: root }).sort();
  const made: string[] = [];
  for (let copy = 0; made.length < FILES; copy += 1) {
    for (const source of sources.slice(0, FILES - made.length)) {
      const path = `part${copy}/${source}`;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      copyFileSync(join(root, source), join(folder, path));
      made.push(path);
    }
    git("add", "-A");
    git("commit", "-q", "-m", `feat: part ${copy}`);
  }
  const random = seeded(5);
  for (let i = 0; i < 100; i += 1) {
    for (let k = 0; k < 4; k += 1) writeFileSync(join(folder, pick(random, made)), `// ${i}\n`, { flag: "a" });
    git("commit", "-q", "-a", "-m", `fix: change ${i}`);
  }
  return folder;
}
