/** Reads pushed bytes of an archive: its finished segments, and where their messages are. */
import type { ConversationMeta } from "../../conversations/model.ts";
import type { ArchiveBlock, SegmentHeader } from "../archive/archive.ts";
import { keepBefore } from "../archive/archive.ts";
import { decodeFrame, framesIn } from "../archive/frames.ts";

export interface PushedPart {
  meta: ConversationMeta;
  /** The least message that a segment replaces or begins with. */
  from: number;
  /** Places in the whole pushed archive. */
  blocks: ArchiveBlock[];
  /** Where the last finished segment ends. */
  end: number;
}

/** `place`: where the bytes begin in the archive. Undefined if no segment is finished. */
export function readPushed(bytes: Buffer, place: number): PushedPart | undefined {
  let found: PushedPart | undefined;
  let header: SegmentHeader | undefined;
  let blocks: ArchiveBlock[] = [];
  let first = 0;
  for (const frame of framesIn(bytes)) {
    const { kind, offset, length, lines } = frame;
    if (kind === "messages") {
      blocks.push({ first, count: lines, offset: place + offset, length });
      first += lines;
      continue;
    }
    const text = JSON.parse(decodeFrame(bytes.subarray(offset, offset + length))) as SegmentHeader;
    if (kind === "header") {
      header = text;
      first = text.from;
      blocks = keepBefore(found?.blocks ?? [], first);
    } else if (header) {
      const from = Math.min(found?.from ?? header.from, header.from);
      found = { meta: text.conversation, from, blocks, end: place + offset + length };
      header = undefined;
    }
  }
  return found;
}

/** The lines of a block of these bytes. */
export function linesOf(bytes: Buffer, place: number, { offset, length, count }: ArchiveBlock): string[] {
  return decodeFrame(bytes.subarray(offset - place, offset - place + length))
    .split("\n")
    .slice(0, count);
}
