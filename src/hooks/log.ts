/**
 * Why a hook stayed silent, in `hooks.log`: it was late, it failed, or it is switched off. Nobody sees a hook's own words
 * otherwise. Neither prompts nor answers stand in it; messages of errors go through redaction. It is cut to its latter
 * half when it grows too long.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "../kernel/files.ts";
import { quoteReason } from "../redact/quote.ts";

const MAX_BYTES = 256 << 10;
const MAX_LINE_CHARS = 500;
const PRIVATE = 0o600;

export interface Reason {
  kind: "late" | "error" | "off";
  host: string;
  event: string;
  text: string;
}

/** Errors begin with their own code. */
const KINDS = { late: "late: ", error: "", off: "switched off: " } as const;

export function logReason(path: string, { kind, host, event, text }: Reason): void {
  try {
    // Where dex was never used there is no folder for a log, and a hook does not begin with it.
    if (!existsSync(dirname(path))) return;
    const entry = quoteReason(`${host} ${event}: ${KINDS[kind]}${text}`, MAX_LINE_CHARS);
    append(path, entry, kind === "off");
  } catch {
    // An answer does not depend on the log.
  }
}

/** `isOnce`: a hook that is switched off would say the same with every event. */
function append(path: string, entry: string, isOnce: boolean): void {
  // A link in the place of the log is not followed.
  const fd = openSync(
    path,
    constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0),
    PRIVATE,
  );
  let size: number;
  try {
    ({ size } = fstatSync(fd));
    if (isOnce && lastLine(fd, size).endsWith(` ${entry}`)) return;
    writeSync(fd, `${new Date().toISOString()} ${entry}\n`);
  } finally {
    closeSync(fd);
  }
  if (size > MAX_BYTES) shorten(path);
}

function lastLine(fd: number, size: number): string {
  const bytes = Buffer.alloc(Math.min(size, 4 * MAX_LINE_CHARS));
  readSync(fd, bytes, 0, bytes.length, size - bytes.length);
  return bytes.toString("utf8").trimEnd().split("\n").at(-1) ?? "";
}

function shorten(path: string): void {
  const half = readFileSync(path, "utf8").slice(-MAX_BYTES / 2);
  writeFileAtomic(path, half.slice(half.indexOf("\n") + 1), PRIVATE);
}
