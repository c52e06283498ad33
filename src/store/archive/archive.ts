/** The archive: one append-only file per conversation. It is the source of truth; the index is derived from it. */
import { closeSync, constants, ftruncateSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { ConversationMeta, Message } from "../../conversations/model.ts";
import { DexError, errorMessage, systemCode } from "../../kernel/errors.ts";
import { diskError, ensureFolder } from "../../kernel/files/atomic_write.ts";
import { isBelow } from "../../kernel/files/paths.ts";
import {
  encodeFrame,
  FRAME_DATA_OFFSET,
  type FrameInfo,
  readFrame,
  readFrameBytes,
  readFrameLines,
  scanFrames,
  withFile,
} from "./frames.ts";

/** The position of a run of messages in a conversation's archive file. */
export interface ArchiveBlock {
  first: number;
  count: number;
  offset: number;
  length: number;
}

export interface SegmentHeader {
  dex: 1;
  from: number;
  conversation: ConversationMeta;
}

/** The record that ends a segment. */
export interface SegmentEnd {
  end: true;
  conversation: ConversationMeta;
  /** The rules that redacted every message of the segment, if the same rules redacted all. */
  redacted_with?: string;
}

/**
 * Path inside the archive folder. The id comes from the agent and may contain anything: all but plain names are
 * encoded.
 */
export function archivePath(meta: ConversationMeta, month: string): string {
  const name = encodeURIComponent(meta.id).replaceAll("*", "%2A").replace(/^\./, "%2E");
  return join(meta.source, month, `${name}.jsonl.zst`);
}

/** Every conversation file below the archive folder, as paths inside it, sorted. */
export function listArchive(folder: string): string[] {
  let entries: string[];
  try {
    entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return [];
    // Without this, the index would lose the conversations of a folder that only may not be read.
    throw new DexError("cannot_open", `The archive ${folder} cannot be read (${code ?? errorMessage(error)}).`, {
      hint: `Make it readable: chmod -R u+rwX ${JSON.stringify(folder)}`,
      cause: error,
    });
  }
  return entries
    .filter((entry) => entry.endsWith(".jsonl.zst"))
    .map((entry) => entry.split(sep).join("/"))
    .sort();
}

export function archiveSize(folder: string, path: string): number | undefined {
  return statSync(join(folder, path), { throwIfNoEntry: false })?.size;
}

/** Appends one segment. A failed append leaves the file unchanged. */
export class SegmentWriter {
  readonly #path: string;
  readonly #fd: number;
  readonly #start: number;
  #position: number;

  /** `start` is the length of the complete segments in the file: anything after it is torn and is truncated. */
  constructor(folder: string, path: string, start: number, header: SegmentHeader) {
    this.#path = join(folder, path);
    ensureFolder(dirname(this.#path));
    this.#start = start;
    this.#position = start;
    try {
      this.#fd = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
    } catch (error) {
      throw diskError(error, this.#path);
    }
    ftruncateSync(this.#fd, start);
    this.#append(encodeFrame("header", `${JSON.stringify(header)}\n`, 1));
  }

  /** Returns the position of the frame's data in the file. */
  messages(frame: Uint8Array): { offset: number; length: number } {
    const offset = this.#append(frame) + FRAME_DATA_OFFSET;
    return { offset, length: frame.length - FRAME_DATA_OFFSET };
  }

  /** Ends the segment and returns the file's length. `redactedWith`: the rules that redacted all of it. */
  end(meta: ConversationMeta, redactedWith?: string): number {
    this.#append(endFrame(meta, redactedWith));
    closeSync(this.#fd);
    return this.#position;
  }

  /** Reverts everything. */
  abandon(): void {
    try {
      ftruncateSync(this.#fd, this.#start);
    } finally {
      closeSync(this.#fd);
      if (this.#start === 0) rmSync(this.#path, { force: true });
    }
  }

  #append(bytes: Uint8Array): number {
    const at = this.#position;
    let written = 0;
    try {
      while (written < bytes.length) {
        written += writeSync(this.#fd, bytes, written, bytes.length - written, at + written);
      }
    } catch (error) {
      throw diskError(error, this.#path);
    }
    this.#position += bytes.length;
    return at;
  }
}

export interface ArchivedConversation {
  meta: ConversationMeta;
  blocks: ArchiveBlock[];
  /** Length of the complete part; the file may be longer after a crash. */
  length: number;
  /** The last segment has no end: the process was killed while writing it. */
  unfinished: boolean;
}

/**
 * Reads a file's directory: its metadata and the positions of its messages. Complete messages of an unfinished segment
 * count, unless it should replace more messages than it contains. Undefined if nothing is complete.
 */
export function readDirectory(folder: string, path: string): ArchivedConversation | undefined {
  return withFile(join(folder, path), (fd) => {
    let found: ArchivedConversation | undefined;
    for (const segment of segmentsOf(scanFrames(fd))) {
      const header = JSON.parse(readFrame(fd, segment.header.offset, segment.header.length)) as SegmentHeader;
      const blocks = keepBefore(found?.blocks ?? [], header.from);
      let first = header.from;
      for (const frame of segment.messages) {
        blocks.push({ first, count: frame.lines, offset: frame.offset, length: frame.length });
        first += frame.lines;
      }
      const { end } = segment;
      if (!end && (blocks.length === 0 || first < messagesIn(found))) continue;
      const last = end ?? segment.messages.at(-1) ?? segment.header;
      const meta = end ? (JSON.parse(readFrame(fd, end.offset, end.length)) as SegmentEnd) : header;
      found = { meta: meta.conversation, blocks, length: last.offset + last.length, unfinished: end === undefined };
    }
    return found;
  });
}

function messagesIn(archived: ArchivedConversation | undefined): number {
  const last = archived?.blocks.at(-1);
  return last ? last.first + last.count : 0;
}

export function endFrame(meta: ConversationMeta, redactedWith?: string): Buffer {
  const record: SegmentEnd = { end: true, conversation: meta };
  if (redactedWith !== undefined) record.redacted_with = redactedWith;
  return encodeFrame("end", `${JSON.stringify(record)}\n`, 1);
}

/** The blocks without the messages from `from` on. */
export function keepBefore(blocks: readonly ArchiveBlock[], from: number): ArchiveBlock[] {
  return blocks
    .filter((block) => block.first < from)
    .map((block) => ({ ...block, count: Math.min(block.count, from - block.first) }));
}

/** Messages `from` to `to` (exclusive) with their indices, one block in memory at a time. */
export function* readMessages(
  folder: string,
  path: string,
  blocks: readonly ArchiveBlock[],
  from = 0,
  to = Number.POSITIVE_INFINITY,
): Generator<{ index: number; message: Message }> {
  const fd = openSync(join(folder, path), "r");
  try {
    for (const block of blocks) {
      if (block.first + block.count <= from) continue;
      if (block.first >= to) break;
      const start = Math.max(from, block.first);
      const end = Math.min(to, block.first + block.count);
      const lines = readFrameLines(fd, block.offset, block.length, start - block.first, end - block.first);
      for (const [i, line] of lines.entries()) yield { index: start + i, message: JSON.parse(line) as Message };
    }
  } finally {
    closeSync(fd);
  }
}

/** The messages with these ascending indices; each block is read once. */
export function* readMessagesAt(
  folder: string,
  path: string,
  blocks: readonly ArchiveBlock[],
  indices: readonly number[],
): Generator<{ index: number; message: Message }> {
  const fd = openSync(join(folder, path), "r");
  try {
    let at = 0;
    for (const { first, count, offset, length } of blocks) {
      const begin = at;
      while (at < indices.length && (indices[at] ?? 0) < first + count) at += 1;
      const wanted = indices.slice(begin, at).filter((index) => index >= first);
      const [lowest] = wanted;
      const highest = wanted.at(-1);
      if (lowest === undefined || highest === undefined) continue;
      const lines = readFrameLines(fd, offset, length, lowest - first, highest + 1 - first);
      for (const index of wanted) {
        const line = lines[index - lowest];
        if (line !== undefined) yield { index, message: JSON.parse(line) as Message };
      }
    }
  } finally {
    closeSync(fd);
  }
}

/** The lines of one block, each with its newline. */
export function readBlock(folder: string, path: string, { offset, length }: ArchiveBlock): Buffer {
  return withFile(join(folder, path), (fd) => readFrameBytes(fd, offset, length));
}

export function removeArchived(folder: string, path: string): void {
  const full = join(folder, path);
  if (!isBelow(folder, full)) throw new Error(`${path} is outside the archive`);
  rmSync(full, { force: true });
  // A file that a repair set aside contains the same messages.
  rmSync(`${full}.damaged`, { force: true });
}

interface Segment {
  header: FrameInfo;
  messages: FrameInfo[];
  /** Undefined in an unfinished segment. */
  end: FrameInfo | undefined;
}

function segmentsOf(frames: FrameInfo[]): Segment[] {
  const segments: Segment[] = [];
  for (const frame of frames) {
    const open = segments.at(-1);
    if (frame.kind === "header") segments.push({ header: frame, messages: [], end: undefined });
    else if (!open || open.end) break;
    else if (frame.kind === "messages") open.messages.push(frame);
    else open.end = frame;
  }
  return segments;
}
