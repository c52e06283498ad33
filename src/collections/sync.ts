/**
 * One sync of one collection. What was fetched is kept first, then indexed; what is not seen any more is removed only
 * when the source was seen whole, and what could not be got keeps its earlier version. Committed at safe moments.
 */
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import { compareText, formatBytes } from "../kernel/text.ts";
import { redactText } from "../redact/redact.ts";
import type { DocumentWriter, NewDocument } from "../store/documents.ts";
import { withoutSecrets } from "./document.ts";
import { readSteady, stampOf, stampsOf, TRIED, walkOrFail } from "./files.ts";
import type { GatherContext, GatherLimits, GatherSink, Trouble } from "./gather/gather.ts";
import { gatherFrom } from "./gather/sources.ts";
import { tooMany, type WalkedFile } from "./gather/walk.ts";
import {
  contentHash,
  type KeptCollection,
  type KeptFile,
  keepContent,
  readContent,
  readKept,
  sweepContents,
  writeKept,
} from "./kept.ts";
import { ReadQueue } from "./queue.ts";
import type { ReadResult } from "./read.ts";
import type { Readers } from "./readers.ts";
import type { CollectionSource } from "./source.ts";

export interface CollectionReport {
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
  redactions: number;
  bytes: number;
  failed: Trouble[];
  /** Files that are no documents: binary, empty. */
  skipped: Trouble[];
  /** Documents that were taken in with something to know about them. */
  notes: Trouble[];
  /** Nothing failed, and all of the source was seen. */
  complete: boolean;
}

export interface CollectionJob {
  id: string;
  source: CollectionSource;
  canonical: string;
  /** The file that declares it; undefined: what declared it before still does. */
  declaredIn?: string;
  /** Everything is fetched and read again. */
  full: boolean;
  archive: string;
  limits: GatherLimits;
  vars: NodeJS.ProcessEnv;
  registry: string | undefined;
  mayFollow: GatherContext["mayFollow"];
  readers: Readers;
  now: () => number;
  progress?: (done: number, total: number) => void;
}

type FileFacts = Omit<NewDocument, "digested">;

const COMMIT_BYTES = 8 << 20;
/** A file that was written so shortly before it was read may have changed again within the clock's grain. */
const GRAIN_MS = 2000;
const MOST_TROUBLES = 1000;

export async function syncCollection(writer: DocumentWriter, job: CollectionJob): Promise<CollectionReport> {
  const run = new CollectionSync(writer, job);
  return job.source.kind === "folder" ? run.folder(job.source) : run.fetched();
}

