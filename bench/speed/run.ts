/**
 * Measures the speed and size of dex, relative to the minimum that any program would have to do.
 * docs/internals/performance.md explains the figures.
 *
 *   npm run bench -- [--home DIR] [--quick] [--write]
 *
 * --home: histories to measure on, instead of the shared ones. --quick: three rounds instead of five. --write updates
 * the table in docs/internals/performance.md.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Corpus, openCorpus } from "../lib/corpus.ts";
import { loadLibrary, openDex } from "../lib/library.ts";
import { copyPackage, type Program } from "../lib/program.ts";
import { corpusQueries, sharedQueries } from "../lib/queries.ts";
import { markdownTable, megabytes, type Row, writeBetweenMarkers } from "../lib/table.ts";
import { firstAnswers, fullSync, hugeLines, idleSync } from "./cold.ts";
import { readersOfAbsentAgents } from "./discovery.ts";
import { hookAnswers } from "./hooks/hook.ts";
import { withLessThanTheMachine } from "./less_machine.ts";
import { serverStart, serverUnderLoad } from "./servers/server.ts";
import { usageBesideCcusage } from "./usage.ts";
import { idleSyncInProcess, type QuerySet, warmReading, warmSearch } from "./warm.ts";

const QUERIES = 240;
const SHARED_QUERIES = 200;
const root = join(import.meta.dirname, "../..");

const { values } = parseArgs({
  options: { home: { type: "string" }, quick: { type: "boolean" }, write: { type: "boolean" } },
});
const quick = values.quick ?? false;
const rounds = quick ? 3 : 5;
const temp = mkdtempSync(join(tmpdir(), "dex-bench-"));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));
process.once("SIGINT", () => process.exit(130));

const corpus = await openCorpus(values.home, temp, quick);
const program = prepareProgram(corpus);
const { rows, conversations } = await measureAll();
const text = `${markdownTable(rows)}\n\n${facts(corpus, conversations)}`;
process.stdout.write(`${text}\n`);
if (values.write) writeBetweenMarkers(join(root, "docs/internals/performance.md"), text);

async function measureAll(): Promise<{ rows: Row[]; conversations: number }> {
  say(`full sync of ${megabytes(corpus.bytes)}`);
  const full = await fullSync(program, corpus, rounds);
  const library = await loadLibrary(program);
  const dex = await openDex(library, program);
  try {
    const queries = await corpusQueries(library, dex, QUERIES);
    const shared = sharedQueries(SHARED_QUERIES);
    say("sync with nothing new");
    const idle = await idleSyncInProcess(library, program, corpus, rounds);
    idle.push(await readersOfAbsentAgents());
    const idleProcess = await idleSync(program, corpus, rounds);
    say("first answers");
    const cold = await firstAnswers(program, queries, rounds);
    say("hooks");
    cold.push(...(await hookAnswers(program, root, rounds)));
    say("warm answers");
    const sets: QuerySet[] = [
      { name: "queries from the corpus", queries, mustFind: 0.9 * queries.length },
      { name: "real queries", queries: shared, mustFind: 0 },
    ];
    const warm: Row[] = [];
    for (const set of sets) if (set.queries.length > 0) warm.push(await warmSearch(library, dex, set, rounds));
    warm.push(...(await warmReading(library, dex, rounds)));
    say("usage beside ccusage");
    warm.push(...(await usageBesideCcusage(library, dex, program, rounds)));
    say("servers");
    const served = await serverStart(program, rounds * 3);
    if (process.platform === "linux") served.push(...(await serverUnderLoad(program)));
    say("lines of 100 MB");
    const huge = hugeLines(program, temp, rounds);
    const stats = await library.operations.stats();
    const { total_conversations } = await stats.run(dex, {}, {});
    say("one core, and every core busy");
    const where = { query: queries[0] ?? "", project: root };
    const less = await withLessThanTheMachine(program, corpus, where);
    const whole = [full.time, ...idle, ...idleProcess, ...cold, ...served, ...warm, full.memory, ...huge, full.disk];
    const rows = [...whole, ...less];
    return { rows, conversations: total_conversations };
  } finally {
    dex.close();
  }
}

function prepareProgram({ home }: Corpus): Program {
  const dist = copyPackage(root, join(temp, "package"));
  const cwd = join(temp, "cwd");
  mkdirSync(cwd);
  return { dist, cwd, home, dexHome: join(temp, "dex") };
}

function facts({ name, files, bytes }: Corpus, conversations: number): string {
  const model = cpus()[0]?.model.trim() || "unknown CPU";
  const machine = `${model}, ${availableParallelism()} cores, ${process.platform}, Node ${process.versions.node}`;
  const what = `${name}: ${files.length} files, ${megabytes(bytes)}, ${conversations} conversations`;
  return `Machine: ${machine}. Corpus: ${what}. Rounds: ${rounds}.`;
}

function say(what: string): void {
  process.stderr.write(`measuring: ${what}\n`);
}
