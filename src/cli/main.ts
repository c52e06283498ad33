/** The command line: finds the command that argv names, runs it and returns the exit status. */
import { ownMember } from "../kernel/own_member.ts";
import { OPERATIONS, VERB_ALIASES } from "../operations/registry.ts";
import { tuneEarly } from "../threads/engine_flags.ts";
import { VERSION } from "../version.ts";
import { endOnUncaught, fail } from "./failure.ts";
import { PROGRAMS } from "./programs/registry.ts";
import { endQuietlyOnBrokenPipe, stdout } from "./terminal/standard_streams.ts";

export { isAllWritten } from "./terminal/standard_streams.ts";

/** Defined by the build of the program of one file, which answers once from the index and ends. */
declare const DEX_ONE_ANSWER: boolean | undefined;

const VERSION_WORDS = ["--version", "-V", "-v", "version"];
const HELP_WORDS = ["help", "--help", "-h"];

/** Returns the exit status: 0 done, 1 nothing found, 2 usage or failure, 130 stopped by the user. */
export async function main(typed: readonly string[]): Promise<number> {
  const argv = withoutAlias(typed);
  const json = argv.includes("--json") || argv.includes("-j");
  endQuietlyOnBrokenPipe();
  if (typeof DEX_ONE_ANSWER === "boolean" && argv[0] === "search") tuneEarly();
  endOnUncaught(json);
  try {
    const first = argv[0];
    if (first === undefined) return await (await import("./overview.ts")).showOverview();
    if (HELP_WORDS.includes(first)) return await help(argv.slice(1));
    if (VERSION_WORDS.includes(first) && argv.length === (json ? 2 : 1)) {
      print(json ? JSON.stringify({ version: VERSION }) : `dex ${VERSION}`);
      return 0;
    }
    return await runCommand(argv);
  } catch (error) {
    return fail(error, json, programOf(argv) ?? verbOf(argv, OPERATIONS));
  }
}

async function runCommand(argv: readonly string[]): Promise<number> {
  const program = programOf(argv);
  if (program !== undefined) {
    const { runProgram } = await import("./run_program.ts");
    return (await runProgram(program, argv.slice(program.split(" ").length))) ?? help(program.split(" "));
  }
  const verb = verbOf(argv, OPERATIONS);
  const operation = verb === undefined ? undefined : await OPERATIONS[verb]?.();
  if (!verb || !operation) {
    // `dex docs` or `dex docs --help`: the first word of several commands.
    const wantsHelp = argv.length === 1 || argv[1] === "--help" || argv[1] === "-h";
    if (wantsHelp) return help(argv.slice(0, 1));
    throw await unknownCommand(argv);
  }
  const { runVerb } = await import("./run_verb.ts");
  return (await runVerb(operation, argv.slice(verb.split(" ").length))) ?? help(verb.split(" "));
}

/** The words with the verb's own name in place of an alias, also behind `help`. */
function withoutAlias(typed: readonly string[]): readonly string[] {
  const at = typed[0] === "help" ? 1 : 0;
  const verb = ownMember(VERB_ALIASES, typed[at] ?? "");
  return verb === undefined ? typed : typed.with(at, verb);
}

/** The longest verb at the beginning of the words: `batch plan` before `batch`. */
function verbOf(argv: readonly string[], verbs: Readonly<Record<string, unknown>>): string | undefined {
  const two = argv.slice(0, 2).join(" ");
  return [two, argv[0] ?? ""].find((verb) => Object.hasOwn(verbs, verb));
}

/** A program, unless the words begin with a longer verb: `chat list` does not start the program `chat`. */
function programOf(argv: readonly string[]): string | undefined {
  const program = verbOf(argv, PROGRAMS);
  return program === undefined || verbOf(argv, { ...OPERATIONS, ...PROGRAMS }) === program ? program : undefined;
}

async function unknownCommand(argv: readonly string[]): Promise<Error> {
  return (await import("./unknown_command.ts")).unknownCommand(argv);
}

async function help(argv: readonly string[]): Promise<number> {
  const { showGeneralHelp, wordHelp } = await import("./help/general_help.ts");
  if (argv.length === 0) return showGeneralHelp();
  const [{ operationHelp, programHelp }, { terminalOf }, { printPaged }] = await Promise.all([
    import("./help/command_help.ts"),
    import("../rendering/terminal/terminal.ts"),
    import("./terminal/pager.ts"),
  ]);
  const { width } = terminalOf(stdout(), process.env, Date.now());
  const helpFor = async (): Promise<string | undefined> => {
    const program = programOf(argv);
    const talking = program === undefined ? undefined : await PROGRAMS[program]?.();
    if (talking) return programHelp(talking, width);
    const verb = verbOf(argv, OPERATIONS);
    const operation = verb === undefined ? undefined : await OPERATIONS[verb]?.();
    return operation ? operationHelp(operation, width) : wordHelp(argv[0] ?? "", width);
  };
  const text = await helpFor();
  if (text === undefined) throw await unknownCommand(argv);
  await printPaged(text, true);
  return 0;
}

function print(text: string): void {
  stdout().write(`${text}\n`);
}
