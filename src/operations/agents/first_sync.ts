/**
 * The first sync, offered by `dex install`: agents that are connected to an empty index would find nothing. A person is
 * asked; a script gets a sentence, unless it asked for the sync.
 */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { damageIn } from "../../store/databases/damage.ts";
import { isCorruption } from "../../store/engine/database.ts";
import { about, behindText, type SyncStatus } from "../../sync/freshness/freshness.ts";
import type { SyncOptions } from "../../sync/service.ts";
import { progressText, type SyncTotals } from "../../sync/totals.ts";
import type { OperationContext } from "../operation.ts";

export const firstSyncOutput = z.object({
  /** `needed`: nobody could be asked. `skipped`: `--no-sync`. */
  status: z.enum(["done", "declined", "needed", "skipped", "running", "stopped", "failed", "no_history"]),
  /** History files that were not indexed before. */
  files: z.number(),
  bytes: z.number(),
  /** Conversations that the sync indexed. */
  conversations: z.number().optional(),
  seconds: z.number().optional(),
});
export type FirstSync = z.output<typeof firstSyncOutput>;

/**
 * Undefined if the index needs no sync. `asked`: the caller wants it without a question. The agents are connected by now,
 * so a failure is only reported.
 */
export async function offerFirstSync(
  dex: Dex,
  asked: boolean,
  context: OperationContext,
): Promise<FirstSync | undefined> {
  const found = { files: 0, bytes: 0 };
  try {
    const at = await dex.syncStatus();
    Object.assign(found, { files: at.changed, bytes: at.bytes });
    const outcome = await offer(dex, at, asked, context);
    return outcome && { ...outcome, ...found };
  } catch (error) {
    const failure = isCorruption(error) ? damageIn(dex.paths, error) : error;
    if (!(failure instanceof DexError)) throw error;
    context.notice?.([failure.message, failure.hint].filter(Boolean).join(" "));
    return { status: failure.code === "stopped" ? "stopped" : "failed", ...found };
  }
}

type Outcome = Omit<FirstSync, "files" | "bytes">;

async function offer(
  dex: Dex,
  at: SyncStatus,
  asked: boolean,
  context: OperationContext,
): Promise<Outcome | undefined> {
  const { standing } = at;
  // A few changed files are synced with the first question.
  if (standing === "fresh" || (standing === "behind" && !asked)) return undefined;
  if (standing === "no_history") {
    context.notice?.(
      "No agent's history was found, so there is nothing to index yet. `dex doctor` shows where dex looks.",
    );
    return { status: "no_history" };
  }
  if (standing === "running") {
    context.notice?.(`${behindText(at)}. Agents already find the conversations that are indexed.`);
    return { status: "running" };
  }
  if (context.stale) return { status: "skipped" };
  if (!asked && !context.askToSync) {
    context.notice?.(`${behindText(at)}. Run \`dex sync\` (${about(at.seconds)}), so that agents find something.`);
    return { status: "needed" };
  }
  return syncNow(dex, asked ? undefined : `${behindText(at)}. Sync now (${about(at.seconds)})?`, context);
}

async function syncNow(dex: Dex, question: string | undefined, context: OperationContext): Promise<Outcome> {
  let totals: SyncTotals | undefined;
  let isStarted = false;
  const sync = async (options: SyncOptions): Promise<SyncTotals | undefined> => {
    isStarted = true;
    totals = await dex.sync({ asked: true, ...options });
    return totals;
  };
  if (context.askToSync) await context.askToSync(question, sync);
  else
    await sync({
      signal: context.signal,
      progress: (at) => context.progress?.(at.bytes, at.totalBytes, progressText(at)),
    });
  if (!isStarted) {
    context.notice?.("Agents find nothing until `dex sync` has run.");
    return { status: "declined" };
  }
  if (totals === undefined) {
    context.notice?.("Another dex process is syncing now.");
    return { status: "running" };
  }
  return { status: "done", conversations: totals.new + totals.updated, seconds: totals.seconds };
}
