/**
 * Syncs one collection: a folder is read in place; files of other sources are fetched and archived first, then indexed.
 */
import { defined } from "../kernel/defined.ts";
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import { asObject, asString } from "../kernel/json.ts";
import { compareText, formatBytes } from "../kernel/text.ts";
import { redactText } from "../redact/redact.ts";
import type { DocumentWriter } from "../store/documents.ts";
import {
  type ArchivedCollection,
  type ArchivedFile,
  archiveContent,
  contentHash,
  readArchived,
  readContent,
  removeOrphanedContents,
  writeArchived,
} from "./archive.ts";
import { CollectionIndex, type CollectionReport } from "./collection_index.ts";
import type { CollectionSource } from "./declaring/source.ts";
import { FAILED, readStable, stampOf, stampsOf, walkOrFail } from "./files.ts";
import type { GatherContext, GatherLimits, GatherSink, PackageSettings } from "./gather/gather.ts";
import { gatherFrom } from "./gather/sources.ts";
import { tooMany, type WalkedFile } from "./gather/walk.ts";
import { redactFile } from "./reading/document.ts";
import { ReadQueue } from "./reading/queue.ts";
import type { Readers, ReadResult } from "./reading/readers.ts";

export interface CollectionJob {
  id: string;
  source: CollectionSource;
  canonical: string;
  /** The file that declares it; undefined: the declarations stay as they are. */
  declaredIn?: string;
  /** Fetch and read everything again. */
  full: boolean;
  archive: string;
  limits: GatherLimits;
  vars: NodeJS.ProcessEnv;
  registry: string | undefined;
  packages: PackageSettings;
  mayFollow: GatherContext["mayFollow"];
  readers: Readers;
  now: () => number;
  progress?: (done: number, total: number) => void;
}

/** A file modified so recently may change again without a new timestamp, on file systems with coarse timestamps. */
const TIMESTAMP_GRANULARITY_MS = 2000;

export async function syncCollection(writer: DocumentWriter, job: CollectionJob): Promise<CollectionReport> {
  const run = new CollectionSync(writer, job);
  return job.source.kind === "folder" ? run.folder(job.source) : run.fetched();
}

/** From the archive or the user's own folder, without a network. */
export async function rebuildCollection(writer: DocumentWriter, job: CollectionJob): Promise<CollectionReport> {
  const run = new CollectionSync(writer, job);
  return job.source.kind === "folder" ? run.folder(job.source) : run.archived();
}

class CollectionSync {
  readonly #writer: DocumentWriter;
  readonly #job: CollectionJob;
  readonly #index: CollectionIndex;
  readonly #reading: ReadQueue;

  constructor(writer: DocumentWriter, job: CollectionJob) {
    this.#writer = writer;
    this.#job = job;
    this.#reading = new ReadQueue(job.readers);
    this.#index = new CollectionIndex(writer, job);
  }

  async folder(source: Extract<CollectionSource, { kind: "folder" }>): Promise<CollectionReport> {
    const { id, limits, full, readers, progress } = this.#job;
    const stamps = full ? new Map<string, string>() : stampsOf(this.#writer.sourceState(id));
    const isSame = (file: WalkedFile): boolean =>
      stamps.get(file.path) === stampOf(file) && this.#index.before.has(file.path);
    let expected = 0;
    const walk = walkOrFail(source, limits.maxFiles, (file) => {
      if (!isSame(file)) expected += file.size;
      readers.expect(expected);
    });
    for (const { path, error } of walk.failed) this.#index.fail(path, error);
    this.#index.partial = walk.failed.length > 0;
    const next: Record<string, string> = {};
    let total = 0;
    for (const [i, file] of walk.files.entries()) {
      total += file.size;
      if (total > limits.maxTotal) {
        this.#index.fail(
          file.path,
          `The collection is larger than ${formatBytes(limits.maxTotal)}; the rest was not read. Raise docs.maxTotalBytes.`,
        );
        this.#index.partial = true;
        break;
      }
      const stamp = stampOf(file);
      const settle = (known: boolean): void => {
        if (!known) next[file.path] = `${FAILED}${stamp}`;
        else if (this.#job.now() - file.mtimeMs > TIMESTAMP_GRANULARITY_MS) next[file.path] = stamp;
        progress?.(i + 1, walk.files.length);
      };
      if (isSame(file)) {
        this.#index.same(file.path);
        settle(true);
      } else await this.#readFile(file, settle);
    }
    await this.#reading.end();
    this.#keepDeclaration();
    return this.#index.finish(JSON.stringify({ stamps: next }));
  }

  /** Calls `settle(false)` when the file must be read again in the next sync. */
  async #readFile(file: WalkedFile, settle: (known: boolean) => void): Promise<void> {
    const { path, absolute } = file;
    const fail = (error: unknown): void => {
      this.#index.fail(
        path,
        error instanceof DexError ? error.message : `It cannot be read (${systemCode(error) ?? errorMessage(error)}).`,
      );
      settle(false);
    };
    let bytes: Buffer | undefined;
    try {
      bytes = readStable(absolute, this.#job.limits.maxBytes);
    } catch (error) {
      fail(error);
      return;
    }
    if (!bytes) {
      settle(false);
      return;
    }
    const hash = contentHash(bytes);
    this.#index.report.bytes += bytes.length;
    if (this.#index.before.get(path) === hash && !this.#job.full) {
      this.#index.same(path);
      settle(true);
      return;
    }
    const about = { path, location: absolute, hash, bytes: bytes.length, updated: Math.trunc(file.mtimeMs) };
    await this.#reading.add({ path, bytes }, (read) => settle(this.#index.put(about, read)), fail);
  }

