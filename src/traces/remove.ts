/** Takes lines out of a file of lines: rows of traces, and of other logs, that quote a forgotten conversation. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { systemCode } from "../kernel/errors.ts";
import { diskError } from "../kernel/files/atomic_write.ts";
import { readLines } from "../kernel/files/lines.ts";

/**
 * Removes the lines that match and says how many there were; with `dry` they stay. A line that another process appends
 * while the file is replaced is lost, which a log can bear.
 */
export function filterLines(path: string, isGone: (text: string) => boolean, dry: boolean): number {
  try {
    let gone = 0;
    for (const { text, oversized } of readLines(path)) if (oversized || isGone(text)) gone += 1;
    if (gone > 0 && !dry) rewrite(path, (text) => !isGone(text));
    return gone;
  } catch (error) {
    // Not there, or deleted by a rotation meanwhile.
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
