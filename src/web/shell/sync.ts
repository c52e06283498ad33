/** The sync as the server reports it, and the refresh of the views when the index has changed. */
import { signal } from "@preact/signals";
import { connection } from "../api.ts";
import { dataVersion, isCalling } from "../parts/hooks/use_call.ts";
import { onEvent } from "./events.ts";

export interface SyncState {
  /** From 0 to 1. */
  share: number;
  label: string;
}

/** The running sync. */
export const syncing = signal<SyncState | undefined>(undefined);
/** The folder that `dex web` was started in: verbs that need a project use it unless another is named. */
export const startFolder = signal("");

/** Views ask again at most this often while a sync runs. */
const REFRESH_MS = 1500;
let isRefreshDue = false;
let known = "";

/** Shows the running sync; undefined when it has ended. */
export function showSync(state: SyncState | undefined): void {
  syncing.value = state;
}

function refreshSoon(): void {
  if (isRefreshDue) return;
  isRefreshDue = true;
  setTimeout(refresh, REFRESH_MS);
}

/**
 * Dozens of tabs must not all ask at every change, so one in the background waits until somebody looks at it. A call that
 * takes longer than the pause between two changes must end nevertheless.
 */
function refresh(): void {
  if (document.hidden) document.addEventListener("visibilitychange", refresh, { once: true });
  else if (isCalling()) setTimeout(refresh, REFRESH_MS);
  else {
    isRefreshDue = false;
    dataVersion.value += 1;
  }
}

export function followIndex(): void {
  // When the server answers again, views ask again: their last calls failed, or are old.
  connection.subscribe((state) => {
    if (state !== "up") known = "trouble";
  });
  onEvent((event) => {
    if (event.type === "sync") {
      const { phase, done, total, label } = event;
      showSync(phase === "running" ? { share: total > 0 ? done / total : 0, label } : undefined);
    }
    if (event.type === "hello") startFolder.value = event.folder;
    if (event.type === "hello" || event.type === "index") {
      const counts = `${event.conversations} ${event.messages}`;
      if (known !== "" && known !== counts) refreshSoon();
      known = counts;
    }
    if (event.type === "changed") refreshSoon();
  });
}
