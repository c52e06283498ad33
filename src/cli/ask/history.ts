/** Questions of earlier sessions, for the arrow keys. As private as everything in dex's home; secrets are redacted. */
import { readFileSync } from "node:fs";
import { writeFileAtomic } from "../../kernel/files.ts";
import { redactText } from "../../redact/redact.ts";

const MOST = 200;
const LONGEST = 2000;

/** Newest first. */
export function readHistory(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean).slice(0, MOST);
  } catch {
    return [];
  }
}

/** A history that cannot be written is no reason to end a session. */
export function writeHistory(path: string, lines: readonly string[]): void {
  const kept = lines
    .map((line) => redactText(line.slice(0, LONGEST)).text.trim())
    .filter(Boolean)
    .slice(0, MOST);
  try {
    writeFileAtomic(path, `${kept.join("\n")}\n`);
  } catch {}
}
