/**
 * Running a verb, the same for every surface: first the index is brought up to date, then the answer is made, and
 * whether that succeeds or fails, a traced verb leaves its row.
 */
import { existsSync } from "node:fs";
import type * as z from "zod";
import type { Dex } from "../dex.ts";
import {
  DexError,
  SQLITE_CANTOPEN,
  SQLITE_FULL,
  SQLITE_IOERR,
  SQLITE_READONLY,
  sqliteCode,
  systemCode,
} from "../kernel/errors.ts";
import { diskError } from "../kernel/files/atomic_write.ts";
import { damageIn } from "../store/damage.ts";
import { isCorruption } from "../store/engine/database.ts";
import { checkState } from "../store/state/health.ts";
import type { Operation, OperationContext } from "./operation.ts";
import { RunTrace } from "./tracing.ts";

export interface RunOptions extends OperationContext {
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
    await finishInterrupted(dex, operation);
    const wanted = freshnessOf(operation, input);
    if (options.sync !== false) notices.push(...(await freshen(dex, wanted, trace, options)));
    if (options.stale && wanted.conversations && dex.indexState === "missing") {
      notices.push("Nothing is indexed yet; run `dex sync`.");
    }
    const output = await runWithOrWithoutState(dex, operation, input, context);
    await trace?.write();
    notices.push(...dex.takeNotices());
    return { output, notice: notices.length > 0 ? notices.join("\n") : undefined, unindexed: dex.unindexed };
  } catch (error) {
    const failure = isCorruption(error) ? damageIn(dex.paths, error) : refusedByDisk(error, dex.paths.home);
    await trace?.write(failure);
    throw failure;
  }
}

/** Failures that have to do with the disk, not with what was asked, whichever file they met. */
const OF_THE_DISK = new Set<string | number | undefined>([
  ...["EACCES", "EPERM", "EROFS", "EIO", "ENOSPC", "EDQUOT"],
  ...[SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN],
]);

function refusedByDisk(error: unknown, home: string): unknown {
  if (!OF_THE_DISK.has(sqliteCode(error) ?? systemCode(error))) return error;
  const { path } = error as { path?: unknown };
  return diskError(error, typeof path === "string" ? path : home);
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

/** A verb that only reads is answered without state.db where that turns out to be damaged. */
async function runWithOrWithoutState<In extends z.ZodObject, Out extends z.ZodType>(
  dex: Dex,
  operation: Operation<In, Out>,
  input: z.output<In>,
  context: OperationContext,
): Promise<z.output<Out>> {
  try {
    return await operation.run(dex, input, context);
  } catch (error) {
    const damaged = isCorruption(error) || (error instanceof DexError && error.code === "damaged_state");
    if (!damaged || !operation.readOnly || checkState(dex.paths.state).state !== "damaged") throw error;
    dex.leaveStateOut();
    return operation.run(dex, input, context);
  }
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

/** Brings one index up to date where that is quick. Damage is reported by the file that is damaged. */
export async function freshenIndex(dex: Dex, which: keyof WantedFreshness): Promise<string | undefined> {
  try {
    return await (which === "documents" ? dex.freshenDocuments() : dex.freshen());
  } catch (error) {
    throw isCorruption(error) ? damageIn(dex.paths, error) : error;
  }
}

async function freshen(
  dex: Dex,
  wanted: WantedFreshness,
  trace: RunTrace | undefined,
  { askToSync, syncing }: OperationContext,
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
