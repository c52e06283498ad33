/**
 * Caches the archive's most recently read blocks, decompressed. A process that answers many questions needs the same
 * blocks for many of them: those of recent and of much discussed work. A cached block is valid only while its file is
 * the same.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { type ArchiveBlock, readBlock } from "./archive.ts";

/** The most decompressed text in a cache. Each thread of a server has its own. */
const MAX_BYTES = 24 << 20;
/** A larger block, of a huge message, is not cached: it would displace many others. */
const MAX_BLOCK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

export interface BlockLines {
  bytes: Buffer;
  /** The start of each line, and the end of the last one. */
  starts: readonly number[];
}

/** By path: the stamps of files that one question has already looked up. */
export type FileStamps = Map<string, string>;

interface Kept extends BlockLines {
  stamp: string;
}

export class BlockCache {
  readonly #folder: string;
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The lines of a block of the file at `path` in the archive. `keep`: false for a search that reads very many blocks.
   */
  lines(path: string, block: ArchiveBlock, keep = true, stamps: FileStamps = new Map()): BlockLines {
    const key = `${path}:${block.offset}`;
    const file = stamps.get(path) ?? this.#stampOf(path);
    stamps.set(path, file);
    const stamp = `${file}:${block.length}`;
    const known = this.#kept.get(key);
    if (known) this.#drop(key, known);
    const lines = known?.stamp === stamp ? known : { ...linesOf(readBlock(this.#folder, path, block)), stamp };
    if (lines === known || (keep && sizeOf(lines) <= MAX_BLOCK_BYTES)) this.#keep(key, lines);
    return lines;
  }

  #keep(key: string, lines: Kept): void {
    this.#kept.set(key, lines);
    this.#bytes += sizeOf(lines);
    for (const [oldest, each] of this.#kept) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#drop(oldest, each);
    }
  }

  #drop(key: string, lines: Kept): void {
    this.#kept.delete(key);
    this.#bytes -= sizeOf(lines);
  }

  /** A stamp that differs for another file at the same path, or for a rewritten one. */
  #stampOf(path: string): string {
    const stats = statSync(join(this.#folder, path), { throwIfNoEntry: false });
    return `${stats?.dev}:${stats?.ino}:${stats?.size}:${stats?.mtimeMs}`;
  }
}

/** Lines `from` to `to` (exclusive) of a block; no strings are created for the others. */
export function linesIn({ bytes, starts }: BlockLines, from: number, to: number): string[] {
  const lines: string[] = [];
  for (let line = from; line < to && line + 1 < starts.length; line += 1) {
    lines.push(bytes.toString("utf8", starts[line], (starts[line + 1] as number) - 1));
  }
  return lines;
}

/** A short text may be a view of a larger buffer, which stays in memory with it. */
function sizeOf({ bytes, starts }: BlockLines): number {
  return bytes.buffer.byteLength + starts.length * 8;
}

function linesOf(bytes: Buffer): BlockLines {
  const starts = [0];
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
  return { bytes, starts };
}
