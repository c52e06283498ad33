/**
 * Running a verb, the same for every surface: first the index is brought up to date, then the answer is made, and
 * whether that succeeds or fails, a traced verb leaves its row.
 */
import { existsSync } from "node:fs";
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

export async function runOperation<In extends z.ZodObject, Out extends z.ZodType>(
  dex: Dex,
  operation: Operation<In, Out>,
  input: z.output<In>,
  options: RunOptions = {},
): Promise<{ output: z.output<Out>; notice: string | undefined }> {
  const trace = operation.traced && dex.settings.traces.enabled ? new RunTrace(dex, operation, input) : undefined;
  const notices: string[] = [];
  const context = { ...options, trace: trace?.add.bind(trace), notice: (text: string) => void notices.push(text) };
  try {
    await finishInterrupted(dex, operation);
    if (options.sync !== false) notices.push(...(await freshen(dex, freshnessOf(operation, input), trace)));
    const output = await operation.run(dex, input, context);
    await trace?.write();
    return { output, notice: notices.length > 0 ? notices.join("\n") : undefined };
  } catch (error) {
    const failure = isCorruption(error) ? damaged(dex, operation, error) : error;
    await trace?.write(failure);
    throw failure;
  }
}

/** A `dex forget` that was killed is finished by the next command: what was to be forgotten must not be shown again. */
async function finishInterrupted(dex: Dex, { readOnly }: Operation): Promise<void> {
  if (!existsSync(dex.paths.forgetting)) return;
  const { finishForgetting } = await import("../forgetting/forget.ts");
  try {
    await finishForgetting(dex);
  } catch (error) {
    // A home that cannot be written still answers questions.
    if (!readOnly) throw error;
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

async function freshen(dex: Dex, wanted: WantedFreshness, trace: RunTrace | undefined): Promise<string[]> {
  const begin = performance.now();
  const notices = [
    wanted.conversations ? await dex.freshen() : undefined,
    wanted.documents ? await dex.freshenDocuments() : undefined,
  ];
  if (wanted.conversations || wanted.documents) {
    trace?.add({ stages: [{ name: "freshen", ms: performance.now() - begin }] });
  }
  return notices.filter((notice) => notice !== undefined);
}
