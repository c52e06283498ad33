/**
 * The number of conversations in a small file, for the status line, which opens no database (`hooks/statusline.ts` reads
 * it).
 */
import { writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { readRegularFile } from "../kernel/files/bounded_read.ts";

const MAX_STATUS_BYTES = 1 << 10;

/** Writes the number if it has changed. Never fails, because a count is not worth an error. */
export function writeStatus(path: string, conversations: number): void {
  const text = JSON.stringify({ conversations });
  try {
    if (readRegularFile(path, MAX_STATUS_BYTES)?.toString("utf8") !== text) writeFileAtomic(path, text);
  } catch {
    // The home may be read-only.
  }
}
