/** Describes a batch of changes in one line. */
import { plural } from "../../kernel/text.ts";
import type { ChangeBatch } from "../../suggest/model.ts";
import { cleanLine } from "../../text/clean.ts";

/** More files are only counted. */
const MAX_NAMED_FILES = 3;

export function batchLine(batch: ChangeBatch, ms: number): string {
  const parts = [files(batch.changed, "changed"), files(batch.removed, "removed")].filter((part) => part !== "");
  if (batch.head) parts.push("another commit");
  if (batch.conversations) parts.push("conversations");
  if (batch.tests) parts.push("test results");
  return `${new Date(batch.time).toTimeString().slice(0, 8)} ${parts.join("; ")} (${Math.round(ms)} ms)`;
}

function files(paths: readonly string[], what: string): string {
  if (paths.length === 0) return "";
  return paths.length <= MAX_NAMED_FILES
    ? `${paths.map((path) => cleanLine(path)).join(", ")} ${what}`
    : `${plural(paths.length, "file")} ${what}`;
}
