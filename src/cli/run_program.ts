/** Runs a program: its flags are read by the same parser as those of a verb. */
import { inputError, parseArgs } from "./arguments.ts";
import { PROGRAM_FLAGS } from "./flags.ts";
import { PROGRAMS } from "./programs/registry.ts";

/** Undefined: help was asked for. */
export async function runProgram(name: string, argv: readonly string[]): Promise<number | undefined> {
  const program = await PROGRAMS[name]?.();
  if (!program) throw new Error(`${name} is not a program`);
  const args = parseArgs(program, argv, PROGRAM_FLAGS);
  if (args.help) return undefined;
  const parsed = program.input.safeParse(args.input, { reportInput: true });
  if (!parsed.success) throw inputError(program, parsed.error);
  return program.run(parsed.data);
}
