/** Questions of earlier sessions, for the arrow keys. The file is private, and secrets are redacted. */
import { readFileSync } from "node:fs";
import { writeFileAtomic } from "../../kernel/files/atomic_write.ts";
import { redactText } from "../../redact/redact.ts";

const MAX_LINES = 200;
const MAX_LINE_CHARS = 2000;

/** Newest first. */
export function readHistory(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean).slice(0, MAX_LINES);
  } catch {
    return [];
  }
}

/** A failed write of the history must not end a session. */
export function writeHistory(path: string, lines: readonly string[]): void {
  const kept = lines
    .map((line) => redactText(line.slice(0, MAX_LINE_CHARS)).text.trim())
    .filter(Boolean)
    .slice(0, MAX_LINES);
  try {
    writeFileAtomic(path, `${kept.join("\n")}\n`);
  } catch {}
}
