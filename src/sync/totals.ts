/** Results and progress of a sync. */
import { formatBytes, plural } from "../kernel/text.ts";
import { LEFT_OUT_REASONS, type LeftOut } from "./reading/events.ts";

/** Key of the stored rate in bytes per second, from the last sync that read enough to measure it. */
export const SYNC_RATE = "sync_rate";
/** Key of the time at which the last sync was stopped before it had read one file. */
export const STALLED_AT = "sync_stalled_at";

export interface SyncProgress {
  /** Read so far, of `totalBytes`. */
  bytes: number;
  totalBytes: number;
  /** New and changed ones so far. */
  conversations: number;
  /** Read so far, of `totalFiles`. */
  files: number;
  totalFiles: number;
  /** Everything is read; the share, from 0 to 1, of what the sync wrote that is merged for faster searches. */
  merging?: number;
}

export function progressText({ bytes, totalBytes, conversations, merging }: SyncProgress): string {
  if (merging !== undefined) return `${plural(conversations, "conversation")}, merging ${Math.round(merging * 100)}%`;
  return `${plural(conversations, "conversation")}, ${formatBytes(bytes)} of ${formatBytes(totalBytes)}`;
}

/** `new`, `updated` and `unchanged` count conversations. */
export interface SyncTotals {
  new: number;
  updated: number;
  unchanged: number;
  /** Broken records that dex skipped. */
  malformed: number;
  /** Secrets that dex replaced. */
  redactions: number;
  /** Size of the containers that were read. */
  bytes: number;
  seconds: number;
  /** Files that could not be read, with the reason. */
  failed: { path: string; error: string }[];
  /** Conversations left out on purpose, in this sync and before, by reason (for `from_clone`: files). */
  left_out: LeftOut;
  /** Set if the sync was stopped early: number of unread files. */
  files_left?: number;
}

/** The message after a stopped sync. */
export function stoppedText(totals: SyncTotals): string {
  const kept = totals.new + totals.updated + totals.unchanged;
  const verb = kept === 1 ? "is" : "are";
  const left = plural(totals.files_left ?? 0, "file");
  return `Stopped. ${plural(kept, "conversation")} ${verb} indexed, ${left} left; the next \`dex sync\` continues from here.`;
}

export function noTotals(): SyncTotals {
  return {
    new: 0,
    updated: 0,
    unchanged: 0,
    malformed: 0,
    redactions: 0,
    bytes: 0,
    seconds: 0,
    failed: [],
    left_out: {},
  };
}

export function sumLeftOut(containers: readonly { reasons: Readonly<Record<string, number>> }[]): LeftOut {
  const sums: LeftOut = {};
  for (const { reasons } of containers) {
    for (const reason of LEFT_OUT_REASONS) {
      const count = reasons[reason] ?? 0;
      if (count > 0) sums[reason] = (sums[reason] ?? 0) + count;
    }
  }
  return sums;
}
