/**
 * `GET /api/events`: tells pages what changed, as lines of JSON. It is read with fetch, because an EventSource cannot
 * send the token. One thread watches for all pages, and only while there are any.
 */
import type { ServerResponse } from "node:http";
import { reportError } from "../../serving/report.ts";
import { type ApiError, sendError } from "../answers.ts";
import type { ApiSetup } from "../requests.ts";
import { LineStream } from "../stream.ts";
import type { LiveLine } from "./lines.ts";
import { LiveThread } from "./thread.ts";

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
  readonly #setup: ApiSetup;
  readonly #listeners = new Set<LineStream>();
  /** The first line for a new listener. */
  #hello: Hello | undefined;
  #thread: LiveThread | undefined;
  #ping: NodeJS.Timeout | undefined;
  #linger: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(setup: ApiSetup) {
    this.#setup = setup;
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

  /** Sends a line to every page. One that does not read is disconnected; it asks for everything when it reconnects. */
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
    await this.#thread?.end();
  }

  #leave(listener: LineStream): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0 || this.#isClosed) return;
    clearInterval(this.#ping);
    this.#ping = undefined;
    this.#linger = setTimeout(() => void this.#thread?.end(), LINGER_MS).unref();
  }

  #watch(): void {
    if (this.#thread || this.#isClosed) return;
    this.#thread = new LiveThread(this.#setup, (line) => this.send(line));
    void this.#thread.ended.then((failure) => {
      this.#thread = undefined;
      this.#hello = undefined;
      if (failure !== undefined) reportError(failure);
      // A page that came while the thread was ending still needs one; after a failure, dex tries again later.
      const again = (): void => void (this.#listeners.size > 0 && this.#watch());
      if (failure === undefined) again();
      else setTimeout(again, RESTART_MS).unref();
    });
  }
}
