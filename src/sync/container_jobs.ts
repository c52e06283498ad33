/**
 * The containers that are being read, and the record of what their readers report: conversations go to the recorder, then
 * the result of the container to the index. Everything is committed in an order that survives a kill.
 */
import type { Container } from "../integrations/history/source.ts";
import { errorMessage } from "../kernel/errors.ts";
import { concealedPath } from "../kernel/ids.ts";
import { redactText } from "../redact/redact.ts";
import type { ContainerRead, IndexWriter } from "../store/index_writer.ts";
import { type Planned, refusedStamp } from "./plan.ts";
import type { Policy, ReadEvent } from "./reading/events.ts";
import { cleanLineage, storedPath } from "./reading/fields.ts";
import { DroppedMessages } from "./recording/dropped_messages.ts";
import { Recorder, type Recording } from "./recording/recorder.ts";
import { noTotals, type SyncProgress } from "./totals.ts";
import type { SyncPlaces } from "./writing.ts";

/** Recorded characters per commit; readers see only committed data. */
const COMMIT_CHARS = 24 << 20;
/** The same in time, for slow machines: a search during a long sync should not wait for 24 MB. */
const COMMIT_MS = 3000;
/** Upper limit for the progress of a container until its reader is done. */
const MAX_SHARE_BEFORE_DONE = 0.99;

interface RunningJob {
  planned: Planned;
  /** Why the recording of this container failed. */
  error?: string;
  recording: Recording | undefined;
  dropped: DroppedMessages;
  gap: boolean;
  /** Characters recorded so far, and the share that the reader reports. */
  weight: number;
  share: number;
}

type DoneEvent = Extract<ReadEvent, { type: "done" }>;

interface JobsRequest {
  places: SyncPlaces;
  policy: Policy;
  progress?: (progress: SyncProgress) => void;
}

export class ContainerJobs {
  readonly totals = noTotals();
  readonly finished = new Set<Planned>();
  readonly #request: JobsRequest;
  readonly #writer: IndexWriter;
  readonly #recorder: Recorder;
  readonly #jobs = new Map<number, RunningJob>();
  readonly #touched = new Set<string>();
  #uncommitted = 0;
  #committedAt = performance.now();
  #totalBytes = 0;
  #totalFiles = 0;
  #shownBytes = 0;

  constructor(request: JobsRequest, writer: IndexWriter) {
    this.#request = request;
    this.#writer = writer;
    this.#recorder = new Recorder(writer, request.places);
  }

  /** Sets the total of the progress. */
  expect(files: number, bytes: number): void {
    this.#totalFiles = files;
    this.#totalBytes = bytes;
  }

  get running(): number {
    return this.#jobs.size;
  }

  begin(number: number, planned: Planned): void {
    const dropped = new DroppedMessages(planned.state);
    this.#jobs.set(number, { planned, recording: undefined, dropped, gap: false, weight: 0, share: 0 });
  }

  /** For a container that could not be started. */
  cancel(number: number, planned: Planned, error: unknown): void {
    this.#jobs.delete(number);
    const { container } = planned;
    const path = storedPath(container.path);
    const said = errorMessage(error);
    this.finished.add(planned);
    this.totals.failed.push({ path, error: said });
    this.#writer.saveContainer(container.source, path, { stamp: "", state: null, malformed: 0, error: said });
  }

  abandonAll(): void {
    for (const job of this.#jobs.values()) abandonQuietly(job.recording);
  }

  /** Discards the recording of a container. Returns false if that failed, too. */
  giveUp(number: number, error: unknown): boolean {
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

  take(event: ReadEvent): void {
    const job = this.#jobs.get(event.job);
    if (!job || (job.error !== undefined && event.type !== "done")) return;
    if (event.type === "open") {
      const { container } = job.planned;
      const family = cleanLineage(job.planned.lineage)?.family;
      const from = job.dropped.position(event.meta.id, event.from);
      job.recording = this.#recorder.open(event.meta, from, family, container.mtimeMs);
      if (job.recording.gap) job.gap = true;
    } else if (event.type === "block") {
      if (!job.gap) job.recording?.block(event);
      this.#uncommitted += event.weight;
      job.weight += event.weight;
      this.#reportProgress(job);
    } else if (event.type === "close") {
      if (!job.gap) this.#count(job.recording, event.meta);
      const dropped = job.recording?.dropped;
      if (dropped !== undefined) job.dropped.set(event.meta.id, dropped);
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
    this.totals[outcome] += 1;
  }

  #done(event: DoneEvent, job: RunningJob): void {
    const { container } = job.planned;
    this.#jobs.delete(event.job);
    this.finished.add(job.planned);
    job.recording?.abandon();
    this.totals.malformed += event.malformed;
    this.totals.redactions += event.redactions;
    this.totals.bytes += container.bytes;
    const error = job.error ?? event.error;
    const path = storedPath(container.path);
    if (error !== undefined) this.totals.failed.push({ path, error });
    // A failed or incomplete container gets an empty stamp, which never matches: it is read again.
    const complete = error === undefined && !job.gap;
    const state = complete && event.state !== undefined ? JSON.stringify(job.dropped.storedWith(event.state)) : null;
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
    this.#shownBytes = Math.max(this.#shownBytes, Math.round(this.totals.bytes + share * bytes));
    progress({
      bytes: this.#shownBytes,
      totalBytes: this.#totalBytes,
      conversations: this.totals.new + this.totals.updated,
      files: this.finished.size,
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

function abandonQuietly(recording: Recording | undefined): void {
  try {
    recording?.abandon();
  } catch {
    // The disk may be full: the next sync cuts off the torn segment.
  }
}
