/**
 * Measures the speed of the code graph, relative to the minimum that any program would have to do. --write updates the
 * table in docs/internals/performance/code.md.
 *
 *   node scripts/build.ts && node bench/code/run.ts [--quick] [--write] [--rounds 3] [--files N]
 *
 * The corpus is this repository's sources and tests, copied under other names until there are 5,000 files. --quick: 1,000. A busy
 * machine slows the two sides of a ratio differently, as one of them has several threads: CPU time is shown next to it.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { codeMap } from "../../src/code/answers/map.ts";
import { relatedFiles } from "../../src/code/answers/related.ts";
import { callees, callers, impact, importers, imports, tests } from "../../src/code/answers/relations.ts";
import { searchCode } from "../../src/code/answers/search.ts";
import { findTarget } from "../../src/code/answers/target.ts";
import { indexPaths, indexProject } from "../../src/code/indexing/indexer.ts";
import { loadLanguage } from "../../src/code/languages/registry.ts";
import { loadGrammar } from "../../src/code/parsing/parser.ts";
import { findCodeProject, openCode } from "../../src/code/project.ts";
import { pick, seeded } from "../../test/support/random.ts";
import { alternate, median, type Pair, quantile, timed } from "../lib/measure.ts";
import { dexCommand, type Program, runForUsage } from "../lib/program.ts";
import { markdownTable, memoryRow, type Row, ratioRow, timeRow, writeBetweenMarkers } from "../lib/table.ts";
import { makeCorpus } from "./corpus.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean" },
    write: { type: "boolean" },
    rounds: { type: "string" },
    files: { type: "string" },
  },
});
const FILES = Number(values.files ?? (values.quick ? 1000 : 5000));
const ROUNDS = Number(values.rounds ?? 3);
const QUERIES = 300;
const root = join(import.meta.dirname, "../..");
const temp = mkdtempSync(join(tmpdir(), "dex-code-bench-"));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));

const folder = join(temp, "project");
const files = makeCorpus(
  folder,
  ["src", "test", "bench"].map((part) => join(root, part)),
  FILES,
);
const project = findCodeProject(join(temp, "home"), folder);
const rows: Row[] = [];
/** Rows that were already printed. */
let told = 0;

say(`index of ${files.length} files`);
const loaded = await loadGrammar(await loadLanguage("typescript"));
const cpu: Pair = { a: [], b: [] };
const full = await alternate(
  ROUNDS,
  () => timed(() => cpuTimed(cpu.a, () => indexProject(project, { now: Date.now(), rebuild: true }))),
  () => timed(() => cpuTimed(cpu.b, bareParse)),
);
rows.push(ratioRow(`full index of ${files.length} files over a bare parse of them`, full, 2.5));
rows.push(ratioRow("the same in CPU time of all threads", cpu, 2.5));

say("nothing new");
// Files that changed a moment ago are read again, as they may still change.
await new Promise((resolve) => setTimeout(resolve, 2500));
await indexProject(project, { now: Date.now() });
const idle = await alternate(
  ROUNDS * 3,
  () => timed(() => indexProject(project, { now: Date.now() })),
  () => timed(() => spawnSync("git", ["status", "--porcelain"], { cwd: folder })),
);
rows.push(ratioRow("index with nothing new over `git status`", idle, 3));

say("one changed file");
const edited = join(folder, files[0] ?? "");
const original = readFileSync(edited, "utf8");
const small = await alternate(
  ROUNDS,
  async () => {
    writeFileSync(edited, `${original}\n// ${performance.now()}\n`);
    return timed(() => indexProject(project, { now: Date.now() }));
  },
  () => timed(() => spawnSync("git", ["status", "--porcelain"], { cwd: folder })),
);
rows.push(ratioRow("one changed body over `git status`", small, 20));
const followed: Record<string, () => void> = {
  "one changed body": () => writeFileSync(edited, `${original}\n// ${performance.now()}\n`),
  "one new function": () => writeFileSync(edited, `${original}\nexport function fresh${Date.now()}(): void {}\n`),
  "one new file": () => writeFileSync(`${edited}${Date.now()}.ts`, original),
};
for (const [what, change] of Object.entries(followed)) {
  const wall: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    change();
    const names = globSync(`${edited}*`);
    wall.push(await timed(() => cpuTimed(own, () => indexPaths(project, names, { now: Date.now() }))));
  }
  rows.push(
    timeRow(`${what}, named to \`indexPaths\``, median(wall), `${Math.round(median(own))} ms of CPU time`, 500),
  );
}

