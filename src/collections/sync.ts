/**
 * Syncs one collection. Fetched files are archived first, then indexed. Vanished files are removed only when the whole
 * source was seen, and files that failed keep their earlier version.
 */
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import { asObject, asString } from "../kernel/json.ts";
import { compareText, formatBytes } from "../kernel/text.ts";
import { redactText } from "../redact/redact.ts";
import type { DocumentWriter, NewDocument } from "../store/documents.ts";
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
import type { CollectionSource } from "./declaring/source.ts";
import { FAILED, readStable, stampOf, stampsOf, walkOrFail } from "./files.ts";
import type {
  GatherContext,
  GatherLimits,
  GatherSink,
  PackageReport,
  PackageSettings,
  Trouble,
} from "./gather/gather.ts";
import { gatherFrom } from "./gather/sources.ts";
import { tooMany, type WalkedFile } from "./gather/walk.ts";
import { redactFile } from "./reading/document.ts";
import { ReadQueue } from "./reading/queue.ts";
import type { ReadResult } from "./reading/read.ts";
import type { Readers } from "./reading/readers.ts";

export interface CollectionReport {
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
  redactions: number;
  bytes: number;
  failed: Trouble[];
  /** Files that are not documents: binary or empty. */
  skipped: Trouble[];
  /** Remarks on indexed documents. */
  notes: Trouble[];
  /** Nothing failed, and the whole source was seen. */
  complete: boolean;
  /** Of a package: its version, and where its documentation came from. */
  package?: PackageReport;
}

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

type FileInfo = Omit<NewDocument, "digested">;

