/** A forgotten conversation leaves the traces, too: rows that name it hold its title. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { systemCode } from "../kernel/errors.ts";
import { diskError } from "../kernel/files.ts";
import { readLines } from "../kernel/lines.ts";
import { fileNumbers, pathOf } from "./store.ts";

/** A row that another process appends to a file in the moment it is replaced is lost, which a trace may be. */
export function removeFromTraces(folder: string, ids: readonly string[]): void {
  const named = (text: string): boolean => ids.some((id) => text.includes(id));
  for (const number of existing(folder)) {
    const path = pathOf(folder, number);
    try {
      if (holds(path, named)) rewrite(path, (text) => !named(text));
    } catch (error) {
      // Deleted by a rotation meanwhile.
      if (systemCode(error) !== "ENOENT") throw diskError(error, path);
    }
  }
}

function holds(path: string, named: (text: string) => boolean): boolean {
  for (const { text } of readLines(path)) if (named(text)) return true;
  return false;
}

function existing(folder: string): number[] {
  try {
    return fileNumbers(folder);
  } catch {
    return [];
  }
}

function rewrite(path: string, keep: (text: string) => boolean): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const fd = openSync(temporary, "w", 0o600);
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
