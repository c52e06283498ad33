/**
 * `hooks.log` records why a hook answered nothing: it was late, it failed, or it is switched off. Hosts do not show a
 * hook's own output. The log holds neither prompts nor answers, and error messages are redacted. When it grows too
 * large, dex drops its older half.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "../kernel/files/atomic_write.ts";
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
    // Without dex's home folder there is nowhere to log, and a hook must not create it.
    if (!existsSync(dirname(path))) return;
    const entry = quoteReason(`${host} ${event}: ${KINDS[kind]}${text}`, MAX_LINE_CHARS);
    append(path, entry, kind === "off");
  } catch {
    // A failing log must not affect the answer.
  }
}

/** `isOnce` skips a repeated line: a hook that is switched off would log the same with every event. */
function append(path: string, entry: string, isOnce: boolean): void {
  // Do not follow a symbolic link at the log's path.
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
