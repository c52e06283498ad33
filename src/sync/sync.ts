/** One sync: plans which containers to read, in which order, and hands them to the readers. */
import type { Container, SourceEnv } from "../integrations/history/source.ts";
import { DexError, systemCode } from "../kernel/errors.ts";
import type { IndexWriter } from "../store/index_writer.ts";
import { restoreEngineFlags } from "../threads/engine_flags.ts";
import { ContainerJobs } from "./container_jobs.ts";
import { changedOnly, makePlan, type Planned, readableOnly } from "./plan.ts";
import type { Policy, ReadEvent } from "./reading/events.ts";
import { cleanLineage, storedPath } from "./reading/fields.ts";
import { openPool } from "./reading/pool.ts";
import { inheritedRecords } from "./recording/inherited.ts";
import { STALLED_AT, SYNC_RATE, type SyncProgress, type SyncTotals, sumLeftOut } from "./totals.ts";
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

/** With less, the measured rate mostly reflects startup time. */
const MIN_BYTES_FOR_RATE = 16 << 20;

/** Runs a sync; undefined when another one holds the lock. */
export async function runSync(request: SyncRequest): Promise<SyncTotals | undefined> {
  // Restores V8's compilers, which a search turns off before it knows whether there is anything to read.
  restoreEngineFlags();
  const { progress } = request;
  if (!progress) return withWriter(request, (writer) => new SyncRun(request, writer).run());
  let last: SyncProgress | undefined;
  const keepingLast = (at: SyncProgress): void => {
    last = at;
    progress(at);
  };
  const merging = (share: number): void => {
    if (last) progress({ ...last, merging: share });
  };
  return withWriter({ ...request, merging }, (writer) =>
    new SyncRun({ ...request, progress: keepingLast }, writer).run(),
  );
}

class SyncRun {
  readonly #request: SyncRequest;
  readonly #writer: IndexWriter;
  readonly #jobs: ContainerJobs;

  constructor(request: SyncRequest, writer: IndexWriter) {
    this.#request = request;
    this.#writer = writer;
    this.#jobs = new ContainerJobs(request, writer);
  }

  async run(): Promise<SyncTotals> {
    const { env, full, now, policy } = this.#request;
    const { totals } = this.#jobs;
    const started = now();
    const before = this.#writer.totals().conversations;
    const changed = changedOnly(this.#request.containers, full ? new Map() : this.#writer.stamps(), policy);
    const { readable, refused } = readableOnly(changed);
    for (const { path, reason } of refused) {
      totals.failed.push({ path, error: `it may not be read (${reason})` });
    }
    const queue = await makePlan(readable, env, this.#writer, policy, full);
    const files = queue.length;
    const plannedBytes = queue.reduce((sum, { container }) => sum + container.bytes, 0);
    this.#jobs.expect(files, plannedBytes);
    if (files > 0) await this.#readAll(queue, plannedBytes);
    const left = files - this.#jobs.finished.size;
    if (left > 0) totals.files_left = left;
    if (files > 0 && left === files && totals.new + totals.updated === 0)
      this.#writer.setValue(STALLED_AT, String(now()));
    if (this.#request.everything && left === 0) this.#writer.setValue("last_sync", String(now()));
    if (this.#request.foundRoots) this.#keepRoots(this.#request.foundRoots);
    totals.unchanged = Math.max(0, before - totals.updated);
    totals.left_out = sumLeftOut(this.#writer.leftOut());
    totals.seconds = (now() - started) / 1000;
    const { bytes, seconds } = totals;
    if (bytes >= MIN_BYTES_FOR_RATE && seconds > 0) {
      this.#writer.setValue(SYNC_RATE, String(Math.round(bytes / seconds)));
    }
    return totals;
  }

  /** A folder whose name contains a secret is not stored; with one, every sync searches for the folders again. */
  #keepRoots(found: readonly string[]): void {
    const storable = found.filter((folder) => storedPath(folder) === folder);
    this.#writer.setValue("roots", JSON.stringify(storable));
    this.#writer.setValue("roots_at", storable.length === found.length ? String(this.#request.now()) : "0");
  }

  #readAll(queue: Planned[], bytes: number): Promise<void> {
    const jobs = this.#jobs;
    const { env, policy, threads, signal } = this.#request;
    return new Promise((resolve, reject) => {
      const stop = (): void => end();
      let next = 1;
      let ended = false;
      const end = (error?: unknown): void => {
        if (ended) return;
        ended = true;
        signal?.removeEventListener("abort", stop);
        jobs.abandonAll();
        pool.close().then(() => (error === undefined ? resolve() : reject(error)), reject);
      };
      const dispatch = (): void => {
        while (!ended && jobs.running < pool.width && queue.length > 0) {
          const ready = queue.findIndex(({ after }) => !after || jobs.finished.has(after));
          if (ready < 0 && jobs.running > 0) return;
          // Two containers that claim to repeat each other: the first in the plan goes first.
          const planned = queue.splice(Math.max(0, ready), 1)[0];
          if (!planned) return;
          const number = next;
          next += 1;
          try {
            const job = { number, container: planned.container, state: planned.state, ...this.#inherited(planned) };
            jobs.begin(number, planned);
            pool.run(job);
          } catch (error) {
            // The archive of an ancestor cannot be read.
            jobs.cancel(number, planned, error);
          }
        }
        if (queue.length === 0 && jobs.running === 0) end();
      };
      const onEvent = (event: ReadEvent): void => {
        if (ended) return;
        try {
          jobs.take(event);
        } catch (error) {
          if (affectsAll(error) || !jobs.giveUp(event.job, error)) {
            end(error);
            return;
          }
        }
        // Deferred: a reader in this thread has to unwind its stack first.
        if (event.type === "done") setImmediate(dispatch);
      };
      const pool = openPool(bytes, threads, { env, policy }, onEvent, end);
      signal?.addEventListener("abort", stop);
      if (signal?.aborted) stop();
      else dispatch();
    });
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
