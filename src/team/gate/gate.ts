/**
 * The second gate: nothing leaves this machine unless it passes here. Archives may be older than today's rules, so every
 * message is redacted again, unless its segment says that today's rules have redacted it. The team's own patterns are
 * applied, and paths below the user's home are shortened. A conversation that cannot be read or cleaned is held back
 * whole.
 */
import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { join } from "node:path";
import type { ConversationMeta } from "../../conversations/model.ts";
import { errorMessage } from "../../kernel/errors.ts";
import type { SegmentEnd } from "../../store/archive/archive.ts";
import {
  encodeFrame,
  FRAME_DATA_OFFSET,
  type FrameInfo,
  readFrame,
  scanFrames,
  unpackFrame,
  withFile,
} from "../../store/archive/frames.ts";
import { Cleaner, type GateRules } from "./cleaning.ts";

export interface GateJob {
  /** The archive folder and the file in it. */
  folder: string;
  path: string;
  /** The root of its project, if readers cannot derive it from the folder. */
  root?: string | undefined;
  /** Bytes that were pushed already, and the hash of the last of them. */
  from: number;
  tail: string;
  /** The hash of all pieces before them. */
  chain: string;
  rules: GateRules;
}

/** A part of the team's archive file of a conversation. */
export interface Piece {
  data: Uint8Array;
  /** It ends a finished segment. */
  complete: boolean;
}

export type GateResult =
  | {
      pieces: Piece[];
      meta: ConversationMeta;
      messages: number;
      /** Bytes of the local archive that the pieces cover, and the hash of the last of them. */
      bytes: number;
      tail: string;
      /** The hash of all pieces so far. */
      chain: string;
      redactions: number;
    }
  /** The archive no longer begins with the bytes that were pushed. */
  | { rewritten: true }
  | { held: string };

/** Below the limit of the server, with room for a frame. */
const MAX_PIECE_BYTES = 8 << 20;
const TAIL_BYTES = 4096;

export function passGate(job: GateJob): GateResult {
  try {
    return withFile(join(job.folder, job.path), (fd) => gated(fd, job));
  } catch (error) {
    return { held: errorMessage(error).slice(0, 200) };
  }
}

function gated(fd: number, { from, tail, chain, rules, root }: GateJob): GateResult {
  const cleaner = cleanerFor(rules);
  const redactedBefore = cleaner.redactions;
  const frames = scanFrames(fd);
  const lastEnd = frames.findLastIndex(({ kind }) => kind === "end");
  const finished = frames.slice(0, lastEnd + 1);
  if (from > 0 && (endOf(finished.at(-1)) < from || tailOf(fd, from) !== tail)) return { rewritten: true };
  const output = new Pieces();
  let meta: ConversationMeta | undefined;
  let messages = 0;
  let isRedacted = false;
  for (const [at, frame] of finished.entries()) {
    // Headers of earlier segments say which messages a later one replaces, so their counts are needed.
    const isNew = frame.offset > from;
    if (frame.kind === "messages") {
      messages += frame.lines;
      if (isNew) output.add(cleaned(fd, frame, cleaner, isRedacted));
      continue;
    }
    if (!isNew && frame.kind === "end") continue;
    const { redacted_with: _, ...record } = JSON.parse(readFrame(fd, frame.offset, frame.length)) as GatedRecord;
    if (frame.kind === "header") messages = Math.min(messages, record.from ?? 0);
    if (!isNew) continue;
    if (frame.kind === "header")
      isRedacted = rules.redaction !== undefined && rules.redaction === redactedWith(fd, finished, at);
    meta = cleaner.meta(root === undefined ? record.conversation : { ...record.conversation, root });
    output.add(encodeFrame(frame.kind, `${JSON.stringify({ ...record, conversation: meta })}\n`, 1));
    if (frame.kind === "end") output.end();
  }
  const bytes = endOf(finished.at(-1));
  if (!meta) return { held: "the archive has no finished part" };
  const { pieces } = output;
  const redactions = cleaner.redactions - redactedBefore;
  return { pieces, meta, messages, bytes, tail: tailOf(fd, bytes), chain: chained(chain, pieces), redactions };
}

/** The last cleaner, because compiling its expressions takes as long as cleaning a short conversation. */
let made: { of: string; cleaner: Cleaner } | undefined;

function cleanerFor(rules: GateRules): Cleaner {
  const of = JSON.stringify([rules.homes, rules.patterns]);
  if (made?.of !== of) made = { of, cleaner: new Cleaner(rules) };
  return made.cleaner;
}

/** A header or an end. */
interface GatedRecord extends Partial<SegmentEnd> {
  from?: number;
  conversation: ConversationMeta;
}

/** The rules that have redacted every message of the segment that begins at this frame, if its end names them. */
function redactedWith(fd: number, frames: readonly FrameInfo[], at: number): string | undefined {
  const end = frames.slice(at + 1).find(({ kind }) => kind !== "messages");
  if (end?.kind !== "end") return undefined;
  return (JSON.parse(readFrame(fd, end.offset, end.length)) as SegmentEnd).redacted_with;
}

function chained(chain: string, pieces: readonly Piece[]): string {
  return pieces.reduce((hash, { data }) => createHash("sha256").update(hash).update(data).digest("hex"), chain);
}

/** Returns the frame itself if nothing had to change: compressing it again would cost as much as cleaning it. */
function cleaned(fd: number, frame: FrameInfo, cleaner: Cleaner, isRedacted: boolean): Uint8Array {
  const bytes = Buffer.allocUnsafe(FRAME_DATA_OFFSET + frame.length);
  readFully(fd, bytes, frame.offset - FRAME_DATA_OFFSET);
  const raw = unpackFrame(bytes.subarray(FRAME_DATA_OFFSET));
  if (isRedacted && cleaner.isRedactedClean(raw)) return bytes;
  const text = raw.toString("utf8");
  const clean = cleaner.messages(text, isRedacted);
  return clean === text ? bytes : encodeFrame("messages", clean, frame.lines);
}

function endOf(frame: FrameInfo | undefined): number {
  return frame ? frame.offset + frame.length : 0;
}

function tailOf(fd: number, end: number): string {
  const size = Math.min(end, TAIL_BYTES);
  const bytes = Buffer.alloc(size);
  readFully(fd, bytes, end - size);
  return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}

function readFully(fd: number, into: Buffer, position: number): void {
  let got = 0;
  while (got < into.length) {
    const more = readSync(fd, into, got, into.length - got, position + got);
    if (more === 0) throw new Error("the archive ends early");
    got += more;
  }
}

/** Frames joined into pieces: whole segments, or parts of a large one. */
class Pieces {
  readonly pieces: Piece[] = [];
  #open: Uint8Array[] = [];
  #size = 0;

  add(frame: Uint8Array): void {
    if (this.#size > 0 && this.#size + frame.length > MAX_PIECE_BYTES) this.#close(false);
    this.#open.push(frame);
    this.#size += frame.length;
  }

  end(): void {
    this.#close(true);
  }

  #close(complete: boolean): void {
    const data = new Uint8Array(this.#size);
    let at = 0;
    for (const frame of this.#open) {
      data.set(frame, at);
      at += frame.length;
    }
    this.pieces.push({ data, complete });
    this.#open = [];
    this.#size = 0;
  }
}
