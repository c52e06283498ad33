/** Rebuilds the index from the archive. */
import { join } from "node:path";
import type { Message } from "../conversations/model.ts";
import { DexError, systemCode } from "../kernel/errors.ts";
import {
  type ArchiveBlock,
  type ArchivedConversation,
  archiveSize,
  listArchive,
  readDirectory,
} from "../store/archive/archive.ts";
import { isRefusal } from "../store/archive/check.ts";
import { readFrame, withFile } from "../store/archive/frames.ts";
import { finishTorn, rewriteArchived, setAside } from "../store/archive/repair.ts";
import type { IndexWriter, MessageDigest } from "../store/index_writer.ts";
import type { ConversationRow } from "../store/ports.ts";
import { Digester } from "./recording/digest.ts";

/**
 * Indexes a conversation from its archive file. A torn last segment is cut off, and damaged earlier parts are left out
 * (the damaged file is set aside); a file without an intact segment is set aside, and undefined is returned. In all these
 * cases the next sync reads the agent's own file again, if it still exists.
 */
export function adoptArchived(
  writer: IndexWriter,
  digester: Digester,
  folder: string,
  path: string,
  knownNo: number | undefined,
): ConversationRow | undefined {
  const size = archiveSize(folder, path);
  let archived = size === undefined ? undefined : readSafely(folder, path);
  if (!archived) {
    if (knownNo !== undefined) writer.remove(knownNo);
    if (size !== undefined) setAside(folder, path);
    // The agent's file it came from is unknown, so all of them are read again.
    writer.dropContainers(path.split("/")[0] ?? "");
    return undefined;
  }
  const no = knownNo ?? writer.find(archived.meta.source, archived.meta.id)?.no ?? writer.newNo();
  writer.cutFrom(no, 0);
  let torn = size !== archived.length || archived.unfinished;
  if (torn) archived = { ...archived, length: finishTorn(folder, path, archived) };
  const whole = indexBlocks(writer, digester, no, join(folder, path), archived.blocks);
  if (whole < archived.blocks.length) {
    torn = true;
    archived = rewriteArchived(folder, path, archived.meta, archived.blocks.slice(0, whole));
    writer.cutFrom(no, 0);
    indexBlocks(writer, digester, no, join(folder, path), archived.blocks);
  }
  const entry = { meta: archived.meta, archive: path, archiveBytes: archived.length };
  writer.finish(no, entry, digester.title(archived.meta.title));
  if (torn && archived.meta.origin) writer.dropContainer(archived.meta.origin);
  return writer.byNo(no);
}

function readSafely(folder: string, path: string): ArchivedConversation | undefined {
  try {
    return readDirectory(folder, path);
  } catch (error) {
    // An unreadable file is not damaged: it stays.
    if (isRefusal(error)) throw unreadable(join(folder, path), error);
    return undefined;
  }
}

function unreadable(path: string, error: unknown): DexError {
  return new DexError("unreadable_archive", `${path} cannot be read (${systemCode(error) ?? "refused"}).`, {
    hint: "Check its permissions and the disk; `dex doctor` lists all such files.",
    cause: error,
  });
}

/** Returns the number of leading blocks that could be read. */
function indexBlocks(
  writer: IndexWriter,
  digester: Digester,
  no: number,
  file: string,
  blocks: readonly ArchiveBlock[],
): number {
  return withFile(file, (fd) => {
    for (const [i, block] of blocks.entries()) {
      let digests: MessageDigest[];
      try {
        const lines = readFrame(fd, block.offset, block.length).split("\n").slice(0, block.count);
        digests = lines.map((line) => digester.digest(JSON.parse(line) as Message, Buffer.from(line)));
      } catch (error) {
        if (isRefusal(error)) throw unreadable(file, error);
        return i;
      }
      writer.addBlock(no, block, digests, digester.analyser.terms);
      digester.analyser.trim();
    }
    return blocks.length;
  });
}

/** The archive folder, and the file of the embedding model. */
export interface ArchiveSetup {
  archive: string;
  model?: string;
}

const COMMIT_BYTES = 8 << 20;

export type RebuildProgress = (done: number, total: number) => void;

/** Indexes every archived conversation, ordered by path. */
export function rebuildAll(
  writer: IndexWriter,
  { archive: folder, model }: ArchiveSetup,
  progress?: RebuildProgress,
): number {
  const paths = listArchive(folder);
  const digester = new Digester(model);
  writer.setModel(digester.model);
  let bytes = 0;
  for (const [i, path] of paths.entries()) {
    const row = adoptArchived(writer, digester, folder, path, undefined);
    bytes += row?.archive_bytes ?? 0;
    if (bytes > COMMIT_BYTES) {
      writer.commit();
      bytes = 0;
    }
    progress?.(i + 1, paths.length);
  }
  writer.commit();
  return paths.length;
}

/**
 * After a crash or repair: makes the index match the archive again, touching only files that differ or are known to be
 * damaged. A conversation without an archive file is removed, and its agent's file is read again.
 */
export function reconcile(
  writer: IndexWriter,
  { archive: folder, model }: ArchiveSetup,
  damaged: ReadonlySet<string> = new Set(),
): number {
  writer.removeOrphans();
  const known = writer.archiveSizes();
  const digester = new Digester(model);
  writer.setModel(digester.model);
  let repaired = 0;
  for (const path of listArchive(folder)) {
    const entry = known.get(path);
    known.delete(path);
    if (entry && entry.bytes === archiveSize(folder, path) && !damaged.has(path)) continue;
    adoptArchived(writer, digester, folder, path, entry?.no);
    repaired += 1;
  }
  for (const [path, { no }] of known) {
    const origin = writer.storedMeta(no)?.origin;
    writer.remove(no);
    if (origin === undefined) writer.dropContainers(path.split("/")[0] ?? "");
    else writer.dropContainer(origin);
    repaired += 1;
  }
  writer.commit();
  return repaired;
}
