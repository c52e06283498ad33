/** Syncs changed folders of documentation before a search, if that is quick. */
import { existsSync } from "node:fs";
import { DexError } from "../kernel/errors.ts";
import { formatBytes, plural } from "../kernel/text.ts";
import { isCorruption } from "../store/engine/database.ts";
import { openDocuments } from "../store/engine/documents.ts";
import { listArchived } from "./archive.ts";
import type { CollectionsContext, Declared } from "./declaring/declared.ts";
import { isUnchanged, stampsOf, walkOrFail } from "./files.ts";
import { type SyncCollectionsOptions, syncCollections } from "./service.ts";

/** Limits of a refresh before a search: files to check, bytes to read. */
const MAX_CHECKED_FILES = 5000;
const MAX_REFRESH_BYTES = 8 << 20;
/** The repository's documents are spread among its code, so the limit is lower. */
const MAX_CHECKED_OWN_FILES = 1000;

export const MISSING_INDEX =
  "The index of documents is missing or was made by another version of dex; `dex docs sync` makes it again.";

/**
 * Called before a search: syncs folders whose files changed, if that is quick. Otherwise returns a notice that says how
 * stale the index is. Collections that were never synced are left alone, except the documents of the repository.
 */
export async function freshenDocuments(
  context: CollectionsContext,
  visible: readonly Declared[],
  progress?: SyncCollectionsOptions["progress"],
): Promise<string | undefined> {
  const any = existsSync(context.paths.documents);
  const declared = visible.filter(
    ({ trusted, source, implicit }) => trusted && source.kind === "folder" && (any || implicit),
  );
  if (declared.length === 0) return undefined;
  const { stale, bytes, missing } = staleFolders(context, declared);
  if (missing) return MISSING_INDEX;
  if (stale.length === 0) return undefined;
  const behind = `${plural(stale.length, "collection")} (${formatBytes(bytes)}) changed since the last sync`;
  if (bytes > MAX_REFRESH_BYTES) return `${behind}; run \`dex docs sync\`.`;
  try {
    const outcomes = await syncCollections(context, stale, { waitMs: 0, progress });
    const failed = outcomes?.find(({ error }) => error !== undefined);
    if (failed) return `dex could not sync ${failed.name}: ${failed.error?.message}`;
    return outcomes ? undefined : `${behind}; another dex process is syncing now.`;
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    return `${behind}, and dex could not sync: ${error.message}`;
  }
}

function staleFolders(
  context: CollectionsContext,
  declared: readonly Declared[],
): { stale: Declared[]; bytes: number; missing: boolean } {
  const archived = new Set(listArchived(context.paths.documentArchive));
  const stale: Declared[] = [];
  let bytes = 0;
  let left = MAX_CHECKED_FILES;
  const reader = openDocuments(context.paths.documents, { collections: declared.map(({ id }) => id) });
  try {
    const rows = new Map(reader.collections().map((row) => [row.id, row]));
    if (rows.size === 0 && declared.some(({ id, implicit }) => !implicit && archived.has(id)))
      return { stale, bytes, missing: true };
    for (const each of declared) {
      const { synced = null, documents = 0 } = rows.get(each.id) ?? {};
      if ((synced === null && !each.implicit) || documents > left || each.source.kind !== "folder") continue;
      const limit = each.implicit ? Math.min(left, MAX_CHECKED_OWN_FILES) : left;
      const changed = changedBytes(each.source, reader.hashes(each.id), stampsOf(reader.sourceState(each.id)), limit);
      if (changed === undefined) continue;
      left -= documents;
      if (changed.count === 0) continue;
      stale.push(each);
      bytes += changed.bytes;
    }
  } catch (error) {
    // The search itself reports a damaged index, with its remedy.
    if (!isCorruption(error)) throw error;
  } finally {
    reader.close();
  }
  return { stale, bytes, missing: false };
}

/** Undefined: too many files, or the folder cannot be listed. */
function changedBytes(
  source: Extract<Declared["source"], { kind: "folder" }>,
  known: ReadonlyMap<string, string>,
  stamps: ReadonlyMap<string, string>,
  maxFiles: number,
): { count: number; bytes: number } | undefined {
  let files: ReturnType<typeof walkOrFail>["files"];
  try {
    const walk = walkOrFail(source, maxFiles);
    if (walk.failed.length > 0) return undefined;
    files = walk.files;
  } catch {
    return undefined;
  }
  let count = 0;
  let bytes = 0;
  const present = new Set<string>();
  for (const file of files) {
    present.add(file.path);
    if (isUnchanged(file, stamps.get(file.path))) continue;
    count += 1;
    bytes += file.size;
  }
  for (const path of known.keys()) if (!present.has(path)) count += 1;
  return { count, bytes };
}
