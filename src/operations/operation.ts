/**
 * The definition of a verb. The command line, MCP, HTTP and the reference page are derived from it.
 */
import type * as z from "zod";
import type { AskStep } from "../ask/answer.ts";
import type { Dex } from "../dex.ts";
import type { RunContext } from "../run_context.ts";
import type { AskToSync } from "../sync/freshness/freshen.ts";
import type { SyncProgress } from "../sync/totals.ts";

/** MCP tools are served in sets, because a client pays tokens for every definition it is given. */
export const TOOLSETS = ["conversations", "documents", "code", "context", "memory", "usage"] as const;
export type Toolset = (typeof TOOLSETS)[number];

export type SyncBefore = "none" | "conversations" | "documents" | "all";

/** The indexes behind each place that the field `in` can name. The code index is refreshed where it is read. */
export const SYNC_BEFORE = {
  documents: "documents",
  conversations: "conversations",
  code: "none",
  all: "all",
} as const satisfies Record<string, SyncBefore>;

export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> {
  /** The name of the tool: `dex_search`. */
  name: string;
  /** The words of the command: `search`. */
  verb: string;
  /** Says in one line what it does. */
  summary: string;
  /** Input fields given without a flag, in order; an array field takes all that follow. */
  positionals: readonly (keyof z.input<In> & string)[];
  input: In;
  output: Out;
  /** Writes nothing, except that the indexes may be synced first. */
  readOnly: boolean;
  /** A second run with the same input changes nothing more. */
  idempotent: boolean;
  /** The indexes that are synced before the run. */
  syncBefore: SyncBefore;
  /** Takes the place of `syncBefore` where the indexes depend on the input. */
  syncBeforeFor?(input: z.output<In>): SyncBefore;
  /** Whether a run searches only documents as long as there are any. */
  documentsFirst?(input: z.output<In>): boolean;
  /**
   * Whether a run includes the conversations of a team. Such a run must only read, because it may be repeated for one
   * answer.
   */
  shared?(input: z.output<In>): boolean;
  /** Answers from the archive if the index is missing, or if this version of dex cannot read it. */
  readsArchive?: true;
  /** Each run appends a row to the traces. */
  traced?: true;
  /** Spends most of its time waiting for a model or a server, so `dex serve` runs other calls meanwhile. */
  waits?: true;
  /** Repairs or shows the settings, so it runs with the defaults and works when the settings file is broken. */
  withoutSettings?: true;
  /** The set of MCP tools it belongs to. Without one it is not offered as a tool. */
  toolset?: Toolset;
  /** Rarely used input fields: accepted in a call, but left out of the tool's definition to save tokens. */
  unlisted?: readonly (keyof z.input<In> & string)[];
  /** Offered over HTTP. A verb that only reads is, unless this is false; a verb that writes is only if this is true. */
  web?: boolean;
  /** Other names of input fields, by field: accepted in a call, but not shown. */
  aliases?: Readonly<Record<string, readonly string[]>>;
  /** Input fields besides `projectFolderField` that name the folder of a project: over HTTP, only of one that dex knows. */
  projectFields?: readonly (keyof z.input<In> & string)[];
  /** Input fields that name other files of this machine: not accepted over HTTP. */
  fileFields?: readonly (keyof z.input<In> & string)[];
  /** Names of flags that differ from the name of their field, by `field` or `field.inner`. */
  flags?: Readonly<Record<string, string>>;
  /** The input field that holds the query, if it is not `query`. Traces store it separately, or only its hash. */
  queryField?: keyof z.input<In> & string;
  /**
   * Starts something slow that the run will need, such as a connection, before the indexes are synced. Closing `dex`
   * cancels it.
   */
  prepare?(dex: Dex, input: z.output<In>): Promise<void>;
  run(dex: Dex, input: z.output<In>, context: OperationContext): Promise<z.output<Out>> | z.output<Out>;
  /** True when nothing was found; the command line then exits with 1. */
  isEmpty?(output: z.output<Out>): boolean;
  /** The answer is about the agents' history as a whole: if there is none, dex says so. */
  aboutHistory?: true;
}

/** Passed by a surface to a running operation: the context of any long work, and ways to ask a person. */
export interface OperationContext extends RunContext {
  /** Shows the plan, rendered as an output of this verb, and asks for consent. Absent when nobody can be asked. */
  confirm?(plan: unknown, question?: string): Promise<boolean>;
  /** Reads a secret value from a prompt or a pipe, because command lines are visible to others. */
  value?(of: string): Promise<string>;
  /** @internal Asks a person whether to sync first when the index is empty. Absent when nobody can be asked. */
  askToSync?: AskToSync;
  /** Reports the progress of a sync that runs before the answer. Absent unless a person watches. */
  syncing?(at: SyncProgress): void;
  /** @internal Starts another program in this terminal, waits for its end and returns its exit status. */
  start?(command: readonly string[], cwd: string): Promise<number>;
  /** Reports each step towards an answer as it happens. */
  step?(step: AskStep): void;
}

/** Whether the verb is offered over HTTP. */
export function isOnWeb({ web, readOnly }: Pick<Operation, "web" | "readOnly">): boolean {
  return web ?? readOnly;
}

/** Checks the shape of a definition and keeps the exact types of its input and output. */
export function defineOperation<In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
): Operation<In, Out> {
  return operation;
}
