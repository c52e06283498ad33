/**
 * Private folders below the system's temporary one. A killed process leaves its folder behind, possibly with a copy of
 * somebody's conversations, so the first new folder of each kind removes old ones of the same kind and user.
 */
import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listNames } from "./bounded_list.ts";

/** Longer than any fetch or copy takes: an older folder was left by a killed process. */
const ABANDONED_MS = 3_600_000;
const MAX_TEMPORARY_ENTRIES = 10_000;

const swept = new Set<string>();

/** `prefix`: the start of its name, which tells the kind, such as `dex-read-`. */
export function temporaryFolder(prefix: string): string {
  if (!swept.has(prefix)) removeAbandonedFolders(prefix, Date.now());
  swept.add(prefix);
  return mkdtempSync(join(tmpdir(), prefix));
}

/** Removes folders of this user that killed processes left in the shared temporary folder. */
function removeAbandonedFolders(prefix: string, now: number): void {
  const { names } = listNames(tmpdir(), MAX_TEMPORARY_ENTRIES);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    try {
      const path = join(tmpdir(), name);
      const stats = lstatSync(path);
      const own = stats.isDirectory() && stats.uid === (process.getuid?.() ?? stats.uid);
      if (own && now - stats.mtimeMs > ABANDONED_MS) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process may be removing it at the same time.
    }
  }
}
