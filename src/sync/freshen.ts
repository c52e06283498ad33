/** Brings the index up to date before a command answers, or says how stale it is. */
import { DexError } from "../kernel/errors.ts";
import { behindText, freshnessNotice, type SyncStatus, syncQuestion } from "./freshness.ts";
import type { SyncContext, SyncOptions } from "./service.ts";
import type { SyncTotals } from "./totals.ts";

type Sync = (options: SyncOptions) => Promise<SyncTotals | undefined>;

/**
 * Asks a person whether to sync first, and does so with the function it is given. Without a question it syncs at once,
 * and shows the progress. True when that was done.
 */
export type AskToSync = (question: string | undefined, sync: Sync) => Promise<boolean>;

export interface FreshenOptions {
  ask?: AskToSync | undefined;
  progress?: SyncOptions["progress"] | undefined;
  /** Start a sync that takes long in a separate process, unless the settings forbid it. */
  background?: boolean;
}

/** Changes up to this size are synced before an answer: two or three seconds of work. */
const MAX_INLINE_SYNC_BYTES = 24 << 20;

export interface Freshened {
  /** A sentence about how stale the index is; undefined if it is current. */
  notice: string | undefined;
  /** History of agents was found, and none of it is indexed. Undefined if nothing is known about that. */
  unindexed?: boolean;
}

export async function freshenIndex(
  context: SyncContext,
  at: SyncStatus,
  sync: Sync,
  { ask, progress, background }: FreshenOptions,
): Promise<Freshened> {
  const waits = at.standing === "running" || at.standing === "outdated" || at.bytes > MAX_INLINE_SYNC_BYTES;
  if (at.changed === 0 && !waits) return { notice: freshnessNotice(at) };
  if (!waits) return { notice: await syncAtOnce(behindText(at), sync, progress) };
  const question = syncQuestion(at);
  if (ask && question !== undefined && (await ask(question, sync))) return { notice: undefined };
  const unindexed = at.standing === "empty" || at.standing === "outdated";
  if (!background || !context.settings.sync.background) return { notice: freshnessNotice(at), unindexed };
  const { syncInBackground } = await import("./background.ts");
  return { notice: syncInBackground(context, at), unindexed };
}

async function syncAtOnce(
  behind: string,
  sync: Sync,
  progress: SyncOptions["progress"] | undefined,
): Promise<string | undefined> {
  try {
    const totals = await sync({ waitMs: 0, progress });
    return totals ? undefined : `${behind}; another dex process is syncing now.`;
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    return `${behind}, and could not be synced: ${error.message}`;
  }
}
