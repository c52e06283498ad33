/** `dex ask`: one question, or with -i a session of questions. Ctrl+C stops the current answer. */
import type { AskStep } from "../../ask/answer.ts";
import { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { ask } from "../../operations/ask/ask.ts";
import { runOperation } from "../../operations/run.ts";
import { stepText } from "../../rendering/ask.ts";
import { cleanText, jsonText } from "../../text/clean.ts";
import { inputError } from "../arguments.ts";
import { startProgress } from "../terminal/progress.ts";
import { hasModel } from "./has_model.ts";

/** The fields of the question, and how the command line shows the answer. */
export interface AskAtTerminal extends Record<string, unknown> {
  query?: string | undefined;
  use_case?: string | undefined;
  interactive: boolean;
  verbose: boolean;
  json: boolean;
  no_sync: boolean;
}

export async function startAsk(typed: AskAtTerminal): Promise<number> {
  const { interactive, verbose, json, no_sync, ...asked } = typed;
  if (interactive || asked.query === undefined) {
    if (json || !process.stdin.isTTY || !process.stdout.isTTY) {
      throw new DexError("no_terminal", interactive ? "-i needs a terminal." : "No question was given.", {
        hint: 'Give the question: `dex ask "how do I run the tests?"`.',
      });
    }
    const { holdSession } = await import("./session.ts");
    return holdSession({ ...checked({ ...asked, query: asked.query ?? "?" }), query: asked.query ?? "" }, verbose);
  }
  const input = checked(asked);
  const dex = await Dex.open();
  try {
    // At a terminal dex asks for the use case, if a model answers; a program may leave it out.
    const isAtTerminal = !json && process.stdin.isTTY && process.stderr.isTTY;
    if (asked.use_case === undefined && isAtTerminal && hasModel(dex, input)) input.use_case = await askUseCase();
    return await answerOnce(dex, input, { json, verbose, sync: !no_sync });
  } finally {
    dex.close();
  }
}

function checked(input: Record<string, unknown>): Parameters<typeof ask.run>[1] {
  const parsed = ask.input.safeParse(input, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw inputError(ask, parsed.error);
}

async function answerOnce(
  dex: Dex,
  input: Parameters<typeof ask.run>[1],
  { json, verbose, sync }: { json: boolean; verbose: boolean; sync: boolean },
): Promise<number> {
  const stop = new AbortController();
  const progress = startProgress(process.stderr, { title: "Working" });
  const interrupted = (): void => stop.abort();
  process.once("SIGINT", interrupted);
  try {
    const { output, notice } = await runOperation(dex, ask, input, {
      sync,
      stale: !sync,
      signal: stop.signal,
      progress: (done, total, label) => progress.update(done, total, label),
      ...(verbose ? { step: showStep } : {}),
    });
    progress.end();
    if (notice) process.stderr.write(cleanText(`dex: ${notice}\n`));
    process.stdout.write(`${json ? jsonText(output) : await rendered(output)}\n`);
    return ask.isEmpty?.(output) ? 1 : 0;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.stderr.write("dex: stopped\n");
    return 130;
  } finally {
    process.off("SIGINT", interrupted);
    progress.end();
  }
}

async function rendered(output: unknown): Promise<string> {
  const [{ renderOutput }, { terminalOf }] = await Promise.all([
    import("../../rendering/registry.ts"),
    import("../../rendering/terminal/terminal.ts"),
  ]);
  return renderOutput("ask", output, terminalOf(process.stdout, process.env, Date.now()));
}

async function askUseCase(): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question("What is it for? (Enter to leave it out) ")).trim();
  } finally {
    lines.close();
  }
}

function showStep(step: AskStep): void {
  process.stderr.write(cleanText(`${stepText(step)}\n`));
}
