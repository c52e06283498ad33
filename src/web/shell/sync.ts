/** The sync as the server reports it, and the refresh of the views after it. */
import { signal } from "@preact/signals";
import { dataVersion } from "../parts/use_call.ts";
import { onEvent } from "./events.ts";

/** A sentence about the running sync; empty when none runs. */
export const syncing = signal("");

export function followSync(): void {
  onEvent(({ type, data }) => {
    if (type === "sync") {
      const { done, total } = data as { done: number; total: number };
      syncing.value = `Reading conversations: ${done} of ${total}`;
    }
    if (type === "synced") {
      syncing.value = "";
      dataVersion.value += 1;
    }
  });
}
