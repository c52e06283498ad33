/** The command line: argv to operation to text or JSON, and the exit status. */
import { Dex } from "../dex.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { nearest } from "../kernel/text.ts";
import type { Operation } from "../operations/operation.ts";
import { OPERATIONS } from "../operations/registry.ts";
import { runOperation } from "../operations/run.ts";
import { VERSION } from "../version.ts";
import { inputError, parseArgs } from "./args.ts";

/** Returns the exit status: 0 done, 1 nothing found, 2 usage or failure. */
export async function main(argv: readonly string[]): Promise<number> {
  endQuietlyOnBrokenPipe();
  const [verb, ...rest] = argv;
  if (verb === undefined || verb === "help" || verb === "--help" || verb === "-h") return help(rest[0]);
  if (verb === "--version" || verb === "-V" || verb === "version") {
    print(`dex ${VERSION}`);
    return 0;
  }
  const json = rest.includes("--json") || rest.includes("-j");
  try {
    return await runVerb(await operationNamed(verb), rest);
  } catch (error) {
    return fail(error, json);
  }
}

async function runVerb(operation: Operation, argv: readonly string[]): Promise<number> {
  const args = parseArgs(operation, argv);
  if (args.help) return help(operation.verb);
  const parsed = operation.input.safeParse(args.input, { reportInput: true });
  if (!parsed.success) throw inputError(operation, parsed.error);
  const dex = await Dex.open();
  const { startProgress } = await import("./progress.ts");
  const progress = startProgress(process.stderr, operation.verb === "sync" ? "Syncing" : "Working");
  try {
    const { output, notice } = await runOperation(dex, operation, parsed.data, {
      sync: !args.noSync,
      progress: progress.update,
    });
    progress.end();
    if (notice) process.stderr.write(`dex: ${notice}\n`);
    print(args.json ? JSON.stringify(output) : await render(operation, output));
    return operation.isEmpty?.(output) ? 1 : 0;
  } finally {
    progress.end();
    dex.close();
  }
}

async function render(operation: Operation, output: unknown): Promise<string> {
  const [{ RENDERERS }, { terminalOf }] = await Promise.all([import("./render.ts"), import("./terminal.ts")]);
  const renderer = RENDERERS[operation.verb];
  if (!renderer) return JSON.stringify(output, null, 2);
  return renderer(output as never, terminalOf(process.stdout, process.env, Date.now()));
}

async function operationNamed(verb: string): Promise<Operation> {
  const load = Object.hasOwn(OPERATIONS, verb) ? OPERATIONS[verb] : undefined;
  if (load) return load();
  const meant = nearest(verb, Object.keys(OPERATIONS));
  throw new DexError("unknown_command", `dex has no command "${verb}".`, {
    hint: meant ? `Did you mean \`dex ${meant}\`?` : "`dex --help` lists the commands.",
  });
}

async function help(verb: string | undefined): Promise<number> {
  const { generalHelp, operationHelp } = await import("./help.ts");
  try {
    print(verb === undefined ? await generalHelp() : operationHelp(await operationNamed(verb)));
    return 0;
  } catch (error) {
    return fail(error, false);
  }
}

function fail(error: unknown, json: boolean): number {
  if (!(error instanceof DexError)) {
    const detail = process.env.DEX_DEBUG && error instanceof Error ? (error.stack ?? "") : errorMessage(error);
    process.stderr.write(`dex: unexpected failure: ${detail}\n`);
    if (json) print(JSON.stringify({ error: { code: "unexpected", message: errorMessage(error) } }));
    return 2;
  }
  process.stderr.write(`dex: ${error.message}\n${error.hint ? `${error.hint}\n` : ""}`);
  if (json) print(JSON.stringify({ error: { code: error.code, message: error.message, hint: error.hint } }));
  return error.exitCode;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** `dex … | head` is no failure. */
function endQuietlyOnBrokenPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}
