/**
 * The figures that people wait for, with less than the whole machine: on one core, and while a busy loop runs on every
 * core. They have no aims: they show how far the others hold elsewhere.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Corpus } from "../lib/corpus.ts";
import { alternate } from "../lib/measure.ts";
import { dexCommand, type Program, runNode } from "../lib/program.ts";
import { differenceRow, type Row, ratioRow } from "../lib/table.ts";
import { BARE, listFile } from "./cold.ts";

const ONE_CORE = ["taskset", "-c", "0"];
const SHORT_ROUNDS = 9;
const BUSY = "for (;;) {}";
/** Otherwise a busy machine would get the empty answer, which is faster. */
const PATIENT = { DEX_HOOK_BUDGET_MS: "60000" };

/** Where there is no `taskset`, only the rows under load. */
export async function withLessThanTheMachine(
  program: Program,
  corpus: Corpus,
  { query, project }: { query: string; project: string },
): Promise<Row[]> {
  const rows: Row[] = [];
  if (spawnSync("taskset", ["-V"]).status === 0) {
    rows.push(...(await measured("one core", { ...program, launcher: ONE_CORE }, corpus, { query, project })));
  }
  const loops: ChildProcess[] = [];
  try {
    for (let core = 0; core < availableParallelism(); core += 1) {
      loops.push(spawn(process.execPath, ["-e", BUSY], { stdio: "ignore" }));
    }
    rows.push(...(await measured("every core busy", program, corpus, { query, project })));
  } finally {
    for (const loop of loops) loop.kill("SIGKILL");
  }
  return rows;
}

/** The home is synced before and after. */
async function measured(
  where: string,
  program: Program,
  corpus: Corpus,
  { query, project }: { query: string; project: string },
): Promise<Row[]> {
  const bare = (): number => runNode(program, ["-e", "0"]).ms;
  const search = (): number => runNode(program, dexCommand(program, "search", "--", query)).ms;
  const hook = (): number => {
    const event = { session_id: randomUUID(), cwd: project, hook_event_name: "SessionStart", source: "startup" };
    return runNode(program, dexCommand(program, "hook", "claude"), PATIENT, JSON.stringify(event)).ms;
  };
  const rows: Row[] = [];
  for (const [what, run] of [
    ["`dex search`", search],
    ["`dex hook`, the start of a session", hook],
  ] as const) {
    run();
    const pair = await alternate(SHORT_ROUNDS, run, bare);
    rows.push(differenceRow(`${where}: ${what}, whole process, over starting Node`, pair, undefined));
  }
  const fresh = { ...program, dexHome: `${program.dexHome}-once` };
  const list = listFile(program, corpus);
  const sync = (): number => runNode(fresh, dexCommand(fresh, "sync")).ms;
  const read = (): number => runNode(program, [BARE, "read", list]).ms;
  const pair = await alternate(1, sync, read);
  rmSync(fresh.dexHome, { recursive: true, force: true });
  return [ratioRow(`${where}: full sync over a bare read and parse of the same files`, pair, undefined), ...rows];
}
