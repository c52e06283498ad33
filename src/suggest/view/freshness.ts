/** Keeps dex's knowledge of a working tree current: its history, its copies, and the files that differ from HEAD. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Dex } from "../../dex.ts";
import { workingChanges } from "../../history/cochange/gaps.ts";
import type { Repository } from "../../history/repository.ts";
import { updateOrStored } from "../../history/update.ts";
import { DexError } from "../../kernel/errors.ts";
import type { OwnedCaches } from "../../kernel/owned_caches.ts";
import type { RunContext } from "../../run_context.ts";
import type { Activity } from "../model.ts";

/** Without a sign of change, refreshed data counts as fresh for this long. */
const REFRESH_INTERVAL_MS = 60_000;

/** By git directory: when each working tree was last refreshed, and at which commit. */
function lastRefreshed(): Map<string, { at: number; wall: number; head: string | undefined }> {
  return new Map();
}

export function noteRefreshed({ caches }: Dex, { gitDir, head }: Repository): void {
  caches.of(lastRefreshed).set(gitDir, { at: performance.now(), wall: Date.now(), head });
}

export function isDue({ caches }: Dex, repository: Repository, { file, folder }: Activity): boolean {
  const last = caches.of(lastRefreshed).get(repository.gitDir);
  if (!last || last.head !== repository.head || performance.now() - last.at > REFRESH_INTERVAL_MS) return true;
  const stats = file === undefined ? undefined : statSync(resolve(folder, file), { throwIfNoEntry: false });
  return stats !== undefined && stats.mtimeMs > last.wall;
}

/** Without git the other sources still give suggestions. */
export async function refreshHistory(dex: Dex, repository: Repository, context: RunContext): Promise<void> {
  try {
    const { behind } = await updateOrStored(repository, dex.paths.history, { progress: context.progress });
    if (behind !== undefined) dex.notice(behind);
    const { refreshCopies } = await import("../../project/copies.ts");
    await refreshCopies(dex, repository);
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    context.notice?.(`${error.message} ${error.hint ?? ""}`.trim());
  }
}

/** By git directory: the last git status of each working tree. */
function lastStatus(): Map<string, { at: number; files: string[] }> {
  return new Map();
}
const STATUS_TTL_MS = 1000;
/** How long an answer waits for git if an earlier status is known. */
const MAX_STATUS_WAIT_MS = 25;

/** Files that differ from the last commit. On a large tree git is the slowest part; then its last status is used. */
export async function changedFiles(
  { caches }: Dex,
  repository: Repository,
  mayWait: boolean,
): Promise<string[] | undefined> {
  const known = caches.of(lastStatus).get(repository.gitDir);
  if (!mayWait && known && performance.now() - known.at < STATUS_TTL_MS) return known.files;
  const asked = askStatus(caches, repository);
  if (mayWait || !known) return asked;
  const late = new AbortController();
  const last = delay(MAX_STATUS_WAIT_MS, known.files, { ref: false, signal: late.signal }).catch(() => known.files);
  const files = await Promise.race([asked, last]);
  late.abort();
  return files;
}

async function askStatus(caches: OwnedCaches, repository: Repository): Promise<string[] | undefined> {
  try {
    const files = await workingChanges(repository);
    caches.of(lastStatus).set(repository.gitDir, { at: performance.now(), files });
    return files;
  } catch (error) {
    if (error instanceof DexError) return undefined;
    throw error;
  }
}
