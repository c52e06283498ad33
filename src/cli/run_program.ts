/** Runs a program: its flags are read by the same parser as those of a verb. */
import type * as z from "zod";
import { inputError, parseArgs } from "./arguments.ts";
import type { Program } from "./command.ts";
import { PROGRAM_FLAGS } from "./flags.ts";
import { PROGRAMS } from "./programs/registry.ts";

/** Undefined: help was asked for. */
export async function runProgram(name: string, argv: readonly string[]): Promise<number | undefined> {
  const program = await PROGRAMS[name]?.();
  if (!program) throw new Error(`${name} is not a program`);
  const input = readProgramInput(program, argv);
  return input && program.run(input);
}

/** Undefined: help was asked for. */
export function readProgramInput<In extends z.ZodObject>(
  program: Program<In>,
  argv: readonly string[],
): z.output<In> | undefined {
  const args = parseArgs(program, argv, PROGRAM_FLAGS);
  if (args.help) return undefined;
  const parsed = program.input.safeParse(args.input, { reportInput: true });
  if (!parsed.success) throw inputError(program, parsed.error);
  return parsed.data;
}
