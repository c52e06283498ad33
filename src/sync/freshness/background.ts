/**
 * A sync in a separate process, started by servers whose index is far behind: a tool call must not wait for minutes, and
 * an agent cannot type `dex sync`. The process runs at a low priority and takes the writer's lock like any other sync.
 */
import { join } from "node:path";
import { spawnDetachedAfter } from "../../config/detached.ts";
import type { SyncContext } from "../service.ts";
import { about, behindText, freshnessNotice, type SyncStatus } from "./freshness.ts";

/** The shortest time between two background syncs, so that one that fails is not repeated with every call. */
const INTERVAL_MS = 5 * 60_000;

/** Starts the sync and returns the notice for the caller. */
export function syncInBackground({ paths, cwd, vars }: SyncContext, at: SyncStatus): string | undefined {
  if (at.standing === "running") return freshnessNotice(at);
  const stamp = join(paths.watch, "conversations.refreshed");
  let isStarted: boolean;
  try {
    isStarted = spawnDetachedAfter(stamp, INTERVAL_MS, ["sync"], { cwd, vars });
  } catch {
    // A read-only home, for example.
    return freshnessNotice(at);
  }
  if (!isStarted) {
    return `${behindText(at)}. dex started a sync in the background a few minutes ago; if it does not finish, run \`dex sync\`.`;
  }
  return `${behindText(at)}. dex has started a sync in the background (${about(at.seconds)} on an idle machine), which indexes the newest conversations first: ask again soon.`;
}
