/**
 * The documents of one collection in the index, and the report of one sync. Vanished documents are removed only when the
 * whole source was seen, and documents that failed keep their earlier version.
 */
import type { DocumentWriter, NewDocument } from "../store/documents.ts";
import type { PackageReport, Trouble } from "./gather/gather.ts";
import type { ReadResult } from "./reading/readers.ts";

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
  /** For a package: its version, and where its documentation came from. */
  package?: PackageReport;
}

type FileInfo = Omit<NewDocument, "digested">;

const COMMIT_BYTES = 8 << 20;
const MAX_TROUBLES = 1000;

interface IndexJob {
  id: string;
  canonical: string;
  now: () => number;
}

export class CollectionIndex {
  /** The content of the documents before this sync, as hashes by path. */
  readonly before: ReadonlyMap<string, string>;
  readonly report: CollectionReport = {
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
  /** Only part of the source was seen. */
  partial = false;
  readonly #writer: DocumentWriter;
  readonly #job: IndexJob;
  readonly #seen = new Set<string>();
  #uncommitted = 0;

  constructor(writer: DocumentWriter, job: IndexJob) {
    this.#writer = writer;
    this.#job = job;
    this.before = writer.hashes(job.id);
  }

  /** Returns false when the same bytes must be read again in the next sync. */
  put(file: FileInfo, read: ReadResult): boolean {
    const { path } = file;
    if ("skipped" in read) {
      // A document that is too large is missing from the index; a binary or empty file is not a document.
      if (read.why === "too_large" || read.why === "unreadable") this.fail(path, read.skipped);
      else this.skip(path, read.skipped);
      return read.why !== "unreadable" && read.why !== "too_large";
    }
    this.#seen.add(path);
    this.report.redactions += read.redactions;
    if (read.replaced > 0) {
      this.#note(this.report.notes, path, `It is not valid UTF-8: ${read.replaced} broken sequences were replaced.`);
    }
    this.#writer.put(this.#job.id, { ...file, digested: read.digested });
    const known = this.before.get(path);
    if (known === undefined) this.report.added += 1;
    else if (known === file.hash) this.report.unchanged += 1;
    else this.report.changed += 1;
    this.#uncommitted += file.bytes;
    if (this.#uncommitted > COMMIT_BYTES) {
      this.#writer.commit();
      this.#uncommitted = 0;
    }
    return true;
  }

  same(path: string): void {
    this.#seen.add(path);
    this.report.unchanged += 1;
  }

  /** The file is not a document. */
  skip(path: string, error: string): void {
    this.#note(this.report.skipped, path, error);
  }

  fail(path: string, error: string): void {
    // Counts as seen, so an earlier version stays.
    this.#seen.add(path);
    this.#note(this.report.failed, path, error);
  }

  #note(list: Trouble[], path: string, error: string): void {
    if (list.length < MAX_TROUBLES) list.push({ path, error });
    else this.partial = true;
  }

  finish(state?: string): CollectionReport {
    const { id, canonical, now } = this.#job;
    for (const path of this.before.keys()) {
      if (this.#seen.has(path) || this.partial) continue;
      this.#writer.remove(id, path);
      this.report.removed += 1;
    }
    const failed = this.report.failed.length;
    this.report.complete = failed === 0 && !this.partial;
    const missing = this.partial ? Math.max(1, failed) : failed;
    this.#writer.finish(id, canonical, { at: now(), failed: missing, ...(state === undefined ? {} : { state }) });
    this.#writer.commit();
    return this.report;
  }
}
