/** Writes collections under one lock: syncs several, rebuilds the index, and drops one. */
import { existsSync } from "node:fs";
import { isTrusted } from "../config/trust.ts";
import { staticModel } from "../embedding/locate.ts";
import { DexError, withFurtherHint } from "../kernel/errors.ts";
import { diskError } from "../kernel/files/atomic_write.ts";
import { plural } from "../kernel/text.ts";
import type { DocumentWriter } from "../store/documents.ts";
import { removeDatabase } from "../store/engine/database.ts";
import { openDocumentWriter } from "../store/engine/documents.ts";
import { type LockedDatabase, replaceLocked, writeLocked } from "../store/engine/writing.ts";
import { listArchived, readArchived, removeArchived } from "./archive.ts";
import type { CollectionReport } from "./collection_index.ts";
import { type CollectionsContext, type Declared, untrustedError } from "./declaring/declared.ts";
import { identityOf } from "./declaring/source.ts";
import type { GatherLimits } from "./gather/gather.ts";
import { Readers } from "./reading/readers.ts";
import { type CollectionJob, rebuildCollection, syncCollection } from "./sync.ts";

export interface SyncOutcome {
  name: string;
  id: string;
  source: string;
  report?: CollectionReport;
  /** The whole source failed; nothing was changed. */
  error?: DexError;
}

export interface SyncCollectionsOptions {
  full?: boolean;
  waitMs?: number;
  progress?: (done: number, total: number, label: string) => void;
}

const DEFAULT_WAIT_MS = 30_000;

/** Undefined: another process is writing. A failing collection does not stop the others. */
export async function syncCollections(
  context: CollectionsContext,
  collections: readonly Declared[],
  options: SyncCollectionsOptions = {},
): Promise<SyncOutcome[] | undefined> {
  return withDocumentWriter(context, options.waitMs ?? DEFAULT_WAIT_MS, async (writer, readers) => {
    const outcomes: SyncOutcome[] = [];
    for (const declared of collections) {
      const { name, id, canonical } = declared;
      const about = { name, id, source: canonical };
      try {
        if (!declared.trusted) throw untrustedError(declared);
        const job = jobFor(context, readers, declared, options.full ?? false, (done, total) =>
          options.progress?.(done, total, name),
        );
        outcomes.push({ ...about, report: await syncCollection(writer, job) });
      } catch (error) {
        writer.rollback();
        const known = diskError(error, context.paths.documents);
        if (!(known instanceof DexError) || known.code === "disk_full" || known.code === "not_writable") throw known;
        outcomes.push({ ...about, error: hasDocuments(writer, id) ? withStaying(known) : known });
      }
    }
    return outcomes;
  });
}

function hasDocuments(writer: DocumentWriter, id: string): boolean {
  return writer.collections().some((each) => each.id === id && each.documents > 0);
}

/** Adds to the error that the earlier version stays searchable. */
function withStaying(error: DexError): DexError {
  return withFurtherHint(error, "The documents of its last sync stay.");
}

function jobFor(
  context: CollectionsContext,
  readers: Readers,
  declared: Declared,
  full: boolean,
  progress?: CollectionJob["progress"],
): CollectionJob {
  const { paths, settings, vars, now } = context;
  const { id, source, canonical, file, origin } = declared;
  return {
    id,
    source,
    canonical,
    declaredIn: file,
    full,
    archive: paths.documentArchive,
    limits: limitsOf(context),
    vars,
    registry: settings.docs.registry,
    packages: { repositories: settings.docs.repositories, catalogue: settings.docs.catalogue },
    mayFollow: origin === "project" ? (at, content) => isTrusted(paths.trust, at, content) : undefined,
    readers,
    now,
    ...(progress ? { progress } : {}),
  };
}

function limitsOf({ settings: { docs }, vars }: CollectionsContext): GatherLimits {
  return {
    proxyVars: vars,
    allowPrivate: docs.allowPrivate,
    maxBytes: docs.maxFileBytes,
    timeoutMs: docs.timeout * 1000,
    maxFiles: docs.maxFiles,
    maxTotal: docs.maxTotalBytes,
    maxPages: docs.maxPages,
    delayMs: docs.delayMs,
  };
}

