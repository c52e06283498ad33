/** One sync: read, redact, archive, index. Everything is committed in an order that survives a kill. */
import type { Container, SourceEnv } from "../integrations/history/source.ts";
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import { concealedPath } from "../kernel/ids.ts";
import { redactText } from "../redact/redact.ts";
import type { ContainerRead, IndexWriter } from "../store/ports.ts";
import { inheritedRecords } from "./inherited.ts";
import { changedOnly, makePlan, type Planned, readableOnly, refusedStamp } from "./plan.ts";
import type { Policy, ReadEvent } from "./reading/events.ts";
import { cleanLineage, storedPath } from "./reading/fields.ts";
import { openPool } from "./reading/pool.ts";
import { Recorder, type Recording } from "./recorder.ts";
import { noTotals, SYNC_RATE, type SyncProgress, type SyncTotals, sumLeftOut } from "./totals.ts";
import { type SyncPlaces, withWriter } from "./writing.ts";

export interface SyncRequest {
  places: SyncPlaces;
  env: SourceEnv;
  /** All current containers. */
  containers: readonly Container[];
  policy: Policy;
  /** Read everything again, as if it were new. */
  full: boolean;
  /** Containers of all agents, not of one. */
  everything: boolean;
  threads?: number;
  /** How long to wait for another sync. */
  waitMs: number;
  now: () => number;
  /** Folders found by a search of the home folder; stored, because the search does not run every time. */
  foundRoots?: readonly string[];
  progress?: (progress: SyncProgress) => void;
  /** Stops the sync early. Everything recorded so far stays, and the next sync continues from there. */
  signal?: AbortSignal;
}

/** Recorded characters per commit; readers see only committed data. */
const COMMIT_CHARS = 24 << 20;
/** The same in time, for slow machines: a search during a long sync should not wait for 24 MB. */
const COMMIT_MS = 3000;
/** Upper limit for the progress of a container until its reader is done. */
const MAX_SHARE_BEFORE_DONE = 0.99;
/** With less, the measured rate mostly reflects startup time. */
const MIN_BYTES_FOR_RATE = 16 << 20;

/** Runs a sync; undefined when another one holds the lock. */
export async function runSync(request: SyncRequest): Promise<SyncTotals | undefined> {
  return withWriter(request, async (writer) => new SyncRun(request, writer).run());
}

interface RunningJob {
  planned: Planned;
  /** Why the recording of this container failed. */
  error?: string;
  recording: Recording | undefined;
  resumed: boolean;
  gap: boolean;
  /** Characters recorded so far, and the share that the reader reports. */
  weight: number;
  share: number;
}

type DoneEvent = Extract<ReadEvent, { type: "done" }>;

