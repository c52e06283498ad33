/** How far the index is behind the agents' history, and the notices that say so. */
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { asNumber, asObject, parseJson } from "../../kernel/json.ts";
import { isRunning } from "../../kernel/programs.ts";
import { formatBytes, formatCount, plural } from "../../kernel/text.ts";
import type { DatabaseState } from "../../store/engine/database.ts";
import type { ConversationReader } from "../../store/ports.ts";
import { checkFreshness, type Freshness, type SyncContext } from "../service.ts";
import { STALLED_AT, SYNC_RATE } from "../totals.ts";

/** Bytes per second on two shared cores, for the first estimate; docs/guide/getting-started.md has the measurement. */
const DEFAULT_RATE = 10_000_000;

export type IndexFreshness =
  | "fresh"
  /** Nothing is indexed, and no history was found. */
  | "no_history"
  /** Nothing is indexed yet. */
  | "empty"
  /** The first sync was stopped early. */
  | "unfinished"
  /** Files changed since the last sync. */
  | "behind"
  /** Another version of dex created the index; this version cannot read it. */
  | "outdated"
  /** Another process is syncing now. */
  | "running";

export interface SyncStatus extends Freshness {
  standing: IndexFreshness;
  /** Estimated duration of a sync. */
  seconds: number;
  /** A sync was stopped a short while ago before it had read one file: a few seconds are not enough. */
  stalled: boolean;
}

const STALLED_MS = 10 * 60_000;

/** Uses only directory listings and stat calls. */
export async function syncStatus(
  context: SyncContext,
  reader: ConversationReader,
  state: DatabaseState,
): Promise<SyncStatus> {
  const freshness = await checkFreshness(context, reader);
  const rate = Number(reader.getValue(SYNC_RATE) ?? 0) || DEFAULT_RATE;
  return {
    ...freshness,
    standing: standingOf(context, reader, state, freshness),
    seconds: freshness.bytes / rate,
    stalled: context.now() - Number(reader.getValue(STALLED_AT) ?? 0) < STALLED_MS,
  };
}

function standingOf(
  context: SyncContext,
  reader: ConversationReader,
  state: DatabaseState,
  { changed, files }: Freshness,
): IndexFreshness {
  const unfinished = changed > 0 || state === "outdated";
  if (unfinished && isSyncRunning(context.paths.running)) return "running";
  if (state === "outdated") return "outdated";
  const synced = reader.getValue("last_sync") !== undefined;
  if (changed > 0 && synced) return "behind";
  if (changed > 0) return reader.count({}) === 0 ? "empty" : "unfinished";
  return files === 0 && reader.count({}) === 0 ? "no_history" : "fresh";
}

const MAX_MARK_BYTES = 64 << 10;

/** A killed sync leaves its mark, so the process must also be alive. */
function isSyncRunning(markFile: string): boolean {
  const mark = parseJson(readRegularFile(markFile, MAX_MARK_BYTES)?.toString("utf8") ?? "");
  const pid = asNumber(asObject(mark).pid);
  return pid !== undefined && pid !== process.pid && isRunning(pid);
}

/** The state without advice, to start a longer sentence. */
export function behindText({ standing, changed, bytes, files }: SyncStatus): string {
  const size = bytes > 0 ? formatBytes(bytes) : "";
  if (standing === "running") {
    return `A sync is running: ${formatCount(files - changed)} of ${plural(files, "file")} indexed`;
  }
  if (standing === "outdated") return "The index was made by another version of dex and has to be rebuilt";
  if (standing === "no_history") return "No conversation is indexed yet, and no agent's history was found";
  if (standing === "empty")
    return `Nothing is indexed yet: ${[plural(changed, "file"), size].filter(Boolean).join(", ")}`;
  const amount = size === "" ? "" : ` (${size})`;
  if (standing === "unfinished") {
    return `${formatCount(changed)} of ${plural(files, "history file")}${amount} not indexed yet`;
  }
  return `${plural(changed, "history file")}${amount} changed since the last sync`;
}

/** The notice with advice; undefined if the index is fresh. */
export function freshnessNotice(at: SyncStatus): string | undefined {
  const { standing } = at;
  if (standing === "fresh") return undefined;
  const behind = behindText(at);
  if (standing === "running") return `${behind}.`;
  if (standing === "no_history") return `${behind}. \`dex doctor\` shows where dex looks.`;
  const time = ` (${about(at.seconds)})`;
  if (standing === "empty") return `${behind}. Run \`dex sync\`${time}.`;
  return `${behind}; run \`dex sync\`${standing === "outdated" ? "" : time}.`;
}

/** The question to ask the user before answering; undefined if a sync would not help or is not worth asking. */
export function syncQuestion(at: SyncStatus): string | undefined {
  if (at.standing === "empty") return `${behindText(at)}. Sync now (${about(at.seconds)})?`;
  if (at.standing === "outdated") return `${behindText(at)}. Rebuild it now?`;
  return undefined;
}

/** A rounded duration. */
export function about(seconds: number): string {
  if (seconds < 10) return "a few seconds";
  if (seconds < 45) return `about ${Math.round(seconds / 10) * 10} seconds`;
  if (seconds < 90) return "about a minute";
  return `about ${Math.round(seconds / 60)} minutes`;
}
