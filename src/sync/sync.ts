/** One sync: discover, read, redact, archive, index. Everything is committed in an order that a kill cannot spoil. */
import { existsSync, rmSync } from "node:fs";
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import { writeFileAtomic } from "../kernel/files.ts";
import { redactText } from "../redact/redact.ts";
import type { Container, SourceEnv } from "../sources/source.ts";
import type { IndexWriter } from "../store/ports.ts";
import { openForReading, openForWriting } from "../store/sqlite/database.ts";
import { SqliteWriter } from "../store/sqlite/writer.ts";
import { type LockedDatabase, replaceLocked, writeLocked } from "../store/sqlite/writing.ts";
import type { Policy, ReadEvent } from "./events.ts";
import { cleanLineage, storedPath } from "./fields.ts";
import { inheritedRecords } from "./inherited.ts";
import { changedOnly, makePlan, type Planned, refusedStamp } from "./plan.ts";
import { openPool } from "./pool.ts";
import { rebuildAll, reconcile } from "./rebuild.ts";
import { Recorder, type Recording } from "./recorder.ts";
import { noTotals, type SyncTotals, sumLeftOut } from "./totals.ts";

export interface SyncPlaces {
  index: string;
  archive: string;
  lock: string;
  running: string;
  /** The file of the model that embeds what is indexed; without one there are no vectors. */
  model?: string;
}

export interface SyncRequest {
  places: SyncPlaces;
  env: SourceEnv;
  /** All there are now. */
  containers: readonly Container[];
  policy: Policy;
  /** Read everything again, as if it were new. */
  full: boolean;
  /** Of all agents. */
  everything: boolean;
  threads?: number;
  /** How long to wait for another sync. */
  waitMs: number;
  now: () => number;
  /** Folders found by a search of the home folder: kept, because the search is not repeated every time. */
  foundRoots?: readonly string[];
  progress?: (progress: SyncProgress) => void;
}

export interface SyncProgress {
  bytes: number;
  totalBytes: number;
  conversations: number;
}

const COMMIT_BYTES = 24 << 20;

/** Runs a sync; undefined when another one holds the lock. */
export async function runSync(request: SyncRequest): Promise<SyncTotals | undefined> {
  return withWriter(request, async (writer) => new SyncRun(request, writer).run());
}

/** The store, opened for writing under the lock and in order after a crash. */
export async function withWriter<T>(
  request: { places: SyncPlaces; waitMs: number; now: () => number },
  use: (writer: IndexWriter) => Promise<T> | T,
): Promise<T | undefined> {
  const { places } = request;
  let crashed = false;
  let created = false;
  const open = (): SqliteWriter => {
    crashed = existsSync(places.running);
    writeFileAtomic(places.running, JSON.stringify({ pid: process.pid, since: new Date(request.now()).toISOString() }));
    const opened = openForWriting(places.index);
    created = opened.created;
    return new SqliteWriter(opened.database);
  };
  return writeLocked(lockedIndex(places, request.waitMs), open, async (writer) => {
    if (created) rebuildAll(writer, places);
    else if (crashed) reconcile(writer, places);
    const result = await use(writer);
    // Committed first: until then a kill has to be noticed.
    writer.commit();
    rmSync(places.running, { force: true });
    return result;
  });
}

function lockedIndex({ index, lock }: SyncPlaces, waitMs: number): LockedDatabase {
  return { path: index, lock, waitMs };
}

/**
 * Builds a new index beside the old one and puts it in its place. Returns how many conversations it has; undefined
 * when another process holds the lock.
 */
export async function rebuildIndex(
  places: SyncPlaces,
  waitMs: number,
  progress?: (done: number, total: number) => void,
): Promise<number | undefined> {
  return replaceLocked(
    lockedIndex(places, waitMs),
    (path) => new SqliteWriter(openForWriting(path).database),
    (writer) => {
      const { database: old } = openForReading(places.index);
      old?.close();
      // First, so that a conversation that has to be repaired can have its container read again.
      if (old) writer.copyContainers(places.index);
      rebuildAll(writer, places, progress);
      return writer.totals().conversations;
    },
    () => rmSync(places.running, { force: true }),
  );
}

