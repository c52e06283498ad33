/**
 * `GET /api/events`: tells pages what changed, as lines of JSON. It is read with fetch, because an EventSource cannot
 * send the token. One thread watches for all pages, and only while there are any.
 */
import type { ServerResponse } from "node:http";
import { reportError } from "../../serving/report.ts";
import { ThreadPool } from "../../threads/pool.ts";
import { threadProgram } from "../../threads/program.ts";
import { type ApiError, sendError } from "../answers.ts";
import type { ApiSetup } from "../requests.ts";
import { LineStream } from "../stream.ts";
import type { LiveLine } from "./lines.ts";

const MAX_LISTENERS = 64;
export const PING_MS = 15_000;
/** A page that is reloaded comes back within this time. */
const LINGER_MS = 5000;
const RESTART_MS = 5000;

type Hello = Extract<LiveLine, { type: "hello" }>;

const TOO_MANY: ApiError = {
  status: 503,
  code: "busy",
  message: `This server already has ${MAX_LISTENERS} listeners, the most it allows.`,
};

export class LiveFeed {
  readonly #pool: ThreadPool<"watch", LiveLine>;
  readonly #listeners = new Set<LineStream>();
  /** The first line for a new listener. */
  #hello: Hello | undefined;
  #watching: AbortController | undefined;
  #ping: NodeJS.Timeout | undefined;
  #linger: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(setup: ApiSetup) {
    this.#pool = new ThreadPool({
      program: threadProgram(import.meta.url, "live_worker.js"),
      maxThreads: 1,
      jobsPerThread: 1,
      setup: () => ({ workerData: setup, kept: undefined }),
    });
  }

  accept(response: ServerResponse): void {
    if (this.#listeners.size >= MAX_LISTENERS) {
      sendError(response, TOO_MANY);
      return;
    }
    // The server closes connections that are quiet for long; a ping comes before that.
    const listener = new LineStream(response);
    this.#listeners.add(listener);
    response.once("close", () => this.#leave(listener));
    clearTimeout(this.#linger);
    if (this.#hello) listener.send(this.#hello);
    this.#ping ??= setInterval(() => this.send({ type: "ping" }), PING_MS).unref();
    this.#watch();
  }

  /** To every page. One that does not read is disconnected: it will ask for everything when it comes back. */
  send(line: LiveLine): void {
    if (line.type === "hello") this.#hello = line;
    else if (line.type === "index" && this.#hello) this.#hello = { ...this.#hello, ...line, type: "hello" };
    for (const listener of this.#listeners) if (!listener.send(line) && listener.isStalled) listener.destroy();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#linger);
    clearInterval(this.#ping);
    for (const listener of this.#listeners) listener.end();
    this.#watching?.abort();
    await this.#pool.close();
  }

  #leave(listener: LineStream): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0 || this.#isClosed) return;
    clearInterval(this.#ping);
    this.#ping = undefined;
    this.#linger = setTimeout(() => this.#watching?.abort(), LINGER_MS).unref();
  }

  #watch(): void {
    if (this.#watching || this.#isClosed) return;
    const watching = new AbortController();
    this.#watching = watching;
    this.#pool
      .run("watch", (line) => this.send(line), watching.signal)
      .catch((error) => {
        if (!watching.signal.aborted) reportError(error);
      })
      .finally(() => {
        this.#watching = undefined;
        this.#hello = undefined;
        if (this.#listeners.size > 0) setTimeout(() => this.#listeners.size > 0 && this.#watch(), RESTART_MS).unref();
      });
  }
}
