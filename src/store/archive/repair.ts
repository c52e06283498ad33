/** Repairs archive files: ends a torn segment, sets a damaged file aside, and rewrites one with the blocks that are left. */
import { appendFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { ConversationMeta } from "../../conversations/model.ts";
import { type ArchiveBlock, type ArchivedConversation, archiveSize, endFrame, SegmentWriter } from "./archive.ts";
import { encodeFrame, readFrame, withFile } from "./frames.ts";

/** Truncates the torn part and ends the last segment. Returns the file's length. */
export function finishTorn(folder: string, path: string, archived: ArchivedConversation): number {
  const full = join(folder, path);
  truncateSync(full, archived.length);
  if (!archived.unfinished) return archived.length;
  const frame = endFrame(archived.meta);
  appendFileSync(full, frame);
  return archived.length + frame.length;
}

/** Renames a file that cannot be read to a name that `listArchive` skips. */
export function setAside(folder: string, path: string): void {
  const full = join(folder, path);
  if (archiveSize(folder, path) === 0) rmSync(full);
  else renameSync(full, `${full}.damaged`);
}

/** Rewrites the file with only these blocks; the old one is set aside. */
export function rewriteArchived(
  folder: string,
  path: string,
  meta: ConversationMeta,
  blocks: readonly ArchiveBlock[],
): ArchivedConversation {
  const texts = withFile(join(folder, path), (fd) =>
    blocks.map((block) => ({ block, text: readFrame(fd, block.offset, block.length) })),
  );
  setAside(folder, path);
  const segment = new SegmentWriter(folder, path, 0, { dex: 1, from: 0, conversation: meta });
  const kept = texts.map(({ block, text }) => {
    const lines = text.split("\n").slice(0, block.count);
    const frame = encodeFrame("messages", `${lines.join("\n")}\n`, lines.length);
    return { first: block.first, count: block.count, ...segment.messages(frame) };
  });
  return { meta, blocks: kept, length: segment.end(meta), unfinished: false };
}
