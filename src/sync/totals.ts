/** What a sync did. */
import { LEFT_OUT_REASONS, type LeftOut } from "./events.ts";

export interface SyncTotals {
  new: number;
  updated: number;
  unchanged: number;
  malformed: number;
  redactions: number;
  /** Of the containers that were read. */
  bytes: number;
  seconds: number;
  /** Files that could not be read at all, with the reason. */
  failed: { path: string; error: string }[];
  /** Left out on purpose, in this sync and before: how many conversations, by reason (for `from_clone`: files). */
  left_out: LeftOut;
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