say("warm queries");
rows.push(...warmQueries());

say("memory");
const program = prepareProgram();
const usage = runForUsage(program, dexCommand(program, "code", "index", folder));
rows.push(memoryRow(`peak memory of a full index of ${files.length} files`, [usage.peak], 600e6));

const text = markdownTable(rows);
process.stdout.write(`${text}\n`);
if (values.write) writeBetweenMarkers(join(root, "docs/internals/performance/code.md"), text, "code");

async function cpuTimed(into: number[], work: () => unknown): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  into.push((user + system) / 1000);
}

function bareParse(): void {
  for (const path of files) loaded.parse(readFileSync(join(folder, path), "utf8"))?.delete();
}

function warmQueries(): Row[] {
  const { store } = openCode(project);
  const random = seeded(7);
  const names = store.names();
  const paths = store.files().map(({ path }) => path);
  const questions: Record<string, () => unknown> = {
    callers: () =>
      callers(
        store,
        findTarget(store, pick(random, names), () => undefined),
      ),
    callees: () =>
      callees(
        store,
        findTarget(store, pick(random, names), () => undefined),
      ),
    "imports of a file": () =>
      imports(
        store,
        findTarget(store, pick(random, paths), () => undefined),
      ),
    "importers of a file": () =>
      importers(
        store,
        findTarget(store, pick(random, paths), () => undefined),
      ),
    symbol: () => findTarget(store, pick(random, names), () => undefined).symbols,
    tests: () =>
      tests(
        store,
        findTarget(store, pick(random, names), () => undefined),
      ),
    impact: () =>
      impact(
        store,
        findTarget(store, pick(random, names), () => undefined),
      ),
    related: () => relatedFiles(store, store.file(pick(random, paths)) ?? fail()),
    map: () => codeMap(store, 1000, new Map([[store.file(pick(random, paths))?.no ?? 0, 1]])),
    search: () => searchCode(store, `${pick(random, names)} ${pick(random, names)}`, {}, 20),
    "a name that is not there": () => {
      try {
        findTarget(store, `${pick(random, names)}Zq`, () => undefined);
      } catch {
        return;
      }
    },
  };
  const found: Row[] = [];
  for (const [what, ask] of Object.entries(questions)) {
    const times: number[] = [];
    const own: number[] = [];
    for (let i = -10; i < QUERIES; i += 1) {
      const begin = performance.now();
      const used = process.cpuUsage();
      ask();
      const { user, system } = process.cpuUsage(used);
      if (i < 0) continue;
      times.push(performance.now() - begin);
      own.push((user + system) / 1000);
    }
    const p95 = quantile(times, 0.95);
    const measured = `${p95.toFixed(1)} ms (median ${quantile(times, 0.5).toFixed(1)} ms; CPU time ${quantile(own, 0.95).toFixed(1)} ms)`;
    found.push({ what: `warm \`${what}\`, p95`, measured, aim: "< 20 ms", met: p95 < 20 });
  }
  store.close();
  return found;
}

function prepareProgram(): Program {
  const copy = join(temp, "package");
  cpSync(join(root, "dist"), join(copy, "dist"), { recursive: true });
  copyFileSync(join(root, "package.json"), join(copy, "package.json"));
  const cwd = join(temp, "cwd");
  mkdirSync(cwd);
  return { dist: join(copy, "dist"), cwd, home: temp, dexHome: join(temp, "dex") };
}

function fail(): never {
  throw new Error("a file of the list is not there");
}

/** Printed as it grows: a long run may be cut short. */
function say(what: string): void {
  for (const row of rows.slice(told)) process.stderr.write(`${row.what}: ${row.measured}\n`);
  told = rows.length;
  process.stderr.write(`measuring: ${what}\n`);
}
