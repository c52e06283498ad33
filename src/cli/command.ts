/** The facts about a command that the argument parser, the help and the completions need. */
import type * as z from "zod";

/** The part of a command that operations (verbs) and programs share. */
export interface Command<In extends z.ZodObject = z.ZodObject> {
  /** As people type it: `search`, `docs add`. */
  verb: string;
  summary: string;
  /** Input fields given without a flag, in order; an array field takes all words that follow. */
  positionals: readonly (keyof z.input<In> & string)[];
  input: In;
  /** Flags whose names differ from their fields, by `field` or `field.inner`. */
  flags?: Readonly<Record<string, string>>;
  /** Other names of input fields, by field: their flags work, too. */
  aliases?: Readonly<Record<string, readonly string[]>>;
}

/**
 * A command that is not one question and one answer: it runs until it is ended, or talks with the person at the
 * terminal. Its definition is light; `run` loads the rest.
 */
export interface Program<In extends z.ZodObject = z.ZodObject> extends Command<In> {
  /** Text of `--help` between the usage line and the flags. */
  about: string;
  /** Fields that only dex's own scripts use: neither help nor completions show them. */
  hidden?: readonly (keyof z.input<In> & string)[];
  /** Returns the exit status. */
  run(input: z.output<In>): Promise<number>;
}

/** Keeps the exact type of the input while checking the shape. */
export function defineProgram<In extends z.ZodObject>(program: Program<In>): Program<In> {
  return program;
}
