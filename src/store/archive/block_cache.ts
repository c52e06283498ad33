/**
 * Decompressed blocks of the archive that were read last. A process that answers many questions needs the same blocks for
 * many of them: those of recent and of much discussed work. A block is used again only while its file is the same.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { type ArchiveBlock, readBlock } from "./archive.ts";

/** Of decompressed text. Each thread of a server has a cache of its own. */
const MAX_BYTES = 24 << 20;
/** A larger block, of a huge message, would take the place of many. */
const MAX_BLOCK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

export interface BlockLines {
  bytes: Buffer;
  /** Where each line begins, and where the last one ends. */
  starts: readonly number[];
}

/** By path: the files whose state one question has looked up already. */
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

  /** The lines of a block of the file at `path` inside the archive. `keep`: false for a search that reads a great many. */
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

  /** Another file at the same path, or a rewritten one, differs in one of these. */
  #stampOf(path: string): string {
    const stats = statSync(join(this.#folder, path), { throwIfNoEntry: false });
    return `${stats?.dev}:${stats?.ino}:${stats?.size}:${stats?.mtimeMs}`;
  }
}

/** Lines `from` to `to` (exclusive) of a block; the others are not made into strings. */
export function linesIn({ bytes, starts }: BlockLines, from: number, to: number): string[] {
  const lines: string[] = [];
  for (let line = from; line < to && line + 1 < starts.length; line += 1) {
    lines.push(bytes.toString("utf8", starts[line], (starts[line + 1] as number) - 1));
  }
  return lines;
}

/** A short text may be a piece of a larger memory, which it keeps. */
function sizeOf({ bytes, starts }: BlockLines): number {
  return bytes.buffer.byteLength + starts.length * 8;
}

function linesOf(bytes: Buffer): BlockLines {
  const starts = [0];
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
  return { bytes, starts };
}