/** From what is kept, or the user's own folder: no network. */
export async function rebuildCollection(writer: DocumentWriter, job: CollectionJob): Promise<CollectionReport> {
  const run = new CollectionSync(writer, job);
  return job.source.kind === "folder" ? run.folder(job.source) : run.kept();
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
        if (!known) next[file.path] = `${TRIED}${stamp}`;
        else if (this.#job.now() - file.mtimeMs > GRAIN_MS) next[file.path] = stamp;
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

  /** `settle` is told whether this is known now; else it is to be read again the next time. */
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
      bytes = readSteady(absolute, this.#job.limits.maxBytes);
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

  /** Fetches, keeps, then indexes what is kept. */
  async fetched(): Promise<CollectionReport> {
    const { archive, id, source, canonical, full, limits, vars, registry, mayFollow, now } = this.#job;
    const before = readKept(archive, id);
    const kept: KeptCollection = {
      source,
      canonical,
      declared: this.#declared(before),
      files: new Map(),
      ...(before?.state === undefined ? {} : { state: before.state }),
    };
    const stay = (path: string): void => {
      const file = before?.files.get(path);
      if (file) kept.files.set(path, file);
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
          this.#fail(clean.text, "It was left out: its name holds a secret.");
          return;
        }
        if (kept.files.size >= limits.maxFiles && !kept.files.has(path)) {
          if (!this.#partial) this.#fail(path, tooMany(limits.maxFiles));
          this.#partial = true;
          return;
        }
        total += bytes.length;
        if (total > limits.maxTotal) {
          throw new DexError("too_large", `${canonical} is larger than ${formatBytes(limits.maxTotal)}.`, {
            hint: "Name a part of it, or raise docs.maxTotalBytes. What an earlier sync took in is kept.",
          });
        }
        this.#report.bytes += bytes.length;
        const content = await withoutSecrets(path, bytes);
        this.#report.redactions += content.redactions;
        kept.files.set(path, {
          location,
          hash: keepContent(archive, id, content.bytes),
          bytes: content.bytes.length,
          updated,
          ...(etag === undefined ? {} : { etag }),
          ...(modified === undefined ? {} : { modified }),
          ...(content.text ? { text: true } : {}),
        });
      },
      unchanged: stay,
      failed: (path, error) => {
        stay(path);
        this.#fail(path, error);
      },
      skipped: (path, error) => this.#note(this.#report.skipped, path, error),
      progress: (done, all) => this.#job.progress?.(done, all),
    };
    const state = full ? undefined : before?.state;
    const context: GatherContext = { limits, sink, state, vars, registry, mayFollow };
    const gathered = await gatherFrom(source, context, now);
    if (gathered.same || gathered.partial)
      for (const path of before?.files.keys() ?? []) if (!kept.files.has(path)) stay(path);
    if (gathered.partial) this.#partial = true;
    if (gathered.state !== undefined) kept.state = gathered.state;
    writeKept(archive, id, kept);
    await this.#indexKept(kept);
    sweepContents(archive, id, kept);
    return this.#finish();
  }

  async kept(): Promise<CollectionReport> {
    const kept = readKept(this.#job.archive, this.#job.id);
    if (kept) await this.#indexKept(kept);
    return this.#finish();
  }

  async #indexKept(kept: KeptCollection): Promise<void> {
    let done = 0;
    const told = (): void => {
      done += 1;
      this.#job.progress?.(done, kept.files.size);
    };
    const isSame = ([path, { hash }]: readonly [string, KeptFile]): boolean =>
      this.#before.get(path) === hash && !this.#job.full;
    const files = [...kept.files].toSorted(([one], [other]) => compareText(one, other));
    this.#job.readers.expect(files.reduce((sum, file) => sum + (isSame(file) ? 0 : file[1].bytes), 0));
    for (const [path, file] of files) {
      if (isSame([path, file])) {
        this.#same(path);
        told();
      } else await this.#readKept(path, file, told);
    }
    await this.#reading.end();
  }

  async #readKept(path: string, file: KeptFile, told: () => void): Promise<void> {
    const { hash, bytes, updated, location } = file;
    const fail = (error: unknown): void => {
      this.#fail(path, errorMessage(error));
      told();
    };
    let content: Buffer;
    try {
      content = readContent(this.#job.archive, this.#job.id, hash);
    } catch (error) {
      fail(error);
      return;
    }
    const job = { path, bytes: content, kept: { text: file.text ?? false } };
    const about = { path, location, hash, bytes, updated };
    const take = (read: ReadResult): void => {
      this.#put(about, read);
      told();
    };
    await this.#reading.add(job, take, fail);
  }

  /** Returns whether this is its final word about these bytes. */
  #put(file: FileFacts, read: ReadResult): boolean {
    const { path } = file;
    if ("skipped" in read) {
      // Too large is a document that is missing; binary or empty is none.
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
    // Its earlier version, if there is one, stays.
    this.#seen.add(path);
    this.#note(this.#report.failed, path, error);
  }

  #note(list: Trouble[], path: string, error: string): void {
    if (list.length < MOST_TROUBLES) list.push({ path, error });
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

  /** A folder is not kept, and yet known: a rebuild begins with the list of all collections. */
  #keepDeclaration(): void {
    const { archive, id, source, canonical } = this.#job;
    const before = readKept(archive, id);
    const declared = this.#declared(before);
    if (before && declared.length === before.declared.length) return;
    writeKept(archive, id, { source, canonical, declared, files: new Map() });
  }

  #declared(before: KeptCollection | undefined): string[] {
    const { declaredIn } = this.#job;
    return [...new Set([...(before?.declared ?? []), ...(declaredIn === undefined ? [] : [declaredIn])])].toSorted();
  }
}
