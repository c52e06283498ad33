/** The command line: argv to operation to text or JSON, and the exit status. */
import { DexError, errorMessage } from "../kernel/errors.ts";
import { nearest } from "../kernel/text.ts";
import type { Operation } from "../operations/operation.ts";
import { OPERATIONS } from "../operations/registry.ts";
import { cleanText, jsonText } from "../text/clean.ts";
import { VERSION } from "../version.ts";
import { inputError, parseArgs } from "./args.ts";
import { PROGRAMS, type Program } from "./programs.ts";

/** Returns the exit status: 0 done, 1 nothing found, 2 usage or failure. */
export async function main(argv: readonly string[]): Promise<number> {
  endQuietlyOnBrokenPipe();
  const first = argv[0];
  if (first === undefined || first === "help" || first === "--help" || first === "-h") return help(argv.slice(1));
  if (first === "--version" || first === "-V" || first === "version") {
    print(`dex ${VERSION}`);
    return 0;
  }
  try {
    return await runCommand(argv);
  } catch (error) {
    return fail(error, argv.includes("--json") || argv.includes("-j"));
  }
}

async function runCommand(argv: readonly string[]): Promise<number> {
  const program = programOf(argv);
  if (program) {
    const rest = argv.slice(program.split(" ").length);
    const { usage, load } = PROGRAMS[program] as Program;
    if (rest.includes("--help") || rest.includes("-h")) {
      print(`dex ${usage}`);
      return 0;
    }
    return (await load())(rest);
  }
  const verb = verbOf(argv, OPERATIONS);
  const operation = verb === undefined ? undefined : await OPERATIONS[verb]?.();
  if (!verb || !operation) {
    // The first word of a family, alone or with a question mark behind it, so to speak.
    const asks = argv.length === 1 || argv[1] === "--help" || argv[1] === "-h";
    if (asks) return help(argv.slice(0, 1));
    throw unknownVerb(argv);
  }
  return runVerb(operation, argv.slice(verb.split(" ").length));
}

async function runVerb(operation: Operation, argv: readonly string[]): Promise<number> {
  const args = parseArgs(operation, argv);
  if (args.help) return help(operation.verb.split(" "));
  const parsed = operation.input.safeParse(args.input, { reportInput: true });
  if (!parsed.success) throw inputError(operation, parsed.error);
  const [{ Dex }, { runOperation }, { startProgress }] = await Promise.all([
    import("../dex.ts"),
    import("../operations/run.ts"),
    import("./progress.ts"),
  ]);
  const dex = await Dex.open({ unread: operation.unread === true });
  const progress = startProgress(process.stderr, operation.verb === "sync" ? "Syncing" : "Working");
  try {
    const { output, notice } = await runOperation(dex, operation, parsed.data, {
      sync: !args.noSync,
      stale: args.noSync,
      progress: progress.update,
      confirm: args.json || !process.stdin.isTTY ? undefined : (plan) => confirm(operation, plan),
      value: async (of) => (await import("./value.ts")).askValue(of),
    });
    progress.end();
    if (notice) process.stderr.write(cleanText(`dex: ${notice}\n`));
    print(args.json ? jsonText(output) : await render(operation, output));
    return operation.isEmpty?.(output) ? 1 : 0;
  } finally {
    progress.end();
    dex.close();
  }
}

/** A mere return is no: what is asked about changes files of other programs. */
async function confirm(operation: Operation, plan: unknown): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const asked = createInterface({ input: process.stdin, output: process.stderr });
  try {
    process.stderr.write(`${await render(operation, plan)}\n`);
    return /^y(es)?$/i.test((await asked.question("Make these changes? [y/N] ")).trim());
  } finally {
    asked.close();
  }
}

async function render(operation: Operation, output: unknown): Promise<string> {
  const [{ renderOutput }, { terminalOf }] = await Promise.all([
    import("../rendering/registry.ts"),
    import("../rendering/terminal.ts"),
  ]);
  return renderOutput(operation.verb, output, terminalOf(process.stdout, process.env, Date.now()));
}

/** The longest verb that the words begin with: `batch plan` before `batch`. */
function verbOf(argv: readonly string[], verbs: Readonly<Record<string, unknown>>): string | undefined {
  const two = argv.slice(0, 2).join(" ");
  return [two, argv[0] ?? ""].find((verb) => Object.hasOwn(verbs, verb));
}

/** A program, unless the words begin with a longer verb: `chat list` is none of the program `chat`. */
function programOf(argv: readonly string[]): string | undefined {
  const program = verbOf(argv, PROGRAMS);
  return program === undefined || verbOf(argv, { ...OPERATIONS, ...PROGRAMS }) === program ? program : undefined;
}

function unknownVerb(argv: readonly string[]): DexError {
  const verbs = [...Object.keys(OPERATIONS), ...Object.keys(PROGRAMS)];
  const group = verbs.filter((verb) => verb.startsWith(`${argv[0]} `));
  if (group.length > 0) {
    return new DexError("unknown_command", `dex ${argv[0]} needs one of its commands.`, {
      hint: `It has ${group.map((verb) => `\`dex ${verb}\``).join(", ")}.`,
    });
  }
  const meant = nearest(argv[0] ?? "", verbs);
  return new DexError("unknown_command", `dex has no command "${argv[0]}".`, {
    hint: meant ? `Did you mean \`dex ${meant}\`?` : "`dex --help` lists the commands.",
  });
}

async function help(argv: readonly string[]): Promise<number> {
  const { familyHelp, generalHelp, operationHelp } = await import("./help.ts");
  if (argv.length === 0) {
    print(await generalHelp());
    return 0;
  }
  const program = programOf(argv);
  if (program) {
    print(`dex ${PROGRAMS[program]?.usage}`);
    return 0;
  }
  const verb = verbOf(argv, OPERATIONS);
  const operation = verb === undefined ? undefined : await OPERATIONS[verb]?.();
  const text = operation ? operationHelp(operation) : await familyHelp(argv[0] ?? "");
  if (text === undefined) return fail(unknownVerb(argv), false);
  print(text);
  return 0;
}

function fail(error: unknown, json: boolean): number {
  if (!(error instanceof DexError)) {
    const detail = process.env.DEX_DEBUG && error instanceof Error ? (error.stack ?? "") : errorMessage(error);
    process.stderr.write(cleanText(`dex: unexpected failure: ${detail}\n`));
    if (json) print(jsonText({ error: { code: "unexpected", message: errorMessage(error) } }));
    return 2;
  }
  process.stderr.write(cleanText(`dex: ${error.message}\n${error.hint ? `${error.hint}\n` : ""}`));
  if (json) print(jsonText({ error: { code: error.code, message: error.message, hint: error.hint } }));
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
