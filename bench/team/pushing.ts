/** Figures of pushes: a whole home, nothing new, and twenty members at once. */
import { join } from "node:path";
import { writeClaudeHistory } from "../../test/support/generate.ts";
import { alternate, timed } from "../lib/measure.ts";
import { dexCommand, type Program, runForUsage, runNode } from "../lib/program.ts";
import { differenceRow, megabytes, type Row, timeRow } from "../lib/table.ts";
import { type BenchTeam, run, running, SCOPE } from "./server.ts";

const PUSHERS = 20;
const BIG_PUSH_BYTES = 26e6;
const BIG_PUSH_MS = 3000;

/** Shares everything of a home that was synced, pushes it, and waits until it is indexed. */
export function bigPush(program: Program): Row[] {
  run(program, "team", "share", "/", "--as", SCOPE, "--now");
  const { ms, cpu, stdout } = runForUsage(program, dexCommand(program, "push", "--no-sync", "--json"));
  const { bytes, conversations } = JSON.parse(stdout) as { bytes: number; conversations: number };
  // The aim is for 26 MB; the time of other sizes is compared with its share.
  const aim = Math.round((BIG_PUSH_MS * bytes) / BIG_PUSH_BYTES);
  const note = `${(cpu / 1000).toFixed(2)} s of processor time`;
  const started = performance.now();
  run(program, "push", "--no-sync", "--wait");
  const indexed = (performance.now() - started) / 1000;
  return [
    timeRow(`push of a whole home: ${conversations} conversations, ${megabytes(bytes)} of archive`, ms, note, aim),
    { what: "the index of all that, in the background", measured: `${indexed.toFixed(1)} s`, aim: "", met: true },
  ];
}

export async function nothingNew(program: Program, rounds: number): Promise<Row[]> {
  const bare = (): number => runNode(program, ["-e", "0"]).ms;
  const push = (...words: string[]) => {
    const command = dexCommand(program, "push", "--json", ...words);
    const once = (): number => runNode(program, command).ms;
    once();
    return once;
  };
  const synced = await alternate(rounds, push(), bare);
  const alone = await alternate(rounds, push("--no-sync"), bare);
  return [
    differenceRow("`dex push` with nothing new, whole process, over starting Node", synced, 100),
    differenceRow("the same without the sync before it (`--no-sync`)", alone, undefined),
  ];
}

/** Every pusher has conversations of their own, in one project. */
export async function manyPushers(team: BenchTeam, temp: string): Promise<Row[]> {
  const programs = Array.from({ length: PUSHERS }, (_, at) => {
    const home = join(temp, `pusher${at}`);
    writeClaudeHistory(home, 1000 + at, { sessions: 5, turns: 20 });
    const program = team.join(`pusher${at}`, home);
    run(program, "sync");
    run(program, "team", "share", "/", "--as", `${SCOPE}-pushers`, "--now");
    return program;
  });
  let failed = 0;
  let sent = 0;
  const ms = await timed(async () => {
    const ends = await Promise.all(programs.map((program) => running(program, "push", "--no-sync")));
    for (const { status, output } of ends) {
      failed += status === 0 ? 0 : 1;
      sent += status === 0 ? Number((JSON.parse(output.slice(output.indexOf("{"))) as { bytes: number }).bytes) : 0;
    }
  });
  return [
    {
      what: `${PUSHERS} members push to one project at once`,
      measured: `${failed} failed; ${megabytes(sent)} in ${(ms / 1000).toFixed(1)} s`,
      aim: "0 failed",
      met: failed === 0,
    },
  ];
}
