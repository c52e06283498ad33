/**
 * Why a hook stayed silent, in `hooks.log`: nobody sees a hook's own words. Neither prompts nor answers stand in it.
 * It is cut to its latter half when it grows too long.
 */
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const LONGEST = 256 << 10;
const LONGEST_LINE = 500;

export function logReason(path: string, host: string, event: string, reason: string): void {
  try {
    // Where dex was never used there is nothing to log to, and a hook does not begin with it.
    if (!existsSync(dirname(path))) return;
    const line = `${new Date().toISOString()} ${host} ${event}: ${reason}`.replace(/\s+/g, " ").slice(0, LONGEST_LINE);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LONGEST) shorten(path);
    appendFileSync(path, `${line}\n`, { mode: 0o600 });
  } catch {
    // An answer does not depend on the log.
  }
}

function shorten(path: string): void {
  const text = readFileSync(path, "utf8");
  const half = text.slice(-LONGEST / 2);
  writeFileSync(path, half.slice(half.indexOf("\n") + 1), { mode: 0o600 });
}
