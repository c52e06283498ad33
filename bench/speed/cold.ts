/** Figures of whole processes: a full sync, a sync with nothing to do, the first answer, memory and disk. */
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { walkFiles } from "../../src/integrations/history/reading/files.ts";
import { asNumber, isObject, parseJson } from "../../src/kernel/json.ts";
import type { Corpus } from "../lib/corpus.ts";
import { alternate } from "../lib/measure.ts";
import { dexCommand, type Program, runForUsage, runNode, type Usage } from "../lib/program.ts";
import { differenceRow, megabytes, memoryRow, type Row, ratioRow, ratioText, shareRow } from "../lib/table.ts";
import { writeHugeLines } from "./huge.ts";

export const BARE = join(import.meta.dirname, "../lib/bare.mjs");
const MEMORY_AIM = 300e6;
/** Of a line of 100 MB, which is held as a whole. */
const HUGE_MEMORY_AIM = 350e6;
/** With more cores, readers work side by side. */
const SYNC_AIM = availableParallelism() >= 4 ? 2 : 3.5;
const SEARCH_AIM_MS = 90;
const SHORT_AIM_MS = 50;
/** Short processes are started this many times as often as long ones. */
const SHORT = 3;

/** Leaves a synced home for the other figures. */
export async function fullSync(
  program: Program,
  corpus: Corpus,
  rounds: number,
): Promise<{ time: Row; memory: Row; disk: Row }> {
  const syncs: Usage[] = [];
  const reads: Usage[] = [];
  const measured = (into: Usage[], command: string[]): number => {
    const used = runForUsage(program, command);
    into.push(used);
    return used.ms;
  };
  const sync = (): number => {
    rmSync(program.dexHome, { recursive: true, force: true });
    return measured(syncs, dexCommand(program, "sync"));
  };
  const bare = [BARE, "read", listFile(program, corpus)];
  warmCaches(program);
  runNode(program, bare);
  const pair = await alternate(rounds, sync, () => measured(reads, bare));
  const cpu = { a: syncs.map((usage) => usage.cpu), b: reads.map((usage) => usage.cpu) };
  const peaks = syncs.map(({ peak }) => peak);
  return {
    time: ratioRow(
      "full sync over a bare read and parse of the same files",
      pair,
      SYNC_AIM,
      `processor time ${ratioText(cpu)}`,
    ),
    memory: memoryRow("most memory held by a full sync", peaks, MEMORY_AIM),
    disk: diskRow(program, corpus),
  };
}

export async function idleSync(program: Program, corpus: Corpus, rounds: number): Promise<Row[]> {
  const list = listFile(program, corpus);
  const sync = (): number => runNode(program, dexCommand(program, "sync")).ms;
  const stat = (): number => runNode(program, [BARE, "stat", list]).ms;
  sync();
  const pair = await alternate(rounds * SHORT, sync, stat);
  return [ratioRow("sync with nothing new over a bare stat of the same files, whole processes", pair, 5)];
}

export async function firstAnswers(program: Program, queries: readonly string[], rounds: number): Promise<Row[]> {
  const bare = (): number => runNode(program, ["-e", "0"]).ms;
  let next = 0;
  const search = (): number => {
    const query = queries[next % queries.length] ?? "";
    next += 1;
    return runNode(program, dexCommand(program, "search", "--", query)).ms;
  };
  search();
  const what = (verb: string): string => `\`dex ${verb}\`, whole process, over starting Node`;
  const rows = [differenceRow(what("search"), await alternate(rounds * SHORT, search, bare), SEARCH_AIM_MS)];
  for (const verb of ["stats", "list", "--help"]) {
    const run = (): number => runNode(program, dexCommand(program, verb)).ms;
    run();
    rows.push(differenceRow(what(verb), await alternate(rounds * SHORT, run, bare), SHORT_AIM_MS));
  }
  return rows;
}

export function hugeLines(program: Program, temp: string, rounds: number): Row[] {
  const home = join(temp, "huge");
  const expected = writeHugeLines(home);
  const peaks: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const huge = { ...program, home, dexHome: join(temp, "huge-dex") };
    const { peak, stdout } = runForUsage(huge, dexCommand(huge, "sync", "--json"));
    const totals = parseJson(stdout);
    const found = isObject(totals) ? asNumber(totals.new) : undefined;
    if (found !== expected)
      throw new Error(`${found} of ${expected} conversations with huge lines were read: ${stdout}`);
    peaks.push(peak);
    rmSync(huge.dexHome, { recursive: true });
  }
  rmSync(home, { recursive: true });
  return [memoryRow("most memory held by a sync of single lines of 100 MB", peaks, HUGE_MEMORY_AIM)];
}

/** Index and archive together: everything that dex left on the disk. */
function diskRow(program: Program, corpus: Corpus): Row {
  const size = (paths: string[]): number => paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const archive = size(walkFiles(join(program.dexHome, "archive"), 16, () => true));
  const all = size(walkFiles(program.dexHome, 16, () => true));
  const note = `archive ${megabytes(archive)}, index ${megabytes(all - archive)}`;
  return shareRow("index and archive over the bytes of the sources", all / corpus.bytes, note, 0.6);
}

/** The first start of a build compiles it, later ones do not: this one-time cost is not measured. */
function warmCaches(program: Program): void {
  const home = join(program.cwd, "../nobody");
  mkdirSync(home, { recursive: true });
  const nobody = { ...program, home, dexHome: join(home, ".dex") };
  for (const verb of ["sync", "stats"]) runNode(nobody, dexCommand(program, verb));
}

export function listFile(program: Program, corpus: Corpus): string {
  const path = join(program.cwd, "../files.json");
  writeFileSync(path, JSON.stringify(corpus.files));
  return path;
}
