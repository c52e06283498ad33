/** One sync: discover, read, redact, archive, index. Everything is committed in an order that a kill cannot spoil. */

import type { Container, SourceEnv } from "../integrations/history/source.ts";
import { DexError, errorMessage, systemCode } from "../kernel/errors.ts";
import { concealedPath } from "../kernel/ids.ts";
import { redactText } from "../redact/redact.ts";
import type { ContainerRead, IndexWriter } from "../store/ports.ts";
import type { Policy, ReadEvent } from "./events.ts";
import { cleanLineage, storedPath } from "./fields.ts";
import { inheritedRecords } from "./inherited.ts";
import { changedOnly, makePlan, type Planned, readableOnly, refusedStamp } from "./plan.ts";
import { openPool } from "./pool.ts";
import { Recorder, type Recording } from "./recorder.ts";
import { noTotals, SYNC_RATE, type SyncProgress, type SyncTotals, sumLeftOut } from "./totals.ts";
import { type SyncPlaces, withWriter } from "./writing.ts";

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
  /** Stops the sync early. What was recorded so far stays, and the next sync goes on from there. */
  signal?: AbortSignal;
}

/** Recorded characters after which the index is committed; readers see what is committed. */
const COMMIT_BYTES = 24 << 20;
/** The same for slow disks and machines: a search beside a long sync should not wait for 24 MB. */
const COMMIT_MS = 3000;
/** A container counts as read to at most this share before its reader says that it is done. */
const MAX_SHARE_BEFORE_DONE = 0.99;
/** Below this a measured rate says more about starting up than about reading. */
const MIN_BYTES_FOR_RATE = 16 << 20;

/** Runs a sync; undefined when another one holds the lock. */
export async function runSync(request: SyncRequest): Promise<SyncTotals | undefined> {
  return withWriter(request, async (writer) => new SyncRun(request, writer).run());
}

interface RunningJob {
  planned: Planned;
  /** Why the recording of this container was given up. */
  error?: string;
  recording: Recording | undefined;
  resumed: boolean;
  gap: boolean;
  /** Characters recorded so far, and the share that the reader says it has read. */
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

  /** A folder whose name holds a secret is not kept: where there is one, every sync searches for the folders anew. */
  #keepRoots(found: readonly string[]): void {
    const kept = found.filter((folder) => storedPath(folder) === folder);
    this.#writer.setValue("roots", JSON.stringify(kept));
    this.#writer.setValue("roots_at", kept.length === found.length ? String(this.#request.now()) : "0");
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
          // Two containers that each claim to repeat the other: the first in the plan goes first.
          const planned = queue.splice(Math.max(0, ready), 1)[0];
          if (!planned) return;
          const number = next;
          next += 1;
          try {
            const job = { number, container: planned.container, state: planned.state, ...this.#inherited(planned) };
            this.#jobs.set(number, { planned, recording: undefined, resumed: false, gap: false, weight: 0, share: 0 });
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
      signal?.addEventListener("abort", stop);
      if (signal?.aborted) stop();
      else dispatch();
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
      job.weight += event.weight;
      this.#tell(job);
    } else if (event.type === "close") {
      if (!job.gap) this.#count(job.recording, event.meta);
      job.recording = undefined;
      // Between two conversations of one container: the container itself is read again if the sync ends before it does.
      this.#commitNowAndThen();
    } else if (event.type === "progress") {
      job.share = event.share;
      this.#tell(job);
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
    // A container that failed, or whose start is missing here, keeps a stamp no file has: it is read again.
    const complete = error === undefined && !job.gap;
    const state = complete && event.state !== undefined ? JSON.stringify(event.state) : null;
    const { malformed, leftOut } = event;
    const refused = Object.keys(leftOut).length > 0;
    const stamp = refused ? refusedStamp(container.stamp, this.#request.policy) : container.stamp;
    const read = { stamp: complete ? stamp : "", state, malformed, leftOut, ...(error === undefined ? {} : { error }) };
    this.#saveContainer(container, read, event.onlyForgotten);
    this.#commitNowAndThen();
    this.#tell();
  }

  #commitNowAndThen(): void {
    if (this.#uncommitted === 0) return;
    if (this.#uncommitted < COMMIT_BYTES && performance.now() - this.#committedAt < COMMIT_MS) return;
    this.#writer.commit();
    this.#uncommitted = 0;
    this.#committedAt = performance.now();
  }

  /** Progress, with what was read of a container that is not finished. It never goes back. */
  #tell(job?: RunningJob): void {
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

  /** Nothing is noted of a container whose conversations are all forgotten, but when it was last read. */
  #saveContainer({ source, path }: Container, read: ContainerRead, onlyForgotten: boolean): void {
    const stored = storedPath(path);
    const concealed = concealedPath(path);
    if (onlyForgotten) this.#writer.saveContainer(source, concealed, { stamp: read.stamp, state: null, malformed: 0 });
    else this.#writer.saveContainer(source, stored, read);
    this.#writer.removeContainer(source, onlyForgotten ? stored : concealed);
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