class SyncRun {
  readonly #request: SyncRequest;
  readonly #writer: IndexWriter;
  readonly #recorder: Recorder;
  readonly #jobs = new Map<number, RunningJob>();
  readonly #finished = new Set<Planned>();
  readonly #touched = new Set<string>();
  readonly #totals = noTotals();
  #uncommitted = 0;
  #committedAt = performance.now();
  #totalBytes = 0;
  #totalFiles = 0;
  #shownBytes = 0;

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
    const { readable, refused } = readableOnly(changed);
    for (const { path, reason } of refused) {
      this.#totals.failed.push({ path, error: `it may not be read (${reason})` });
    }
    const queue = await makePlan(readable, env, this.#writer, policy, full);
    this.#totalBytes = queue.reduce((sum, { container }) => sum + container.bytes, 0);
    this.#totalFiles = queue.length;
    if (queue.length > 0) await this.#readAll(queue);
    const left = this.#totalFiles - this.#finished.size;
    if (left > 0) this.#totals.files_left = left;
    if (this.#request.everything && left === 0) this.#writer.setValue("last_sync", String(now()));
    if (this.#request.foundRoots) this.#keepRoots(this.#request.foundRoots);
    this.#totals.unchanged = Math.max(0, before - this.#totals.updated);
    this.#totals.left_out = sumLeftOut(this.#writer.leftOut());
    this.#totals.seconds = (now() - started) / 1000;
    const { bytes, seconds } = this.#totals;
    if (bytes >= MIN_BYTES_FOR_RATE && seconds > 0) {
      this.#writer.setValue(SYNC_RATE, String(Math.round(bytes / seconds)));
    }
    return this.#totals;
  }

  /** A folder whose name contains a secret is not stored; with one, every sync searches for the folders again. */
  #keepRoots(found: readonly string[]): void {
    const storable = found.filter((folder) => storedPath(folder) === folder);
    this.#writer.setValue("roots", JSON.stringify(storable));
    this.#writer.setValue("roots_at", storable.length === found.length ? String(this.#request.now()) : "0");
  }

  #readAll(queue: Planned[]): Promise<void> {
    const { env, policy, places, threads, signal } = this.#request;
    return new Promise((resolve, reject) => {
      const stop = (): void => end();
      let next = 1;
      let ended = false;
      const end = (error?: unknown): void => {
        if (ended) return;
        ended = true;
        signal?.removeEventListener("abort", stop);
        for (const job of this.#jobs.values()) abandonQuietly(job.recording);
        pool.close().then(() => (error === undefined ? resolve() : reject(error)), reject);
      };
      const dispatch = (): void => {
        while (!ended && this.#jobs.size < pool.width && queue.length > 0) {
          const ready = queue.findIndex(({ after }) => !after || this.#finished.has(after));
          if (ready < 0 && this.#jobs.size > 0) return;
          // Two containers that claim to repeat each other: the first in the plan goes first.
          const planned = queue.splice(Math.max(0, ready), 1)[0];
          if (!planned) return;
          const number = next;
          next += 1;
          try {
            const job = { number, container: planned.container, state: planned.state, ...this.#inherited(planned) };
            this.#jobs.set(number, { planned, recording: undefined, resumed: false, gap: false, weight: 0, share: 0 });
            pool.run(job);
          } catch (error) {
            // The archive of an ancestor cannot be read.
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
          if (affectsAll(error) || !this.#giveUp(event.job, error)) {
            end(error);
            return;
          }
        }
        // Deferred: a reader in this thread has to unwind its stack first.
        if (event.type === "done") setImmediate(dispatch);
      };
      const pool = openPool(this.#totalBytes, threads, { env, policy, model: places.model }, onEvent, end);
      signal?.addEventListener("abort", stop);
      if (signal?.aborted) stop();
      else dispatch();
    });
  }

  /** Discards the recording of a container. False: that failed too. */
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

  /** For a container that could not be started. */
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
      job.weight += event.weight;
      this.#reportProgress(job);
    } else if (event.type === "close") {
      if (!job.gap) this.#count(job.recording, event.meta);
      job.recording = undefined;
      // Safe between two conversations: an unfinished container is read again.
      this.#commitIfDue();
    } else if (event.type === "rejoined") {
      this.#recorder.remove(event.source, event.id);
    } else if (event.type === "progress") {
      job.share = event.share;
      this.#reportProgress(job);
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

  #done(event: DoneEvent, job: RunningJob): void {
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
    // A failed or incomplete container gets an empty stamp, which never matches: it is read again.
    const complete = error === undefined && !job.gap;
    const state = complete && event.state !== undefined ? JSON.stringify(event.state) : null;
    const { malformed, leftOut } = event;
    const refused = Object.keys(leftOut).length > 0;
    const stamp = refused ? refusedStamp(container.stamp, this.#request.policy) : container.stamp;
    const read = { stamp: complete ? stamp : "", state, malformed, leftOut, ...(error === undefined ? {} : { error }) };
    this.#saveContainer(container, read, event.onlyForgotten);
    this.#commitIfDue();
    this.#reportProgress();
  }

  #commitIfDue(): void {
    if (this.#uncommitted === 0) return;
    if (this.#uncommitted < COMMIT_CHARS && performance.now() - this.#committedAt < COMMIT_MS) return;
    this.#writer.commit();
    this.#uncommitted = 0;
    this.#committedAt = performance.now();
  }

  /** Includes partly read containers. Progress never goes backwards. */
  #reportProgress(job?: RunningJob): void {
    const { progress } = this.#request;
    if (!progress) return;
    const { bytes = 0 } = job?.planned.container ?? {};
    const share = job ? Math.min(MAX_SHARE_BEFORE_DONE, Math.max(job.share, job.weight / Math.max(1, bytes))) : 0;
    this.#shownBytes = Math.max(this.#shownBytes, Math.round(this.#totals.bytes + share * bytes));
    progress({
      bytes: this.#shownBytes,
      totalBytes: this.#totalBytes,
      conversations: this.#totals.new + this.#totals.updated,
      files: this.#finished.size,
      totalFiles: this.#totalFiles,
    });
  }

  /** For a container with only forgotten conversations, nothing but its stamp is stored. */
  #saveContainer({ source, path }: Container, read: ContainerRead, onlyForgotten: boolean): void {
    const stored = storedPath(path);
    const concealed = concealedPath(path);
    if (onlyForgotten) this.#writer.saveContainer(source, concealed, { stamp: read.stamp, state: null, malformed: 0 });
    else this.#writer.saveContainer(source, stored, read);
    this.#writer.removeContainer(source, onlyForgotten ? stored : concealed);
  }
}

/**
 * A failure of the store or the disk, which would affect every container. Other errors come from the content of one
 * container.
 */
function affectsAll(error: unknown): boolean {
  if (error instanceof DexError) return true;
  const code = systemCode(error);
  return code !== undefined && code !== "ENAMETOOLONG" && !code.startsWith("ERR_INVALID");
}

function abandonQuietly(recording: Recording | undefined): void {
  try {
    recording?.abandon();
  } catch {
    // The disk may be full: the next sync cuts off the torn segment.
  }
}
