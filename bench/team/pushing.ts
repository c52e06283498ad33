/** Figures of pushes: a whole home, nothing new, and twenty members at once. */
import { join } from "node:path";
import { writeClaudeHistory } from "../../test/support/histories/generate.ts";
import { alternate, timed } from "../lib/measure.ts";
import { dexCommand, type Program, runForUsage, runNode } from "../lib/program.ts";
import { differenceRow, megabytes, type Row, timeRow } from "../lib/table.ts";
import { type BenchTeam, run, running, SCOPE } from "./server.ts";

const PUSHERS = 20;
const BIG_PUSH_BYTES = 26e6;
const BIG_PUSH_MS = 3000;

/** Shares everything of a home that was synced, pushes it, and waits until it is indexed. */
export async function bigPush(team: BenchTeam, program: Program): Promise<Row[]> {
  run(program, "team", "share", "/", "--as", SCOPE, "--now");
  const { ms, cpu, stdout } = runForUsage(program, dexCommand(program, "push", "--no-sync", "--json"));
  const { bytes, conversations } = JSON.parse(stdout) as { bytes: number; conversations: number };
  // The aim is for 26 MB; the time of other sizes is compared with its share.
  const aim = Math.round((BIG_PUSH_MS * bytes) / BIG_PUSH_BYTES);
  const note = `${(cpu / 1000).toFixed(2)} s of processor time`;
  const indexed = (await timed(() => team.indexed())) / 1000;
  return [
    timeRow(`push of a whole home: ${conversations} conversations, ${megabytes(bytes)} of archive`, ms, note, aim),
    { what: "the index of all that, in the background", measured: `${indexed.toFixed(1)} s`, aim: "", met: true },
  ];
}

export async function nothingNew(program: Program, rounds: number): Promise<Row[]> {
  const bare = ["-e", "0"];
  const push = dexCommand(program, "push", "--json");
  const alone = dexCommand(program, "push", "--json", "--no-sync");
  const ms = (command: readonly string[]) => () => runNode(program, command).ms;
  const cpu = (command: readonly string[]) => () => runForUsage(program, command).cpu;
  for (const command of [push, alone]) ms(command)();
  return [
    differenceRow(
      "`dex push` with nothing new, whole process, over starting Node",
      await alternate(rounds, ms(push), ms(bare)),
      100,
    ),
    differenceRow("the same in processor time", await alternate(rounds, cpu(push), cpu(bare)), undefined),
    differenceRow(
      "the same in processor time, without the sync before it (`--no-sync`)",
      await alternate(rounds, cpu(alone), cpu(bare)),
      undefined,
    ),
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
