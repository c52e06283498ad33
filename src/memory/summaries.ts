/**
 * Storage of summaries: one file per conversation, next to the archive. They can be deleted at any time; `dex compact`
 * makes them again, and only a model's findings cost something to repeat.
 */
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { contentId } from "../kernel/ids.ts";
import { parseJson } from "../kernel/json.ts";
import { type Summary, summarySchema } from "./summary.ts";

const MAX_FILE_BYTES = 1 << 20;
const FILE = /^[0-9a-f]{24}\.json$/;

function pathOf(folder: string, { source, id }: { source: string; id: string }): string {
  const name = contentId(`${source}\0${id}`, 24);
  return join(folder, `${name}.json`);
}

/** Undefined if it is missing, damaged or of another version. */
export function readSummary(folder: string, conversation: { source: string; id: string }): Summary | undefined {
  return readFile(pathOf(folder, conversation));
}

/** Returns whether anything was written: an unchanged summary is not rewritten. */
export function writeSummary(folder: string, summary: Summary): boolean {
  const path = pathOf(folder, summary);
  const text = `${JSON.stringify(summary)}\n`;
  if (textOf(path) === text) return false;
  writeFileAtomic(path, text);
  return true;
}

/** Removes the summaries of deleted conversations and returns their number. */
export function dropSummaries(folder: string, gone: (summary: { source: string; id: string }) => boolean): number {
  let removed = 0;
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const summary = readFile(path);
    if (summary && !gone(summary)) continue;
    rmSync(path, { force: true });
    removed += 1;
  }
  return removed;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => FILE.test(name));
  } catch {
    return [];
  }
}

function readFile(path: string): Summary | undefined {
  const text = textOf(path);
  return text === undefined ? undefined : summarySchema.safeParse(parseJson(text)).data;
}

function textOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MAX_FILE_BYTES) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
