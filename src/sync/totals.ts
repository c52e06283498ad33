/** What a sync did. */
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
}

export function noTotals(): SyncTotals {
  return { new: 0, updated: 0, unchanged: 0, malformed: 0, redactions: 0, bytes: 0, seconds: 0, failed: [] };
}
