/**
 * Standard output and error. Node makes a stream of each, which takes it longer than printing: the program of the
 * frequent verbs writes to a pipe or a file itself. A terminal, whose size and colours matter, stays a stream.
 */
import fs from "node:fs";
import { systemCode } from "../../kernel/errors.ts";

/** Defined by the build of the program of one file, which answers once from the index and ends. */
declare const DEX_ONE_ANSWER: boolean | undefined;

export interface Output {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  rows?: number | undefined;
  /** Bytes that wait for the reader. */
  readonly writableLength: number;
  write(text: string): unknown;
}

const opened: (Output | undefined)[] = [];

export function stdout(): Output {
  opened[1] ??= open(1, () => process.stdout);
  return opened[1];
}

export function stderr(): Output {
  opened[2] ??= open(2, () => process.stderr);
  return opened[2];
}

/** Whether readers have everything: a process that ends now loses nothing. */
export function isAllWritten(): boolean {
  return opened.every((output) => output === undefined || output.writableLength === 0);
}

/** Exits with 0 when the reader of a pipe is gone, as in `dex … | head`. */
export function endQuietlyOnBrokenPipe(): void {
  if (!isPlain(1)) endWithReader(process.stdout);
  if (!isPlain(2)) endWithReader(process.stderr);
}

function open(fd: number, stream: () => NodeJS.WriteStream): Output {
  return isPlain(fd) ? new PlainOutput(fd, stream) : stream();
}

function isPlain(fd: number): boolean {
  if (typeof DEX_ONE_ANSWER !== "boolean") return false;
  try {
    const stats = fs.fstatSync(fd);
    return stats.isFIFO() || stats.isSocket() || stats.isFile();
  } catch {
    return false;
  }
}

function endWithReader(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}

class PlainOutput implements Output {
  readonly #fd: number;
  readonly #makeStream: () => NodeJS.WriteStream;
  /** Waits for a reader that is slower than this program, where writing does not wait by itself. */
  #stream: NodeJS.WriteStream | undefined;

  constructor(fd: number, makeStream: () => NodeJS.WriteStream) {
    this.#fd = fd;
    this.#makeStream = makeStream;
  }

  get writableLength(): number {
    return this.#stream?.writableLength ?? 0;
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    let written = 0;
    try {
      while (!this.#stream && written < bytes.length) written += fs.writeSync(this.#fd, bytes, written);
    } catch (error) {
      const code = systemCode(error);
      if (code === "EPIPE") process.exit(0);
      if (code !== "EAGAIN") throw error;
      this.#stream = this.#makeStream();
      endWithReader(this.#stream);
    }
    this.#stream?.write(bytes.subarray(written));
  }
}
