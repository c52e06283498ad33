/** `dex ask`: one question, or with -i one after the other. Ctrl+C ends the answer that is being made. */
import type { Step } from "../../ask/answer.ts";
import { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { ask } from "../../operations/ask/ask.ts";
import { runOperation } from "../../operations/run.ts";
import { stepText } from "../../rendering/ask.ts";
import { cleanText, jsonText } from "../../text/clean.ts";
import { inputError, parseArgs } from "../args.ts";

export async function startAsk(argv: readonly string[]): Promise<number> {
  const { rest, interactive, verbose } = ownFlags(argv);
  const { input, json } = parseArgs(ask, rest);
  if (interactive || input.query === undefined) {
    if (json || !process.stdin.isTTY || !process.stdout.isTTY) {
      throw new DexError("no_terminal", interactive ? "-i needs a terminal." : "dex ask needs a question.", {
        hint: 'Give the question: `dex ask "…" -u "…"`.',
      });
    }
    const { holdSession } = await import("./session.ts");
    const parsed = ask.input.safeParse({ ...input, query: input.query ?? "?" });
    if (!parsed.success) throw inputError(ask, parsed.error);
    return holdSession({ ...parsed.data, query: typeof input.query === "string" ? input.query : "" }, verbose);
  }
  // At a terminal the use case is asked for; a program that gives none gets an answer all the same.
  if (input.use_case === undefined && !json && process.stdin.isTTY && process.stderr.isTTY) {
    input.use_case = await askUseCase();
  }
  const parsed = ask.input.safeParse(input, { reportInput: true });
  if (!parsed.success) throw inputError(ask, parsed.error);
  return answerOnce(parsed.data, json, verbose);
}

async function answerOnce(input: Parameters<typeof ask.run>[1], json: boolean, verbose: boolean): Promise<number> {
  const dex = await Dex.open();
  const stop = new AbortController();
  const interrupted = (): void => stop.abort();
  process.once("SIGINT", interrupted);
  try {
    const context = { signal: stop.signal, ...(verbose ? { step: showStep } : {}) };
    const { output, notice } = await runOperation(dex, ask, input, context);
    if (notice) process.stderr.write(cleanText(`dex: ${notice}\n`));
    process.stdout.write(`${json ? jsonText(output) : await rendered(output)}\n`);
    return ask.isEmpty?.(output) ? 1 : 0;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.stderr.write("dex: stopped\n");
    return 130;
  } finally {
    process.off("SIGINT", interrupted);
    dex.close();
  }
}

async function rendered(output: unknown): Promise<string> {
  const [{ renderOutput }, { terminalOf }] = await Promise.all([
    import("../../rendering/registry.ts"),
    import("../../rendering/terminal.ts"),
  ]);
  return renderOutput("ask", output, terminalOf(process.stdout, process.env, Date.now()));
}

/** Flags of the command line alone: they say how it is shown, not what is asked. */
function ownFlags(argv: readonly string[]): { rest: string[]; interactive: boolean; verbose: boolean } {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  const own = (...names: string[]): boolean => words.some((word) => names.includes(word));
  const mine = ["-i", "--interactive", "--verbose", "-v"];
  return {
    rest: argv.filter((word, i) => !(mine.includes(word) && (end < 0 || i < end))),
    interactive: own("-i", "--interactive"),
    verbose: own("--verbose", "-v"),
  };
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

function showStep(step: Step): void {
  process.stderr.write(cleanText(`${stepText(step)}\n`));
}
