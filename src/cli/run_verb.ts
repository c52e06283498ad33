/** Runs one verb from the command line and prints its answer as text or JSON. */
import { statSync } from "node:fs";
import { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import type { Operation } from "../operations/operation.ts";
import { runOperation } from "../operations/run.ts";
import { renderOutput } from "../rendering/registry.ts";
import { terminalOf } from "../rendering/terminal/terminal.ts";
import type { AskToSync } from "../sync/freshness/freshen.ts";
import { progressText, stoppedText } from "../sync/totals.ts";
import { hasTeam } from "../team/joined.ts";
import { jsonText } from "../text/clean.ts";
import { restoreEngineFlags, tuneForOneAnswer } from "../threads/engine_flags.ts";
import { holdYoungGeneration } from "../threads/heap_generations.ts";
import { inputError, parseArgs } from "./arguments.ts";
import { plainInput, tableRowOf } from "./inputs/input_table.ts";
import { INTERRUPTED_STATUS, stopOnInterrupt } from "./terminal/interrupt.ts";
import { writeNotice } from "./terminal/notice.ts";
import { printPaged } from "./terminal/pager.ts";
import { startProgress } from "./terminal/progress.ts";
import { askYesNo, isInteractive } from "./terminal/question.ts";
import { stderr, stdout } from "./terminal/standard_streams.ts";

const NOTHING_FOUND = 1;

/** Defined by the build of the program of one file, which answers once from the index and ends. */
declare const DEX_ONE_ANSWER: boolean | undefined;

/**
 * Verbs for which dex tunes V8 to a single answer. Shorter verbs end too early to gain; longer ones, and regular
 * expressions, need V8's optimizing compilers.
 */
const TUNED_VERBS: ReadonlySet<string> = new Set(["search"]);

function isTuned({ verb }: Operation, input: Record<string, unknown>): boolean {
  return typeof DEX_ONE_ANSWER === "boolean" && TUNED_VERBS.has(verb) && input.regex !== true;
}

/** V8 rejects cached code once its flags have changed, so the team's driver is loaded before they change. */
async function tune(dex: Dex, { shared }: Operation): Promise<void> {
  if (shared && hasTeam(dex.paths.team)) {
    restoreEngineFlags();
    await (await import("../team/access.ts")).loadDriver(dex.paths.team);
  }
  tuneForOneAnswer(sizeOf(dex.paths.index));
}

/** Returns the exit status, or undefined when the arguments ask for help. */
export async function runVerb(operation: Operation, argv: readonly string[]): Promise<number | undefined> {
  const args = parseArgs(operation, argv);
  if (args.help) return undefined;
  const input = validInput(operation, args.input);
  const dex = await Dex.open({ withoutSettings: operation.withoutSettings === true });
  const isSync = operation.verb === "sync";
  const stop = isSync ? stopOnInterrupt() : undefined;
  // This early, because V8 enlarges the young generation while the program starts, and a sync is not faster with it.
  const release = isSync ? holdYoungGeneration() : undefined;
  const progress = startProgress(
    stderr(),
    isSync ? { title: "Syncing", waitingText: "looking for changes" } : { title: "Working" },
  );
  let started: number | undefined;
  try {
    const { output, notice, unindexed } = await runOperation(dex, operation, input, {
      sync: !args.noSync,
      stale: args.noSync,
      progress: (done, total, label) => progress.update(done, total, label),
      // Only verbs that write ask, so only they pay for a stream of stdin.
      confirm:
        args.json || operation.readOnly || !process.stdin.isTTY
          ? undefined
          : (plan, question) => confirm(operation, plan, question),
      askToSync: args.json || !isInteractive() ? undefined : askToSync,
      syncing: stderr().isTTY ? (at) => progress.update(at.bytes, at.totalBytes, progressText(at)) : undefined,
      value: async (of) => (await import("./terminal/value.ts")).askValue(of),
      signal: stop?.signal,
      ready: async () => (isTuned(operation, input) ? tune(dex, operation) : restoreEngineFlags()),
      start: async (command, cwd) => {
        progress.end();
        started = await (await import("./terminal/start.ts")).startProgram(command, cwd);
        return started;
      },
    });
    progress.end();
    const printNotice = (): void => {
      if (notice) writeNotice(`dex: ${notice}`);
    };
    // On a terminal a long answer would scroll the notice away, so it comes last.
    const noticeLast = stdout().isTTY && stderr().isTTY;
    if (!noticeLast) printNotice();
    if (started === undefined) await show(operation, output, args);
    if (noticeLast) printNotice();
    if (stop?.signal.aborted) return INTERRUPTED_STATUS;
    return started ?? (unindexed || operation.isEmpty?.(output) ? NOTHING_FOUND : 0);
  } finally {
    stop?.end();
    progress.end();
    dex.close();
    restoreEngineFlags();
    release?.();
  }
}

function validInput(operation: Operation, given: Record<string, unknown>): Record<string, unknown> {
  const row = tableRowOf(operation);
  const plain = row && plainInput(row, given);
  if (plain) return plain;
  const parsed = operation.input.safeParse(given, { reportInput: true });
  if (!parsed.success) throw inputError(operation, parsed.error);
  return parsed.data;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function show(operation: Operation, output: unknown, args: { json: boolean; noPager: boolean }): Promise<void> {
  if (args.json) stdout().write(`${jsonText(output)}\n`);
  else await printPaged(await render(operation, output), !args.noPager);
}

/** The first sync before an answer. It may take a minute, so the person is asked first and can stop it. */
export const askToSync: AskToSync = async (question, sync) => {
  if (question !== undefined && !(await askYesNo(question, true))) return false;
  const stop = stopOnInterrupt();
  const progress = startProgress(stderr(), { title: "Syncing", waitingText: "looking for history" });
  try {
    const totals = await sync({
      signal: stop.signal,
      progress: (at) => progress.update(at.bytes, at.totalBytes, progressText(at)),
    });
    if (totals?.files_left !== undefined) throw new DexError("stopped", stoppedText(totals));
    return totals !== undefined;
  } finally {
    progress.end();
    stop.end();
  }
};

/** The default is no, because the changes affect files of other programs or cannot be undone. */
async function confirm(operation: Operation, plan: unknown, question = "Make these changes?"): Promise<boolean> {
  stderr().write(`${await render(operation, plan)}\n`);
  return askYesNo(question, false);
}

async function render(operation: Operation, output: unknown): Promise<string> {
  return renderOutput(operation.verb, output, terminalOf(stdout(), process.env, Date.now()));
}
