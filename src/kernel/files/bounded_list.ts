/**
 * Listing folders that came with a clone or an archive: at most so many entries are read, however many there are, so
 * that a folder of millions of files takes neither the memory nor the time of its whole list.
 */
import { type Dirent, opendirSync } from "node:fs";

export interface Listed {
  /** In no order. */
  entries: Dirent[];
  /** There are more than were read. */
  truncated: boolean;
}

/** Throws where the folder cannot be read. */
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

/** Names in order; none where the folder is missing or cannot be read. */
export function listNames(path: string, maxEntries: number): { names: string[]; truncated: boolean } {
  try {
    const { entries, truncated } = listFolder(path, maxEntries);
    return { names: entries.map(({ name }) => name).sort(), truncated };
  } catch {
    return { names: [], truncated: false };
  }
}
