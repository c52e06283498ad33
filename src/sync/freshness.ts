/** How far the index is behind what the agents wrote, and the sentence that says so to whoever reads from it. */
import { readRegularFile } from "../kernel/files/bounded_read.ts";
import { asNumber, asObject, parseJson } from "../kernel/json.ts";
import { formatBytes, formatCount, plural } from "../kernel/text.ts";
import type { DatabaseState } from "../store/engine/database.ts";
import type { ConversationReader } from "../store/ports.ts";
import { checkFreshness, type Freshness, type SyncContext } from "./service.ts";
import { SYNC_RATE } from "./totals.ts";

/** First estimate in bytes per second, on two shared cores; docs/guide/getting-started.md has the measurement. */
const USUAL_RATE = 10_000_000;

export type Standing =
  | "fresh"
  /** Nothing is indexed, and there is nothing to index. */
  | "no_history"
  /** Nothing is indexed yet. */
  | "empty"
  /** The first sync was stopped before its end. */
  | "unfinished"
  /** Files changed since the last sync. */
  | "behind"
  /** Another version of dex made the index: this one cannot read it. */
  | "outdated"
  /** Another process is syncing now. */
  | "running";

export interface Standpoint extends Freshness {
  standing: Standing;
  /** Seconds that a sync is likely to take. */
  seconds: number;
}

/** Listings and stat calls only. */
export async function standpoint(
  context: SyncContext,
  reader: ConversationReader,
  state: DatabaseState,
): Promise<Standpoint> {
  const freshness = await checkFreshness(context, reader);
  const rate = Number(reader.getValue(SYNC_RATE) ?? 0) || USUAL_RATE;
  return {
    ...freshness,
    standing: standingOf(context, reader, state, freshness),
    seconds: freshness.bytes / rate,
  };
}

function standingOf(
  context: SyncContext,
  reader: ConversationReader,
  state: DatabaseState,
  { changed, files }: Freshness,
): Standing {
  const unfinished = changed > 0 || state === "outdated";
  if (unfinished && isSyncRunning(context.paths.running)) return "running";
  if (state === "outdated") return "outdated";
  const synced = reader.getValue("last_sync") !== undefined;
  if (changed > 0 && synced) return "behind";
  const { conversations } = reader.totals();
  if (changed > 0) return conversations === 0 ? "empty" : "unfinished";
  return files === 0 && conversations === 0 ? "no_history" : "fresh";
}

const MAX_MARK_BYTES = 64 << 10;

/** A killed sync leaves its mark behind; only a process that is alive is running. */
export function isSyncRunning(markFile: string): boolean {
  try {
    const pid = asNumber(asObject(parseJson(readRegularFile(markFile, MAX_MARK_BYTES)?.toString("utf8") ?? "")).pid);
    if (pid === undefined || pid <= 0 || pid === process.pid) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is alive, and another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Without what to do about it, for the start of a longer sentence. */
export function behindText({ standing, changed, bytes, files }: Standpoint): string {
  const size = bytes > 0 ? formatBytes(bytes) : "";
  if (standing === "running") {
    return `A sync is running: ${formatCount(files - changed)} of ${plural(files, "file")} indexed`;
  }
  if (standing === "outdated") return "The index was made by another version of dex and has to be rebuilt";
  if (standing === "no_history") return "Nothing is indexed yet, and no agent's history was found";
  if (standing === "empty")
    return `Nothing is indexed yet: ${[plural(changed, "file"), size].filter(Boolean).join(", ")}`;
  const amount = size === "" ? "" : ` (${size})`;
  if (standing === "unfinished") {
    return `${formatCount(changed)} of ${plural(files, "history file")}${amount} not indexed yet`;
  }
  return `${plural(changed, "history file")}${amount} changed since the last sync`;
}

/** The whole sentence; undefined where there is nothing to say. */
export function freshnessNotice(at: Standpoint): string | undefined {
  const { standing } = at;
  if (standing === "fresh") return undefined;
  const behind = behindText(at);
  if (standing === "running") return `${behind}.`;
  if (standing === "no_history") return `${behind}. \`dex doctor\` shows where dex looks.`;
  const time = ` (${about(at.seconds)})`;
  if (standing === "empty") return `${behind}. Run \`dex sync\`${time}.`;
  return `${behind}; run \`dex sync\`${standing === "outdated" ? "" : time}.`;
}

/** What a person is asked before the answer; undefined where a sync would not help, or is not worth a question. */
export function syncQuestion(at: Standpoint): string | undefined {
  if (at.standing === "empty") return `${behindText(at)}. Sync now (${about(at.seconds)})?`;
  if (at.standing === "outdated") return `${behindText(at)}. Rebuild it now?`;
  return undefined;
}

/** An estimate as a person gives one. */
export function about(seconds: number): string {
  if (seconds < 10) return "a few seconds";
  if (seconds < 45) return `about ${Math.round(seconds / 10) * 10} seconds`;
  if (seconds < 90) return "about a minute";
  return `about ${Math.round(seconds / 60)} minutes`;
}
