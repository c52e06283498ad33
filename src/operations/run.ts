/**
 * Running a verb, the same for every surface: first the index is brought up to date, then the answer is made, and
 * whether that succeeds or fails, a traced verb leaves its row.
 */
import type * as z from "zod";
import type { Dex } from "../dex.ts";
import type { DexError } from "../kernel/errors.ts";
import { corruptIndex, isCorruption } from "../store/sqlite/database.ts";
import { DOCUMENTS } from "../store/sqlite/document_schema.ts";
import type { Operation, RunContext, Toolset } from "./operation.ts";
import { RunTrace } from "./tracing.ts";

export interface RunOptions extends RunContext {
  /** False: answer from the index as it is. */
  sync?: boolean;
}

export interface Ran<Out> {
  output: Out;
  notice: string | undefined;
  /** The answer was to come from conversations: there are some, and none is indexed. */
  unindexed: boolean;
}

export async function runOperation<In extends z.ZodObject, Out extends z.ZodType>(
  dex: Dex,
  operation: Operation<In, Out>,
  input: z.output<In>,
  options: RunOptions = {},
): Promise<Ran<z.output<Out>>> {
  const trace = operation.traced && dex.settings.traces.enabled ? new RunTrace(dex, operation, input) : undefined;
  const notices: string[] = [];
  const context = { ...options, trace: trace?.add.bind(trace), notice: (text: string) => void notices.push(text) };
  try {
    const wanted = freshnessOf(operation, input);
    if (options.sync !== false) notices.push(...(await freshen(dex, wanted, trace, options)));
    if (options.stale && wanted.conversations && dex.indexState === "missing") {
      notices.push("Nothing is indexed yet; run `dex sync`.");
    }
    const output = await operation.run(dex, input, context);
    await trace?.write();
    return { output, notice: notices.length > 0 ? notices.join("\n") : undefined, unindexed: dex.unindexed };
  } catch (error) {
    const failure = isCorruption(error) ? damaged(dex, operation, error) : error;
    await trace?.write(failure);
    throw failure;
  }
}

/** By which index the answer would have been made. */
function damaged(dex: Dex, { toolset }: { toolset?: Toolset }, error: unknown): DexError {
  if (toolset === "documents") return corruptIndex(dex.paths.documents, error, DOCUMENTS);
  return corruptIndex(dex.paths.index, error);
}

export interface WantedFreshness {
  conversations: boolean;
  documents: boolean;
}

/** Which indexes an answer is made from. */
export function freshnessOf(operation: Operation, input: Record<string, unknown>): WantedFreshness {
  const { fresh } = operation;
  const documents = fresh === "documents" || fresh === "all" || input.in === "documents" || input.in === "all";
  const elsewhere = input.in === "documents" || input.in === "code";
  const conversations = fresh === "all" || (fresh === true && !elsewhere) || input.mentions === true;
  return { conversations, documents };
}

async function freshen(
  dex: Dex,
  wanted: WantedFreshness,
  trace: RunTrace | undefined,
  { askToSync, syncing }: RunContext,
): Promise<string[]> {
  const begin = performance.now();
  const notices = [
    wanted.conversations ? await dex.freshen(askToSync, syncing) : undefined,
    wanted.documents ? await dex.freshenDocuments() : undefined,
  ];
  if (wanted.conversations || wanted.documents) {
    trace?.add({ stages: [{ name: "freshen", ms: performance.now() - begin }] });
  }
  return notices.filter((notice) => notice !== undefined);
}
