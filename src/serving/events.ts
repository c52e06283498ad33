/**
 * `GET /events`: suggestions as server-sent events. The outbox may be written by another process, so while a client
 * listens the server polls it. An event's id is its position in the outbox: a client that reconnects sends the last one
 * it received (Last-Event-ID) and misses nothing. The server disconnects clients that read too slowly; they reconnect
 * the same way.
 */
import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { projectKey, repositoryOrFolder } from "../history/repository.ts";
import { errorMessage } from "../kernel/errors.ts";
import { openState } from "../store/engine/state.ts";
import type { StateStore } from "../store/state/state.ts";
import type { DeliveryFilter } from "../store/state/subscriptions.ts";
import { refuse } from "./gate.ts";
import { reportError } from "./report.ts";

export const MAX_STREAMS = 128;
const POLL_INTERVAL_MS = 250;
const HEARTBEAT_MS = 15_000;
/** A client that accepts no data for this long is disconnected. */
const MAX_STALL_MS = 30_000;
const PAGE_SIZE = 20;
/** The delay after which a client should reconnect. */
const RETRY_MS = 2000;

interface Stream {
  response: ServerResponse;
  filter: DeliveryFilter;
  /** The last event that was written; undefined until the outbox exists. */
  cursor: number | undefined;
  /** The time since which its buffer is full (monotonic ms). */
  fullSince: number | undefined;
}

export class EventStreams {
  readonly #path: string;
  readonly #streams = new Set<Stream>();
  #state: StateStore | undefined;
  #version = -1;
  #timer: NodeJS.Timeout | undefined;
  #lastBeat = 0;
  /** Ids of deliveries that were written to a client and are not yet marked as delivered. */
  readonly #written: string[] = [];

  /** `path` is that of state.db. */
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
    if (this.#streams.size >= MAX_STREAMS) {
      response.setHeader("Retry-After", "5");
      return void refuse(response, 503, `This server already has ${MAX_STREAMS} clients, the most it allows.`);
    }
    try {
      void this.#outbox;
    } catch (error) {
      return void refuse(response, 500, errorMessage(error));
    }
    const filter = this.#filterOf(searchParams);
    if (!filter) return void refuse(response, 404, "There is no subscription with this id that is delivered by sse.");
    this.#open(response, filter, after === undefined ? undefined : Number(after));
  }

  close(): void {
    for (const { response } of this.#streams) response.end();
    this.#streams.clear();
    this.#stop();
  }

  #filterOf(params: URLSearchParams): DeliveryFilter | undefined {
    const subscriptionId = params.get("subscription") ?? undefined;
    const project = params.get("project") ?? undefined;
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
    response.write(`retry: ${RETRY_MS}\n\n`);
    this.#begin(stream, after);
    this.#pump(stream);
    this.#timer ??= setInterval(() => this.#pollOrDisconnect(), POLL_INTERVAL_MS).unref();
  }

  /** Without a position to resume from, a client starts with the first undelivered event. */
  #begin(stream: Stream, after: number | undefined): void {
    const state = this.#outbox;
    if (!state) return;
    const last = state.deliveries.last();
    const first = state.deliveries.after(undefined, stream.filter, 1)[0];
    // A position beyond the last event belongs to another outbox.
    const known = after !== undefined && after <= last;
    stream.cursor = known ? after : first ? first.seq - 1 : last;
    const lost = known ? this.#expiredSince(state, stream.filter, after) : 0;
    if (lost > 0) stream.response.write(`event: expired\ndata: ${JSON.stringify({ expired: lost })}\n\n`);
  }

  /** How many deliveries ever expired; 0 when none of them can be newer than the client's position. */
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
    if (this.#streams.size === 0) this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#markDelivered(this.#state);
    this.#state?.close();
    this.#state = undefined;
    this.#version = -1;
  }

  /** When the outbox cannot be read, disconnects all clients: the answer to their next request names the error. */
  #pollOrDisconnect(): void {
    try {
      this.#poll();
    } catch (error) {
      reportError(new Error(`The events cannot be read: ${errorMessage(error)}`, { cause: error }));
      for (const { response } of this.#streams) response.destroy();
    }
  }

  #poll(): void {
    const now = performance.now();
    const beat = now - this.#lastBeat >= HEARTBEAT_MS;
    if (beat) this.#lastBeat = now;
    const state = this.#outbox;
    this.#markDelivered(state);
    const version = state?.version() ?? -1;
    const changed = version !== this.#version;
    this.#version = version;
    for (const stream of this.#streams) {
      if (stream.fullSince !== undefined && now - stream.fullSince > MAX_STALL_MS) {
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
      const page = state.deliveries.after(stream.cursor, stream.filter, PAGE_SIZE);
      if (page.length === 0) return;
      for (const { seq, id, body } of page) {
        if (stream.fullSince !== undefined) break;
        stream.cursor = seq;
        this.#write(stream, `id: ${seq}\nevent: suggestion\ndata: ${body}\n\n`, () => this.#written.push(id));
      }
    }
  }

  #write(stream: Stream, text: string, done?: () => void): void {
    const hasRoom = stream.response.write(text, (error) => {
      if (!error) done?.();
    });
    if (!hasRoom) stream.fullSince ??= performance.now();
  }

  /** Marks written deliveries in one transaction, because each transaction is a write to the disk. */
  #markDelivered(state: StateStore | undefined): void {
    if (!state || this.#written.length === 0) return;
    const ids = this.#written.splice(0);
    state.transaction(() => state.deliveries.markFetched([...new Set(ids)]));
  }

  /** Opened on first use. Without any subscription the file does not exist, and reading must not create it. */
  get #outbox(): StateStore | undefined {
    if (!this.#state && existsSync(this.#path)) this.#state = openState(this.#path);
    return this.#state;
  }
}
