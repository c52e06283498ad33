/** `dex usage` and ccusage by day, for all agents, on the same histories: dex has synced, and the files are in memory. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Dex } from "../../src/dex.ts";
import { installed } from "../../test/support/program/installed.ts";
import type { Library } from "../lib/library.ts";
import { alternate, timed } from "../lib/measure.ts";
import { dexCommand, type Program, runNode, variables } from "../lib/program.ts";
import { type Row, ratioRow } from "../lib/table.ts";

const CCUSAGE = "ccusage@20.0.20";
const AIM = 0.1;

/** No row if ccusage cannot be installed. */
export async function usageBesideCcusage(library: Library, dex: Dex, program: Program, rounds: number): Promise<Row[]> {
  const folder = installed(CCUSAGE);
  if (folder === undefined) return [];
  const theirs = (): Promise<number> => timed(() => runCcusage(folder, program));
  const node = (): number => runNode(program, ["-e", "0"]).ms;
  const process = (): number => runNode(program, dexCommand(program, "usage", "--json")).ms;
  const usage = await library.operations.usage();
  const input = usage.input.parse({});
  const call = (): Promise<number> =>
    timed(async () => {
      await dex.sync();
      await usage.run(dex, input, {});
    });
  await alternate(1, process, theirs);
  return [
    ratioRow(
      "`dex usage` over ccusage 20 (native), by day, whole processes",
      await alternate(rounds, process, theirs),
      AIM,
    ),
    ratioRow("starting Node alone, over ccusage", await alternate(rounds, node, theirs), undefined),
    ratioRow(
      "`dex usage` in a running server, with its sync, over a process of ccusage",
      await alternate(rounds, call, theirs),
      AIM,
    ),
  ];
}

function runCcusage(folder: string, program: Program): void {
  const args = [join(folder, "src/cli.js"), "daily", "--json", "--offline"];
  const run = spawnSync(process.execPath, args, { env: variables(program), encoding: "utf8", maxBuffer: 64 << 20 });
  if (run.status !== 0) throw new Error(`ccusage failed: ${run.stderr}`);
}