interface RunningJob {
  planned: Planned;
  /** Why the recording of this container was given up. */
  error?: string;
  recording: Recording | undefined;
  resumed: boolean;
  gap: boolean;
}

class SyncRun {
  readonly #request: SyncRequest;
  readonly #writer: IndexWriter;
  readonly #recorder: Recorder;
  readonly #jobs = new Map<number, RunningJob>();
  readonly #finished = new Set<Planned>();
  readonly #touched = new Set<string>();
  readonly #totals = noTotals();
  #uncommitted = 0;
  #totalBytes = 0;

  constructor(request: SyncRequest, writer: IndexWriter) {
    this.#request = request;
    this.#writer = writer;
    this.#recorder = new Recorder(writer, request.places);
  }

  async run(): Promise<SyncTotals> {
    const { env, full, now, policy } = this.#request;
    const started = now();
    const before = this.#writer.totals().conversations;
    const changed = changedOnly(this.#request.containers, full ? new Map() : this.#writer.stamps(), policy);
    const queue = makePlan(changed, env, this.#writer, policy, full);
    this.#totalBytes = queue.reduce((sum, { container }) => sum + container.bytes, 0);
    if (queue.length > 0) await this.#readAll(queue);
    if (this.#request.everything) this.#writer.setValue("last_sync", String(now()));
    if (this.#request.foundRoots) this.#keepRoots(this.#request.foundRoots);
    this.#totals.unchanged = Math.max(0, before - this.#totals.updated);
    this.#totals.left_out = sumLeftOut(this.#writer.leftOut());
    this.#totals.seconds = (now() - started) / 1000;
    return this.#totals;
  }

  /** A folder whose name holds a secret is not kept: where there is one, every sync searches for the folders anew. */
  #keepRoots(found: readonly string[]): void {
    const kept = found.filter((folder) => storedPath(folder) === folder);
    this.#writer.setValue("roots", JSON.stringify(kept));
    this.#writer.setValue("roots_at", kept.length === found.length ? String(this.#request.now()) : "0");
  }

  #readAll(queue: Planned[]): Promise<void> {
    const { env, policy, places, threads } = this.#request;
    return new Promise((resolve, reject) => {
      let next = 1;
      let ended = false;
      const end = (error?: unknown): void => {
        if (ended) return;
        ended = true;
        for (const job of this.#jobs.values()) abandonQuietly(job.recording);
        pool.close().then(() => (error === undefined ? resolve() : reject(error)), reject);
      };
      const dispatch = (): void => {
        while (!ended && this.#jobs.size < pool.width && queue.length > 0) {
          const ready = queue.findIndex(({ after }) => !after || this.#finished.has(after));
          if (ready < 0 && this.#jobs.size > 0) return;
          // Two containers that each claim to repeat the other: the older goes first.
          const planned = queue.splice(Math.max(0, ready), 1)[0];
          if (!planned) return;
          const number = next;
          next += 1;
          try {
            const job = { number, container: planned.container, state: planned.state, ...this.#inherited(planned) };
            this.#jobs.set(number, { planned, recording: undefined, resumed: false, gap: false });
            pool.run(job);
          } catch (error) {
            // The archive of a conversation that this one repeats cannot be read.
            this.#jobs.delete(number);
            this.#fail(planned, errorMessage(error));
          }
        }
        if (queue.length === 0 && this.#jobs.size === 0) end();
      };
      const onEvent = (event: ReadEvent): void => {
        if (ended) return;
        try {
          this.#record(event);
        } catch (error) {
          if (concernsAll(error) || !this.#giveUp(event.job, error)) {
            end(error);
            return;
          }
        }
        // Not from inside a reader that runs in this thread: its own stack has to unwind first.
        if (event.type === "done") setImmediate(dispatch);
      };
      const pool = openPool(this.#totalBytes, threads, { env, policy, model: places.model }, onEvent, end);
      dispatch();
    });
  }

  /** Drops what was recorded of a container. False: that failed, too. */
  #giveUp(number: number, error: unknown): boolean {
    const job = this.#jobs.get(number);
    if (!job) return false;
    try {
      job.recording?.abandon();
    } catch {
      return false;
    }
    job.recording = undefined;
    job.error = redactText(errorMessage(error)).text;
    return true;
  }

  /** A container that could not even be begun. */
  #fail(planned: Planned, error: string): void {
    const { container } = planned;
    const path = storedPath(container.path);
    this.#finished.add(planned);
    this.#totals.failed.push({ path, error });
    this.#writer.saveContainer(container.source, path, { stamp: "", state: null, malformed: 0, error });
  }

  #inherited(planned: Planned): { inherited: string[]; inheritedFrom?: string } {
    const lineage = cleanLineage(planned.lineage);
    if (!lineage) return { inherited: [] };
    const { uids, from } = inheritedRecords(
      this.#writer,
      this.#request.places.archive,
      planned.container.source,
      lineage,
    );
    return uids.length > 0 ? { inherited: uids, inheritedFrom: from } : { inherited: [] };
  }

  #record(event: ReadEvent): void {
    const job = this.#jobs.get(event.job);
    if (!job || (job.error !== undefined && event.type !== "done")) return;
    if (event.type === "open") {
      const { container } = job.planned;
      const family = cleanLineage(job.planned.lineage)?.family;
      job.recording = this.#recorder.open(event.meta, event.from, family, container.mtimeMs);
      if (event.from > 0) job.resumed = true;
      if (job.recording.gap) job.gap = true;
    } else if (event.type === "block") {
      if (!job.gap) job.recording?.block(event.frame, event.digests, event.names);
      this.#uncommitted += event.weight;
    } else if (event.type === "close") {
      if (!job.gap) this.#count(job.recording, event.meta);
      job.recording = undefined;
    } else {
      this.#done(event, job);
    }
  }

  #count(recording: Recording | undefined, meta: Parameters<Recording["close"]>[0]): void {
    const outcome = recording?.close(meta);
    if (outcome === undefined || outcome === "unchanged") return;
    const key = `${meta.source}\0${meta.id}`;
    if (this.#touched.has(key)) return;
    this.#touched.add(key);
    this.#totals[outcome] += 1;
  }

  #done(event: Extract<ReadEvent, { type: "done" }>, job: RunningJob): void {
    const { container } = job.planned;
    this.#jobs.delete(event.job);
    this.#finished.add(job.planned);
    job.recording?.abandon();
    this.#totals.malformed += event.malformed;
    this.#totals.redactions += event.redactions;
    this.#totals.bytes += container.bytes;
    const error = job.error ?? event.error;
    const path = storedPath(container.path);
    if (error !== undefined) this.#totals.failed.push({ path, error });
    // A container that failed, or whose start is missing here, keeps a stamp no file has: it is read again.
    const complete = error === undefined && !job.gap;
    const state = complete && event.state !== undefined ? JSON.stringify(event.state) : null;
    const { malformed, leftOut } = event;
    const refused = Object.keys(leftOut).length > 0;
    const stamp = refused ? refusedStamp(container.stamp, this.#request.policy) : container.stamp;
    const read = { stamp: complete ? stamp : "", state, malformed, leftOut, ...(error === undefined ? {} : { error }) };
    this.#writer.saveContainer(container.source, path, read);
    if (this.#uncommitted > COMMIT_BYTES) {
      this.#writer.commit();
      this.#uncommitted = 0;
    }
    this.#request.progress?.({
      bytes: this.#totals.bytes,
      totalBytes: this.#totalBytes,
      conversations: this.#totals.new + this.#totals.updated,
    });
  }
}

/**
 * A failure of the store or the disk, which would meet every other container, too. Anything else came from what one
 * container holds.
 */
function concernsAll(error: unknown): boolean {
  if (error instanceof DexError) return true;
  const code = systemCode(error);
  return code !== undefined && code !== "ENAMETOOLONG" && !code.startsWith("ERR_INVALID");
}

function abandonQuietly(recording: Recording | undefined): void {
  try {
    recording?.abandon();
  } catch {
    // The disk may be full: what is torn is cut off when the next sync begins.
  }
}

/** The sentence for a lock that another sync holds. */
export function busyError(): DexError {
  return new DexError("busy", "Another dex process is writing the index.", {
    hint: "Wait for it to finish and run the command again.",
  });
}
