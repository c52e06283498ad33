/** Brings the index up to date before a command answers, or says how stale it is. */
import { DexError } from "../../kernel/errors.ts";
import type { SyncContext, SyncOptions } from "../service.ts";
import type { SyncTotals } from "../totals.ts";
import { behindText, freshnessNotice, type SyncStatus, syncQuestion } from "./freshness.ts";

type Sync = (options: SyncOptions) => Promise<SyncTotals | undefined>;

/**
 * Offers a sync to a person and runs it on consent, with the function it gets. Without a question it syncs at once and
 * shows the progress. Returns true if the sync ran.
 */
export type AskToSync = (question: string | undefined, sync: Sync) => Promise<boolean>;

export interface FreshenOptions {
  ask?: AskToSync | undefined;
  progress?: SyncOptions["progress"] | undefined;
  /** Start a sync that takes long in a separate process, unless the settings forbid it. */
  background?: boolean;
  /** Do not start a sync that takes long: the caller offers it to a person. */
  onlyQuick?: boolean;
}

/** Changes up to this size are synced before an answer: two or three seconds of work. */
const MAX_INLINE_SYNC_BYTES = 24 << 20;
/** Larger changes are synced for this time before an answer. The newest conversations are read first. */
const MAX_PARTIAL_SYNC_MS = 2000;

export interface Freshened {
  /** A sentence about how stale the index is; undefined if it is current. */
  notice: string | undefined;
  /** The agents have history, but none of it is indexed. Undefined if unknown. */
  unindexed?: boolean;
  /** No agent has any history, which is what the notice says. */
  noHistory?: boolean;
}

export async function freshenIndex(
  context: SyncContext,
  status: () => Promise<SyncStatus>,
  sync: Sync,
  options: FreshenOptions,
): Promise<Freshened> {
  const at = await status();
  const blocked = at.standing === "running" || at.standing === "outdated";
  if (at.changed === 0 && !blocked) return { notice: freshnessNotice(at), noHistory: at.standing === "no_history" };
  if (!blocked && at.bytes <= MAX_INLINE_SYNC_BYTES) return { notice: await syncAtOnce(at, sync, options) };
  const question = syncQuestion(at);
  if (options.ask && question !== undefined) {
    const isSynced = await options.ask(question, sync);
    return isSynced ? { notice: undefined } : leftBehind(context, at, options);
  }
  if (blocked || at.stalled || options.onlyQuick) return leftBehind(context, at, options);
  const failure = await syncAtOnce(at, sync, options, AbortSignal.timeout(MAX_PARTIAL_SYNC_MS));
  const now = await status();
  return failure === undefined ? leftBehind(context, now, options) : { notice: failure, unindexed: isUnindexed(now) };
}

/** The notice about an index that stays behind, or about a background sync that will update it. */
async function leftBehind(context: SyncContext, at: SyncStatus, { background }: FreshenOptions): Promise<Freshened> {
  const unindexed = isUnindexed(at);
  const inBackground = background && context.settings.sync.background && at.standing !== "fresh";
  if (!inBackground) return { notice: freshnessNotice(at), unindexed };
  const { syncInBackground } = await import("./background.ts");
  return { notice: syncInBackground(context, at), unindexed };
}

function isUnindexed({ standing }: SyncStatus): boolean {
  return standing === "empty" || standing === "outdated";
}

/** A sentence that says why the index is still behind; undefined after a sync, even one that the signal stopped. */
async function syncAtOnce(
  at: SyncStatus,
  sync: Sync,
  { progress }: FreshenOptions,
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    const totals = await sync({ waitMs: 0, progress, ...(signal ? { signal } : {}) });
    return totals ? undefined : `${behindText(at)}; another dex process is syncing now.`;
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    return `${behindText(at)}, and could not be synced: ${error.message}`;
  }
}
