/** Removes lines that quote a forgotten conversation from traces and other logs. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { systemCode } from "../kernel/errors.ts";
import { diskError } from "../kernel/files/atomic_write.ts";
import { readLines } from "../kernel/files/lines.ts";

/**
 * Removes the matching lines and returns their number; with `dry` only counts them. A line that another process appends
 * while the file is replaced is lost, which is acceptable for a log.
 */
export function filterLines(path: string, isGone: (text: string) => boolean, dry: boolean): number {
  try {
    let gone = 0;
    for (const { text, oversized } of readLines(path)) if (oversized || isGone(text)) gone += 1;
    if (gone > 0 && !dry) rewrite(path, (text) => !isGone(text));
    return gone;
  } catch (error) {
    // The file does not exist, or a rotation deleted it meanwhile.
    if (systemCode(error) === "ENOENT") return 0;
    throw diskError(error, path);
  }
}

function rewrite(path: string, keep: (text: string) => boolean): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    rmSync(temporary, { force: true });
    const fd = openSync(temporary, "wx", 0o600);
    try {
      for (const { text, oversized } of readLines(path)) {
        if (!oversized && keep(text)) writeSync(fd, `${text}\n`);
      }
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