/** Documents have their own lock and database, so conversations can be synced at the same time. */
export async function withDocumentWriter<T>(
  context: CollectionsContext,
  waitMs: number,
  use: (writer: DocumentWriter, readers: Readers) => Promise<T> | T,
): Promise<T | undefined> {
  return withReaders(context, (readers) =>
    writeLocked(
      lockedDocuments(context, waitMs),
      () => openDocumentWriter(context.paths.documents, readers.model),
      async (writer) => {
        // A killed rebuild leaves a partial database.
        removeDatabase(`${context.paths.documents}.new`);
        // After a lost database, another version or a kill: archived collections that are not indexed come first.
        await rebuildInto(writer, readers, context);
        return use(writer, readers);
      },
    ),
  );
}

async function withReaders<T>({ settings }: CollectionsContext, use: (readers: Readers) => Promise<T>): Promise<T> {
  const readers = new Readers(staticModel(settings));
  try {
    return await use(readers);
  } finally {
    await readers.close();
  }
}

function lockedDocuments({ paths }: CollectionsContext, waitMs: number): LockedDatabase {
  return { path: paths.documents, lock: paths.documentLock, waitMs };
}

export interface RebuiltDocuments {
  collections: number;
  documents: number;
  failed: { source: string; error: string }[];
}

/** Rebuilds documents.db from the archive and the user's own folders. Undefined: another process is writing. */
export async function rebuildDocuments(
  context: CollectionsContext,
  waitMs: number,
  progress?: (done: number, total: number, label: string) => void,
): Promise<RebuiltDocuments | undefined> {
  const { paths } = context;
  if (listArchived(paths.documentArchive).length === 0 && !existsSync(paths.documents)) {
    return { collections: 0, documents: 0, failed: [] };
  }
  return withReaders(context, (readers) =>
    replaceLocked(
      lockedDocuments(context, waitMs),
      (path) => openDocumentWriter(path, readers.model),
      (writer) => rebuildInto(writer, readers, context, progress),
    ),
  );
}

/** Indexes archived collections that are not in the index. */
async function rebuildInto(
  writer: DocumentWriter,
  readers: Readers,
  context: CollectionsContext,
  progress?: (done: number, total: number, label: string) => void,
): Promise<RebuiltDocuments> {
  const { documentArchive } = context.paths;
  const rebuilt: RebuiltDocuments = { collections: 0, documents: 0, failed: [] };
  const indexed = new Set(writer.collections().map(({ id }) => id));
  const ids = listArchived(documentArchive).filter((id) => !indexed.has(id));
  for (const [i, id] of ids.entries()) {
    const archived = readArchived(documentArchive, id);
    progress?.(i, ids.length, plural(i, "collection"));
    if (!archived || identityOf(archived.source) !== id) continue;
    const { source, canonical } = archived;
    const [file = ""] = archived.declared;
    const declared: Declared = { name: id, id, source, canonical, file, origin: "global", trusted: true };
    try {
      const job = jobFor(context, readers, declared, false);
      const report = await rebuildCollection(writer, { ...job, declaredIn: undefined });
      rebuilt.collections += 1;
      rebuilt.documents += report.added + report.changed + report.unchanged;
      for (const { path, error } of report.failed) rebuilt.failed.push({ source: `${canonical} ${path}`, error });
    } catch (error) {
      writer.rollback();
      if (!(error instanceof DexError)) throw error;
      rebuilt.failed.push({ source: canonical, error: error.message });
      // Recorded as empty, so it is not retried every time.
      writer.finish(id, canonical, { at: context.now(), failed: 1 });
      writer.commit();
    }
  }
  return rebuilt;
}

/** Removes a collection from the archive and the index. Undefined: another process is writing. */
export async function dropCollection(context: CollectionsContext, id: string): Promise<true | undefined> {
  return withDocumentWriter(context, DEFAULT_WAIT_MS, (writer) => {
    // The archive first: after a kill in between, the next drop removes the rest from the index.
    removeArchived(context.paths.documentArchive, id);
    writer.removeCollection(id);
    writer.commit();
    return true as const;
  });
}

/** Thrown when another process holds the lock. */
export function documentsBusy(): DexError {
  return new DexError("busy", "Another dex process is writing the documents.", {
    hint: "Wait for it to finish and run the command again.",
  });
}