const COMMIT_BYTES = 8 << 20;
/** A file modified so recently may change again without a new timestamp, on file systems with coarse timestamps. */
const TIMESTAMP_GRANULARITY_MS = 2000;
const MAX_TROUBLES = 1000;

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
  readonly #before: Map<string, string>;
  readonly #seen = new Set<string>();
  readonly #report: CollectionReport;
  #uncommitted = 0;
  #partial = false;
  readonly #reading: ReadQueue;

  constructor(writer: DocumentWriter, job: CollectionJob) {
    this.#writer = writer;
    this.#job = job;
    this.#reading = new ReadQueue(job.readers);
    this.#before = writer.hashes(job.id);
    this.#report = {
      added: 0,
      changed: 0,
      removed: 0,
      unchanged: 0,
      redactions: 0,
      bytes: 0,
      failed: [],
      skipped: [],
      notes: [],
      complete: false,
    };
  }

  async folder(source: Extract<CollectionSource, { kind: "folder" }>): Promise<CollectionReport> {
    const { id, limits, full, progress } = this.#job;
    const walk = walkOrFail(source, limits.maxFiles);
    for (const { path, error } of walk.failed) this.#fail(path, error);
    this.#partial = walk.failed.length > 0;
    const stamps = full ? new Map<string, string>() : stampsOf(this.#writer.sourceState(id));
    const next: Record<string, string> = {};
    const isSame = (file: WalkedFile): boolean =>
      stamps.get(file.path) === stampOf(file) && this.#before.has(file.path);
    this.#job.readers.expect(walk.files.reduce((sum, file) => sum + (isSame(file) ? 0 : file.size), 0));
    let total = 0;
    for (const [i, file] of walk.files.entries()) {
      total += file.size;
      if (total > limits.maxTotal) {
        this.#fail(
          file.path,
          `The collection is larger than ${formatBytes(limits.maxTotal)}; the rest was not read. Raise docs.maxTotalBytes.`,
        );
        this.#partial = true;
        break;
      }
      const stamp = stampOf(file);
      const settle = (known: boolean): void => {
        if (!known) next[file.path] = `${FAILED}${stamp}`;
        else if (this.#job.now() - file.mtimeMs > TIMESTAMP_GRANULARITY_MS) next[file.path] = stamp;
        progress?.(i + 1, walk.files.length);
      };
      if (isSame(file)) {
        this.#same(file.path);
        settle(true);
      } else await this.#readFile(file, settle);
    }
    await this.#reading.end();
    this.#keepDeclaration();
    return this.#finish(JSON.stringify({ stamps: next }));
  }

  /** Calls `settle(false)` when the file must be read again in the next sync. */
  async #readFile(file: WalkedFile, settle: (known: boolean) => void): Promise<void> {
    const { path, absolute } = file;
    const fail = (error: unknown): void => {
      this.#fail(
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
    this.#report.bytes += bytes.length;
    if (this.#before.get(path) === hash && !this.#job.full) {
      this.#same(path);
      settle(true);
      return;
    }
    const about = { path, location: absolute, hash, bytes: bytes.length, updated: Math.trunc(file.mtimeMs) };
    await this.#reading.add({ path, bytes }, (read) => settle(this.#put(about, read)), fail);
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
          this.#fail(clean.text, "It was left out because its name contains a secret.");
          return;
        }
        if (collection.files.size >= limits.maxFiles && !collection.files.has(path)) {
          if (!this.#partial) this.#fail(path, tooMany(limits.maxFiles));
          this.#partial = true;
          return;
        }
        total += bytes.length;
        if (total > limits.maxTotal) {
          throw new DexError("too_large", `${canonical} is larger than ${formatBytes(limits.maxTotal)}.`, {
            hint: "Choose a part of it, or raise docs.maxTotalBytes. Documents of earlier syncs stay.",
          });
        }
        this.#report.bytes += bytes.length;
        const content = await redactFile(path, bytes);
        this.#report.redactions += content.redactions;
        collection.files.set(path, {
          location,
          hash: archiveContent(archive, id, content.bytes),
          bytes: content.bytes.length,
          updated,
          ...(etag === undefined ? {} : { etag }),
          ...(modified === undefined ? {} : { modified }),
          ...(content.text ? { text: true } : {}),
        });
      },
      unchanged: keepPrevious,
      failed: (path, error) => {
        keepPrevious(path);
        this.#fail(path, error);
      },
      skipped: (path, error) => this.#note(this.#report.skipped, path, error),
      progress: (done, all) => this.#job.progress?.(done, all),
    };
    const state = full ? undefined : before?.state;
    const context: GatherContext = { limits, sink, state, vars, registry, packages, mayFollow };
    const gathered = await gatherFrom(source, context, now);
    if (gathered.same || gathered.partial)
      for (const path of before?.files.keys() ?? []) if (!collection.files.has(path)) keepPrevious(path);
    if (gathered.partial) this.#partial = true;
    if (gathered.state !== undefined) collection.state = gathered.state;
    if (gathered.package) this.#report.package = gathered.package;
    writeArchived(archive, id, collection);
    await this.#indexArchived(collection);
    removeOrphanedContents(archive, id, collection);
    return this.#finish(versionState(collection));
  }

  async archived(): Promise<CollectionReport> {
    const collection = readArchived(this.#job.archive, this.#job.id);
    if (collection) await this.#indexArchived(collection);
    return this.#finish(collection && versionState(collection));
  }

  async #indexArchived(collection: ArchivedCollection): Promise<void> {
    let done = 0;
    const report = (): void => {
      done += 1;
      this.#job.progress?.(done, collection.files.size);
    };
    const isSame = ([path, { hash }]: readonly [string, ArchivedFile]): boolean =>
      this.#before.get(path) === hash && !this.#job.full;
    const files = [...collection.files].toSorted(([one], [other]) => compareText(one, other));
    this.#job.readers.expect(files.reduce((sum, file) => sum + (isSame(file) ? 0 : file[1].bytes), 0));
    for (const [path, file] of files) {
      if (isSame([path, file])) {
        this.#same(path);
        report();
      } else await this.#readArchived(path, file, report);
    }
    await this.#reading.end();
  }

  async #readArchived(path: string, file: ArchivedFile, report: () => void): Promise<void> {
    const { hash, bytes, updated, location } = file;
    const fail = (error: unknown): void => {
      this.#fail(path, errorMessage(error));
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
      this.#put(about, read);
      report();
    };
    await this.#reading.add(job, take, fail);
  }

  /** Returns false when the same bytes must be read again in the next sync. */
  #put(file: FileInfo, read: ReadResult): boolean {
    const { path } = file;
    if ("skipped" in read) {
      // A document that is too large is missing from the index; a binary or empty file is not a document.
      if (read.why === "too_large" || read.why === "unreadable") this.#fail(path, read.skipped);
      else this.#note(this.#report.skipped, path, read.skipped);
      return read.why !== "unreadable" && read.why !== "too_large";
    }
    this.#seen.add(path);
    this.#report.redactions += read.redactions;
    if (read.replaced > 0) {
      this.#note(this.#report.notes, path, `It is not valid UTF-8: ${read.replaced} broken sequences were replaced.`);
    }
    this.#writer.put(this.#job.id, { ...file, digested: read.digested });
    const known = this.#before.get(path);
    if (known === undefined) this.#report.added += 1;
    else if (known === file.hash) this.#report.unchanged += 1;
    else this.#report.changed += 1;
    this.#uncommitted += file.bytes;
    if (this.#uncommitted > COMMIT_BYTES) {
      this.#writer.commit();
      this.#uncommitted = 0;
    }
    return true;
  }

  #same(path: string): void {
    this.#seen.add(path);
    this.#report.unchanged += 1;
  }

  #fail(path: string, error: string): void {
    // Counts as seen, so an earlier version stays.
    this.#seen.add(path);
    this.#note(this.#report.failed, path, error);
  }

  #note(list: Trouble[], path: string, error: string): void {
    if (list.length < MAX_TROUBLES) list.push({ path, error });
    else this.#partial = true;
  }

  #finish(state?: string): CollectionReport {
    const { id, canonical, now } = this.#job;
    for (const path of this.#before.keys()) {
      if (this.#seen.has(path) || this.#partial) continue;
      this.#writer.remove(id, path);
      this.#report.removed += 1;
    }
    const failed = this.#report.failed.length;
    this.#report.complete = failed === 0 && !this.#partial;
    const missing = this.#partial ? Math.max(1, failed) : failed;
    this.#writer.finish(id, canonical, { at: now(), failed: missing, ...(state === undefined ? {} : { state }) });
    this.#writer.commit();
    return this.#report;
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
