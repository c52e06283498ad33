/**
 * Lists folders that came with a clone or an archive, up to a maximum number of entries, so that a folder of millions of
 * files costs neither the memory nor the time of a full listing.
 */
import { type Dirent, opendirSync } from "node:fs";

export interface Listed {
  /** Unordered. */
  entries: Dirent[];
  /** The folder has more entries. */
  truncated: boolean;
}

/** Throws when the folder cannot be read. */
export function listFolder(path: string, maxEntries: number): Listed {
  const entries: Dirent[] = [];
  const folder = opendirSync(path, { bufferSize: 256 });
  try {
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
      if (entries.length >= maxEntries) return { entries, truncated: true };
      entries.push(entry);
    }
  } finally {
    folder.closeSync();
  }
  return { entries, truncated: false };
}

/** Sorted names; none when the folder is missing or cannot be read. */
export function listNames(path: string, maxEntries: number): { names: string[]; truncated: boolean } {
  try {
    const { entries, truncated } = listFolder(path, maxEntries);
    return { names: entries.map(({ name }) => name).sort(), truncated };
  } catch {
    return { names: [], truncated: false };
  }
}
