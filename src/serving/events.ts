/**
 * `GET /events`: suggestions as server-sent events. They are read from the outbox, which another process may write: while
 * somebody listens, a look a few times a second says whether it has. An event's id is its place in the outbox, so a
 * reader that comes back says what it had last (Last-Event-ID) and misses nothing. Whoever reads too slowly is cut off,
 * and comes back the same way.
 */
import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { projectKey, repositoryOrFolder } from "../history/repository.ts";
import { errorMessage } from "../kernel/errors.ts";
import { openState } from "../store/engine/state.ts";
import type { StateStore } from "../store/state.ts";
import type { DeliveryFilter } from "../store/subscriptions.ts";
import { refuse } from "./gate.ts";
import { reportError } from "./report.ts";

export const MOST_STREAMS = 128;
const LOOK_MS = 250;
const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for so long is gone, or of no use. */
const PATIENCE_MS = 30_000;
const PAGE = 20;
/** Milliseconds after which a client comes back. */
const RETRY = 2000;

interface Stream {
  response: ServerResponse;
  filter: DeliveryFilter;
  /** The last event that was written; undefined until the outbox is there. */
  cursor: number | undefined;
  /** Since when it takes nothing more. */
  fullSince: number | undefined;
}

export class EventStreams {
  readonly #path: string;
  readonly #streams = new Set<Stream>();
  #state: StateStore | undefined;
  #version = -1;
  #timer: NodeJS.Timeout | undefined;
  #lastBeat = 0;
  /** Deliveries that were written to a reader, and are not noted so yet. */
  readonly #left: string[] = [];

  /** Of state.db. */
  constructor(path: string) {
    this.#path = path;
  }

  accept(request: IncomingMessage, response: ServerResponse): void {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const after = request.headers["last-event-id"] ?? searchParams.get("after") ?? undefined;
    if (request.method !== "GET") return void refuse(response, 405, "Events are read with GET.");
    if (after !== undefined && !/^\d{1,15}$/.test(String(after))) {
      return void refuse(response, 400, "Last-Event-ID and ?after= take the id of an event.");
    }
    if (this.#streams.size >= MOST_STREAMS) {
      response.setHeader("Retry-After", "5");
      return void refuse(response, 503, `There are ${MOST_STREAMS} readers already.`);
    }
    try {
      void this.#outbox;
    } catch (error) {
      return void refuse(response, 500, errorMessage(error));
    }
    const filter = this.#filterOf(searchParams);
    if (!filter) return void refuse(response, 404, "There is no such subscription that is delivered by sse.");
    this.#open(response, filter, after === undefined ? undefined : Number(after));
  }

  close(): void {
    for (const { response } of this.#streams) response.end();
    this.#streams.clear();
    this.#rest();
  }

  #filterOf(wanted: URLSearchParams): DeliveryFilter | undefined {
    const subscriptionId = wanted.get("subscription") ?? undefined;
    const project = wanted.get("project") ?? undefined;
    if (subscriptionId !== undefined && this.#outbox?.subscriptions.get(subscriptionId)?.callbackType !== "sse") {
      return undefined;
    }
    const projectId = project === undefined ? undefined : projectKey(repositoryOrFolder(project));
    return { subscriptionId, projectId, callbackType: "sse" };
  }

  #open(response: ServerResponse, filter: DeliveryFilter, after: number | undefined): void {
    response.writeHead(200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    });
    const stream: Stream = { response, filter, cursor: undefined, fullSince: undefined };
    response.on("drain", () => {
      stream.fullSince = undefined;
      this.#pump(stream);
    });
    response.on("error", () => response.destroy());
    response.on("close", () => this.#drop(stream));
    this.#streams.add(stream);
    response.write(`retry: ${RETRY}\n\n`);
    this.#begin(stream, after);
    this.#pump(stream);
    this.#timer ??= setInterval(() => this.#lookOrEnd(), LOOK_MS).unref();
  }

  /** Without a place to go on from, a reader begins with what nobody has had. */
  #begin(stream: Stream, after: number | undefined): void {
    const state = this.#outbox;
    if (!state) return;
    const last = state.deliveries.last();
    const first = state.deliveries.after(undefined, stream.filter, 1)[0];
    // A place that was never reached is that of another outbox.
    const known = after !== undefined && after <= last;
    stream.cursor = known ? after : first ? first.seq - 1 : last;
    const lost = known ? this.#expiredSince(state, stream.filter, after) : 0;
    if (lost > 0) stream.response.write(`event: expired\ndata: ${JSON.stringify({ expired: lost })}\n\n`);
  }

  /** How many made room for newer ones, ever; 0 where none of them can have come after the reader's last. */
  #expiredSince(state: StateStore, filter: DeliveryFilter, after: number): number {
    const oldest = state.deliveries.after(0, filter, 1)[0];
    if (!oldest || oldest.seq <= after + 1) return 0;
    return state.subscriptions
      .all()
      .filter(({ id, callbackType }) => callbackType === "sse" && id === (filter.subscriptionId ?? id))
      .filter(({ projectId }) => projectId === (filter.projectId ?? projectId))
      .reduce((sum, { expired }) => sum + expired, 0);
  }

  #drop(stream: Stream): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) this.#rest();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#note(this.#state);
    this.#state?.close();
    this.#state = undefined;
    this.#version = -1;
  }

  /** Without its outbox there is nothing to wait for: readers come back, and are told why. */
  #lookOrEnd(): void {
    try {
      this.#look();
    } catch (error) {
      reportError(new Error(`Events cannot be read: ${errorMessage(error)}`, { cause: error }));
      for (const { response } of this.#streams) response.destroy();
    }
  }

  #look(): void {
    const now = performance.now();
    const beat = now - this.#lastBeat >= HEARTBEAT_MS;
    if (beat) this.#lastBeat = now;
    const state = this.#outbox;
    this.#note(state);
    const version = state?.version() ?? -1;
    const changed = version !== this.#version;
    this.#version = version;
    for (const stream of this.#streams) {
      if (stream.fullSince !== undefined && now - stream.fullSince > PATIENCE_MS) {
        stream.response.destroy();
        continue;
      }
      if (beat && stream.fullSince === undefined) this.#write(stream, ": \n\n");
      if (stream.cursor === undefined) this.#begin(stream, undefined);
      if (changed) this.#pump(stream);
    }
  }

  #pump(stream: Stream): void {
    const state = this.#outbox;
    while (state && stream.cursor !== undefined && stream.fullSince === undefined) {
      const page = state.deliveries.after(stream.cursor, stream.filter, PAGE);
      if (page.length === 0) return;
      for (const { seq, id, body } of page) {
        if (stream.fullSince !== undefined) break;
        stream.cursor = seq;
        this.#write(stream, `id: ${seq}\nevent: suggestion\ndata: ${body}\n\n`, () => this.#left.push(id));
      }
    }
  }

  #write(stream: Stream, text: string, done?: () => void): void {
    const taken = stream.response.write(text, (error) => {
      if (!error) done?.();
    });
    if (!taken) stream.fullSince ??= performance.now();
  }

  /** Those that have left are noted together: each note is a write to the disk. */
  #note(state: StateStore | undefined): void {
    if (!state || this.#left.length === 0) return;
    const ids = this.#left.splice(0);
    state.transaction(() => state.deliveries.handed([...new Set(ids)]));
  }

  /** Opened by who needs it; where nobody ever subscribed no file is made. */
  get #outbox(): StateStore | undefined {
    if (!this.#state && existsSync(this.#path)) this.#state = openState(this.#path);
    return this.#state;
  }
}
