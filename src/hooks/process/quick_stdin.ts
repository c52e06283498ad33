/**
 * Reads the event without Node's stdin stream, which takes longer to load than most events take to answer: a thread of
 * libuv reads the file descriptor. That thread cannot be stopped, and `process.exit` waits for it and for V8's threads,
 * on a busy machine for several tenths of a second. So the process is replaced by one that ends at once.
 */
import { existsSync, fstatSync, read } from "node:fs";
import { systemCode } from "../../kernel/errors.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { hasNodeOptions } from "./node_options.ts";
import { Input, readInput } from "./stdin.ts";

const STDIN = 0;
const CHUNK_BYTES = 64 << 10;
/** Programs that end at once with status 0. */
const TRUE_PROGRAMS = ["/usr/bin/true", "/bin/true"];

let isReading = false;

export async function readEvent(): Promise<JsonObject> {
  if (!canReadQuickly()) return readInput(process.stdin);
  const input = new Input();
  try {
    for (;;) {
      const chunk = await nextChunk();
      if (chunk.length === 0) return input.value();
      input.add(chunk);
    }
  } catch (error) {
    // The host made its end non-blocking.
    if (systemCode(error) !== "EAGAIN") throw error;
    for await (const chunk of process.stdin) input.add(chunk as Buffer);
    return input.value();
  }
}

/** Not from a terminal, or where the process could not be replaced. */
function canReadQuickly(): boolean {
  const isReplaceable = process.platform !== "win32" && typeof process.execve === "function";
  return isReplaceable && !fstatSync(STDIN).isCharacterDevice();
}

function nextChunk(): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  isReading = true;
  return new Promise((resolve, reject) => {
    read(STDIN, buffer, 0, CHUNK_BYTES, null, (error, bytes) => {
      isReading = false;
      if (error) reject(error);
      else resolve(buffer.subarray(0, bytes));
    });
  });
}

/** Ends the process with status 0, also while a thread still reads. Everything must be written by then. */
export function endProcess(): never {
  // A program that options loaded may wait for the end of this one.
  if (isReading || !hasNodeOptions()) replaceProcess();
  process.exit(0);
}

function replaceProcess(): void {
  const program = TRUE_PROGRAMS.find((path) => existsSync(path));
  if (program !== undefined) process.execve?.(program, [program], {});
  else if (isReading) process.execve?.(process.execPath, [process.execPath, "-e", "0"], {});
}
