/**
 * How many facts each session was given: `hooks.given`, one line for each answer, `9f86d081884c7d65 3`. A session is
 * named by a hash of its id. The status line reads it, which must not open a database.
 */
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "../../kernel/files/atomic_write.ts";
import { contentId } from "../../kernel/ids.ts";

const MAX_BYTES = 64 << 10;
const PRIVATE = 0o600;
/** Each line of a hook's text that begins like this is a fact. */
const FACT = /^- /gm;

export function factsIn(text: string): number {
  return text.match(FACT)?.length ?? 0;
}

/** Never fails: a count is not worth an error in a hook. */
export function countGiven(path: string, session: string, facts: number): void {
  try {
    // A hook must not create dex's home folder.
    if (facts === 0 || !existsSync(dirname(path))) return;
    appendFileSync(path, `${keyOf(session)} ${facts}\n`, { mode: PRIVATE });
    if (statSync(path).size > MAX_BYTES) dropOlderHalf(path);
  } catch {
    // A read-only home, or a full disk.
  }
}

/** Facts given to the session, and to its subagents. */
export function givenTo(path: string, session: string): number {
  if (!existsSync(path)) return 0;
  const start = `${keyOf(session)} `;
  return readFileSync(path, "utf8")
    .split("\n")
    .reduce((sum, line) => sum + (line.startsWith(start) ? Number(line.slice(start.length)) || 0 : 0), 0);
}

function keyOf(session: string): string {
  return contentId(session.split("/")[0] ?? session);
}

function dropOlderHalf(path: string): void {
  const half = readFileSync(path, "utf8").slice(-MAX_BYTES / 2);
  writeFileAtomic(path, half.slice(half.indexOf("\n") + 1), PRIVATE);
}
