/** Reads documents in this thread; if there are many, a second one makes most of the digests. */
import { availableParallelism } from "node:os";
import type { VectorModel } from "../../ranking/query.ts";
import type { DigestedDocument } from "../../store/documents.ts";
import { ThreadPool } from "../../threads/pool.ts";
import { threadProgram } from "../../threads/program.ts";
import { TermReceiver } from "../../threads/term_delta.ts";
import { TextDigester } from "./digest.ts";
import { type DocumentReading, parseRedacted, readDocument } from "./document.ts";
import { type DigestJob, digestedDocument, digestJob, type TextDigest } from "./texts.ts";
import type { DigestSetup, PostedDigest } from "./worker.ts";

export interface ReadJob {
  path: string;
  bytes: Uint8Array;
  /** From the archive, so already redacted; `text`: plain text regardless of its name. */
  archived?: { text: boolean };
}

export type ReadResult =
  | { digested: DigestedDocument; redactions: number; replaced: number }
  | Extract<DocumentReading, { skipped: string }>;

/** With less to read, starting a thread takes longer than it saves. */
const MIN_BYTES_FOR_THREAD = 2 << 20;
/** Documents that the thread holds at once: it goes on while this thread writes. */
const MAX_GIVEN = 256;
const MAX_GIVEN_CHARS = 2 << 20;

type Pool = ThreadPool<DigestJob, PostedDigest, TermReceiver>;

export class Readers {
  readonly #setup: DigestSetup;
  readonly #own: TextDigester;
  #pool: Pool | undefined;
  /** The number of documents that the thread has, and their characters. */
  #given = 0;
  #givenChars = 0;

  constructor(model: string | undefined) {
    this.#setup = { model };
    this.#own = new TextDigester(model);
  }

  get model(): VectorModel | undefined {
    return this.#own.model;
  }

  /** Whether the thread has documents. */
  get areGiven(): boolean {
    return this.#given > 0;
  }

  /** Announces the least amount that will be read, so that a thread starts only if it pays off. */
  expect(bytes: number): void {
    // Node asks the system for the number of cores each time.
    if (this.#pool || bytes < MIN_BYTES_FOR_THREAD || availableParallelism() < 2) return;
    this.#pool = new ThreadPool({
      program: threadProgram(import.meta.url, "documents_worker.js"),
      maxThreads: 1,
      jobsPerThread: MAX_GIVEN,
      setup: () => ({ workerData: this.#setup, kept: new TermReceiver() }),
    });
    // The thread loads its program while this one lists and reads files.
    this.#pool.warm();
  }

  /** Resolves when this thread has done its part; `result` may wait for the other thread. */
  async read({ path, bytes, archived }: ReadJob): Promise<{ result: Promise<ReadResult> | ReadResult }> {
    const read = archived
      ? await parseRedacted(path, { bytes, redactions: 0, ...(archived.text ? { text: true } : {}) })
      : await readDocument(path, bytes);
    if ("skipped" in read) return { result: read };
    const { parsed, ...counts } = read;
    const work = digestJob(path, parsed);
    const resultOf = (digest: TextDigest, names: readonly string[]): ReadResult => ({
      ...counts,
      digested: digestedDocument(parsed, digest, names),
    });
    if (this.#pool && this.#given < MAX_GIVEN && this.#givenChars < MAX_GIVEN_CHARS) {
      return { result: this.#give(this.#pool, work, resultOf) };
    }
    const digest = this.#own.digest(work);
    return { result: resultOf(digest, this.#own.names) };
  }

  async #give(
    pool: Pool,
    work: DigestJob,
    resultOf: (digest: TextDigest, names: readonly string[]) => ReadResult,
  ): Promise<ReadResult> {
    let result: ReadResult | undefined;
    this.#given += 1;
    this.#givenChars += work.text.length;
    try {
      await pool.run(work, ({ digest, terms }, receiver) => {
        result = resultOf(digest, receiver.add(terms));
      });
    } finally {
      this.#given -= 1;
      this.#givenChars -= work.text.length;
    }
    if (!result) throw new Error("The thread posted no digest.");
    return result;
  }

  async close(): Promise<void> {
    await this.#pool?.close();
    this.#pool = undefined;
  }
}
