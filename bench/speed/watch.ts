/**
 * Measures how soon `dex watch` has indexed a save, the cost of ten thousand files at once, and its idle cost.
 *
 *   node scripts/build.ts && node bench/speed/watch.ts [--quick] [--write]
 *
 * The project is a copy of this repository's sources and tests. dex prints a batch once it is in the index, so the time
 * from a save to its line is the time until `dex code` sees it.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { ChangeBatch } from "../../src/suggest/model.ts";
import { quantile } from "../lib/measure.ts";
import { variables } from "../lib/program.ts";
import { markdownTable, type Row, writeBetweenMarkers } from "../lib/table.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean" }, write: { type: "boolean" } } });
const SAVES = values.quick ? 20 : 60;
const BURST = 10_000;
const IDLE_MS = 20_000;
/** By then the cleanup after the last work is over. */
const SETTLE_MS = 45_000;
const root = join(import.meta.dirname, "../..");
const temp = realpathSync(mkdtempSync(join(tmpdir(), "dex-watch-bench-")));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));

const project = join(temp, "project");
for (const part of ["src", "test", "bench", "docs"]) cpSync(join(root, part), join(project, part), { recursive: true });
for (const args of [
  ["init", "-q"],
  ["add", "-A"],
]) {
  spawnSync("git", args, { cwd: project });
}
const files = spawnSync("git", ["ls-files"], { cwd: project, encoding: "utf8" }).stdout.trim().split("\n").length;

const home = { dist: join(root, "dist"), cwd: project, home: join(temp, "home"), dexHome: join(temp, "home/.dex") };
mkdirSync(home.home);
const child = spawn(process.execPath, [join(home.dist, "dex.js"), "watch", "--json"], {
  cwd: project,
  env: variables(home),
  stdio: ["ignore", "pipe", "pipe"],
});
process.once("exit", () => child.kill("SIGKILL"));
const batches: { batch: ChangeBatch; at: number }[] = [];
let errors = "";
child.stderr.setEncoding("utf8").on("data", (text: string) => {
  errors += text;
});
let rest = "";
child.stdout.setEncoding("utf8").on("data", (text: string) => {
  const at = performance.now();
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) batches.push({ batch: JSON.parse(line) as ChangeBatch, at });
});
await until(() => /up to date/.test(errors));
await sleep(2000);

interface Save {
  ms: number;
  /** Of the watcher, all its threads together. */
  cpu: number;
}

const rows: Row[] = [];
say("saves");
const target = "src/kernel/text.ts";
const text = readFileSync(join(project, target), "utf8");
const bodies: Save[] = [];
const names: Save[] = [];
for (let i = 0; i < SAVES; i += 1) {
  const named = `${text}export const added${i >> 1} = 1;\n`;
  if (i % 2 === 0) names.push(await saved(target, named));
  else bodies.push(await saved(target, `${named}// ${i}\n`));
  await sleep(300);
}
rows.push(latencyRow("a save that other files do not see (a comment, a body) until it is indexed", bodies));
rows.push(latencyRow("a save with another exported name until it is indexed", names));

say(`${BURST} files at once`);
const before = batches.length;
const begin = performance.now();
for (let i = 0; i < BURST; i += 1) {
  const folder = join(project, `burst${i % 10}/b${i % 100}`);
  if (i < 100) mkdirSync(folder, { recursive: true });
  if (i % 10 === 0) writeFileSync(join(folder, `f${i}.ts`), `export function fun${i}() { return ${i}; }\n`);
  else writeFileSync(join(folder, `f${i}.md`), `# Page ${i}\n`);
}
const written = performance.now() - begin;
const told = (): number => new Set(batches.slice(before).flatMap(({ batch }) => batch.changed)).size;
await until(() => told() >= BURST);
const burst = (batches.at(-1)?.at ?? 0) - begin;
rows.push({
  what: `${BURST.toLocaleString("en")} new files at once (a tenth of them code) until all are indexed`,
  measured: `${(burst / 1000).toFixed(1)} s in ${batches.length - before} batches; writing them took ${(written / 1000).toFixed(1)} s`,
  aim: "≤ 5 batches",
  met: batches.length - before <= 5,
});

say("idle");
await sleep(SETTLE_MS);
const used = processorMs();
await sleep(IDLE_MS);
const idle = processorMs() - used;
const share = (idle / IDLE_MS) * 100;
rows.push({
  what: "processor time while nothing happens",
  measured: `${share.toFixed(3)} % (${idle.toFixed(1)} ms in ${IDLE_MS / 1000} s)`,
  aim: "< 0.1 %",
  met: share < 0.1,
});
child.kill("SIGTERM");
await once(child, "close");

const table = `${markdownTable(rows)}\n\nProject: ${files} files. ${SAVES} saves.`;
process.stdout.write(`${table}\n`);
if (values.write) writeBetweenMarkers(join(root, "docs/internals/performance/watching.md"), table, "watch");

async function saved(path: string, content: string): Promise<Save> {
  const known = batches.length;
  const used = processorMs();
  const begin = performance.now();
  writeFileSync(join(project, path), content);
  const found = (): number | undefined => batches.slice(known).find(({ batch }) => batch.changed.includes(path))?.at;
  await until(() => found() !== undefined);
  return { ms: (found() ?? 0) - begin, cpu: processorMs() - used };
}

/** Of all its threads, to the nanosecond. */
function processorMs(): number {
  const tasks = `/proc/${child.pid}/task`;
  const spent = readdirSync(tasks).map((task) =>
    Number(readFileSync(join(tasks, task, "schedstat"), "utf8").split(" ")[0]),
  );
  return spent.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

function latencyRow(what: string, saves: readonly Save[]): Row {
  const times = saves.map(({ ms }) => ms);
  const [half, most, worst] = [quantile(times, 0.5), quantile(times, 0.95), Math.max(...times)];
  const cpu = quantile(
    saves.map((save) => save.cpu),
    0.5,
  );
  const measured = `median ${half.toFixed(0)} ms, p95 ${most.toFixed(0)} ms, worst ${worst.toFixed(0)} ms; processor time ${cpu.toFixed(0)} ms`;
  return { what, measured, aim: "p95 ≤ 2 s", met: most <= 2000 };
}

async function until(done: () => boolean): Promise<void> {
  for (const begin = performance.now(); !done(); await sleep(5)) {
    if (performance.now() - begin > 300_000) throw new Error(`it never came:\n${errors}`);
  }
}

function say(what: string): void {
  process.stderr.write(`measuring: ${what}\n`);
}