  /** Fetches and archives the files, then indexes the archive. */
  async fetched(): Promise<CollectionReport> {
    const { archive, id, source, canonical, full, limits, vars, registry, packages, mayFollow, now } = this.#job;
    const before = readArchived(archive, id);
    const collection: ArchivedCollection = {
      source,
      canonical,
      declared: this.#declared(before),
      files: new Map(),
      ...(before?.state === undefined ? {} : { state: before.state }),
    };
    const keepPrevious = (path: string): void => {
      const file = before?.files.get(path);
      if (file) collection.files.set(path, file);
    };
    let total = 0;
    const sink: GatherSink = {
      known: (path) => (full ? undefined : before?.files.get(path)),
      knownPaths: () => before?.files.keys() ?? [],
      content: (path) => {
        const file = before?.files.get(path);
        return file && readContent(archive, id, file.hash);
      },
      file: async ({ path, location, bytes, updated, etag, modified }) => {
        const clean = redactText(path);
        if (clean.count > 0) {
          this.#index.fail(clean.text, "It was left out because its name contains a secret.");
          return;
        }
        if (collection.files.size >= limits.maxFiles && !collection.files.has(path)) {
          if (!this.#index.partial) this.#index.fail(path, tooMany(limits.maxFiles));
          this.#index.partial = true;
          return;
        }
        total += bytes.length;
        if (total > limits.maxTotal) {
          throw new DexError("too_large", `${canonical} is larger than ${formatBytes(limits.maxTotal)}.`, {
            hint: "Choose a part of it, or raise docs.maxTotalBytes.",
          });
        }
        this.#index.report.bytes += bytes.length;
        const content = await redactFile(path, bytes);
        this.#index.report.redactions += content.redactions;
        const hash = archiveContent(archive, id, content.bytes);
        const text = content.text || undefined;
        const file = { location, hash, bytes: content.bytes.length, updated, etag, modified, text };
        collection.files.set(path, defined(file));
      },
      unchanged: keepPrevious,
      failed: (path, error) => {
        keepPrevious(path);
        this.#index.fail(path, error);
      },
      skipped: (path, error) => this.#index.skip(path, error),
      progress: (done, all) => this.#job.progress?.(done, all),
    };
    const state = full ? undefined : before?.state;
    const context: GatherContext = { limits, sink, state, vars, registry, packages, mayFollow };
    const gathered = await gatherFrom(source, context, now);
    if (gathered.same || gathered.partial)
      for (const path of before?.files.keys() ?? []) if (!collection.files.has(path)) keepPrevious(path);
    if (gathered.partial) this.#index.partial = true;
    if (gathered.state !== undefined) collection.state = gathered.state;
    if (gathered.package) this.#index.report.package = gathered.package;
    writeArchived(archive, id, collection);
    await this.#indexArchived(collection);
    removeOrphanedContents(archive, id, collection);
    return this.#index.finish(versionState(collection));
  }

  async archived(): Promise<CollectionReport> {
    const collection = readArchived(this.#job.archive, this.#job.id);
    if (collection) await this.#indexArchived(collection);
    return this.#index.finish(collection && versionState(collection));
  }

  async #indexArchived(collection: ArchivedCollection): Promise<void> {
    let done = 0;
    const report = (): void => {
      done += 1;
      this.#job.progress?.(done, collection.files.size);
    };
    const isSame = ([path, { hash }]: readonly [string, ArchivedFile]): boolean =>
      this.#index.before.get(path) === hash && !this.#job.full;
    const files = [...collection.files].toSorted(([one], [other]) => compareText(one, other));
    this.#job.readers.expect(files.reduce((sum, file) => sum + (isSame(file) ? 0 : file[1].bytes), 0));
    for (const [path, file] of files) {
      if (isSame([path, file])) {
        this.#index.same(path);
        report();
      } else await this.#readArchived(path, file, report);
    }
    await this.#reading.end();
  }

  async #readArchived(path: string, file: ArchivedFile, report: () => void): Promise<void> {
    const { hash, bytes, updated, location } = file;
    const fail = (error: unknown): void => {
      this.#index.fail(path, errorMessage(error));
      report();
    };
    let content: Buffer;
    try {
      content = readContent(this.#job.archive, this.#job.id, hash);
    } catch (error) {
      fail(error);
      return;
    }
    const job = { path, bytes: content, archived: { text: file.text ?? false } };
    const about = { path, location, hash, bytes, updated };
    const take = (read: ReadResult): void => {
      this.#index.put(about, read);
      report();
    };
    await this.#reading.add(job, take, fail);
  }

  /** Folders have no archived files, but a rebuild needs the list of all collections. */
  #keepDeclaration(): void {
    const { archive, id, source, canonical } = this.#job;
    const before = readArchived(archive, id);
    const declared = this.#declared(before);
    if (before && declared.length === before.declared.length) return;
    writeArchived(archive, id, { source, canonical, declared, files: new Map() });
  }

  #declared(before: ArchivedCollection | undefined): string[] {
    const { declaredIn } = this.#job;
    return [...new Set([...(before?.declared ?? []), ...(declaredIn === undefined ? [] : [declaredIn])])].toSorted();
  }
}

/** The state that readers of the index see: the version of a package. */
function versionState({ source, state }: ArchivedCollection): string | undefined {
  const version = source.kind === "npm" ? asString(asObject(state).version) : undefined;
  return version === undefined ? undefined : JSON.stringify({ version });
}
