/**
 * What a verb is. One definition each; the command line, MCP, HTTP and the documentation are made from it.
 */
import type * as z from "zod";
import type { AskStep } from "../ask/answer.ts";
import type { AskToSync, Dex } from "../dex.ts";
import type { RunContext } from "../run_context.ts";
import type { SyncProgress } from "../sync/totals.ts";

/** Tools come in sets, so that a caller pays for the definitions of those it uses. */
export const TOOLSETS = ["conversations", "documents", "code", "context", "memory"] as const;
export type Toolset = (typeof TOOLSETS)[number];

export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> {
  /** As agents call it: `dex_search`. */
  name: string;
  /** As people type it: `search`. */
  verb: string;
  summary: string;
  /** Input fields given without a flag, in order; an array field takes all that follow. */
  positionals: readonly (keyof z.input<In> & string)[];
  input: In;
  output: Out;
  /** Changes nothing but the index's own freshness. */
  readOnly: boolean;
  /** Doing it twice is doing it once. */
  idempotent: boolean;
  /** The index is brought up to date first: that of conversations, that of documents, or both. */
  fresh: boolean | "documents" | "all";
  /** Each run leaves a row in the traces. */
  traced?: true;
  /** Waits for a model or a server most of its time: other calls of a server need not wait for it. */
  waits?: true;
  /** Looks after the settings, so that it runs also when they are broken, and with none of them. */
  unread?: true;
  /** The set of MCP tools it belongs to; without one it is no tool. */
  toolset?: Toolset;
  /** Input fields too rarely used to be in the tool's definition, which every caller pays for. A call may have them. */
  unlisted?: readonly (keyof z.input<In> & string)[];
  /** Flags that are called otherwise than their fields, by `field` or `field.inner`: tools keep names of their own. */
  flags?: Readonly<Record<string, string>>;
  /** The input field with what is searched for, if it is not `query`: traces keep it apart, or only its hash. */
  asks?: keyof z.input<In> & string;
  run(dex: Dex, input: z.output<In>, context: OperationContext): Promise<z.output<Out>> | z.output<Out>;
  /** Valid, but nothing was found: the command line then exits with 1. */
  isEmpty?(output: z.output<Out>): boolean;
}

/** What a surface lends to a running operation: the context of any long work, and ways to talk with a person. */
export interface OperationContext extends RunContext {
  /** Shows a person what would be done, as an answer of this verb, and asks. Absent when there is nobody to ask. */
  confirm?(plan: unknown, question?: string): Promise<boolean>;
  /** Asks a person, or the other end of a pipe, for a value that should not stand in a command line. */
  value?(of: string): Promise<string>;
  /** Asks a person whether to sync first when the index is empty. Absent when there is nobody to ask. */
  askToSync?: AskToSync;
  /** Reports the progress of a sync that runs before the answer; only where a person watches. */
  syncing?(at: SyncProgress): void;
  /** Starts another program in this terminal and waits for its end. Returns its exit status. */
  start?(command: readonly string[], cwd: string): Promise<number>;
  /** Reports each step towards an answer as it happens. */
  step?(step: AskStep): void;
}

/** Keeps the exact types of input and output while checking the shape. */
export function defineOperation<In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
): Operation<In, Out> {
  return operation;
}
