/**
 * The API: every verb that is offered over HTTP, at `POST /api/<words of the verb>`. A request runs in a thread, and
 * ends with its client: it leaves the queue, and its work is cancelled. Requests for lines of progress take long and
 * run in threads of their own.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { CallThreads, isLongInput } from "../serving/calls/call_threads.ts";
import { pathOf } from "../serving/gate.ts";
import type { ServerPart } from "../serving/http_server.ts";
import { threadProgram } from "../threads/program.ts";
import { type Access, refusal } from "./access.ts";
import { apiError, errorBody, sendError, sendJson } from "./answers.ts";
import { readInput } from "./body.ts";
import { LiveFeed, PING_MS } from "./live/feed.ts";
import { API_PREFIX, LIVE_PATH, OPENAPI_PATH, verbAt } from "./paths.ts";
import type { ApiAnswer, ApiRequest, ApiSetup } from "./requests.ts";
import { LINES_TYPE, LineStream } from "./stream.ts";

/** A client sends it with each request of someone who still types: such requests leave no trace. */
const DRAFT_HEADER = "x-dex-draft";
const NOTICE_HEADER = "X-Dex-Notice";

/** Their progress is shown on every page. */
const SYNCING_VERBS: ReadonlySet<string> = new Set(["sync", "refresh", "reindex"]);

export class Api {
  readonly part: ServerPart;
  readonly #access: Access;
  readonly #threads: CallThreads<ApiRequest>;
  readonly #longThreads: CallThreads<ApiRequest>;
  readonly #feed: LiveFeed;

  constructor(access: Access, setup: ApiSetup) {
    const program = threadProgram(import.meta.url, "http_worker.js");
    this.#access = access;
    this.#threads = new CallThreads(program, setup, {
      isLong: (request) => "input" in request && isLongInput(request.input),
    });
    this.#longThreads = new CallThreads(program, setup);
    this.#feed = new LiveFeed(setup);
    this.part = {
      owns: (path) => path.startsWith(API_PREFIX),
      serve: (request, response, signal) => this.#serve(request, response, signal),
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#feed.close(), this.#threads.close(), this.#longThreads.close()]);
  }

  async #serve(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const refused = refusal(request, this.#access);
    if (refused) return sendError(response, refused);
    const path = pathOf(request);
    if (path === OPENAPI_PATH && request.method === "GET") {
      return this.#answer(response, this.#threads.run({ kind: "openapi" }, { signal }), signal);
    }
    if (path === LIVE_PATH && request.method === "GET") return this.#feed.accept(response);
    const verb = verbAt(path);
    const hint = `GET ${OPENAPI_PATH} describes the API.`;
    if (verb === undefined) {
      return sendError(response, {
        status: 404,
        code: "not_found",
        message: "The API has nothing at this path.",
        hint,
      });
    }
    if (request.method !== "POST") {
      const message = "The API is used with POST.";
      return sendError(response, { status: 405, code: "bad_method", message, hint, allow: "POST" });
    }
    const body = await readInput(request);
    if ("error" in body) return sendError(response, body.error);
    const call: ApiRequest = { kind: "verb", verb, input: body.input };
    const draft = request.headers[DRAFT_HEADER] !== undefined;
    if (request.headers.accept?.includes(LINES_TYPE)) return this.#stream(response, call, { signal, draft });
    return this.#answer(response, this.#threads.run<ApiAnswer>(call, { signal, draft }), signal);
  }

  async #answer(response: ServerResponse, running: Promise<ApiAnswer>, signal: AbortSignal): Promise<void> {
    try {
      const { text, notice } = await running;
      // A header holds ASCII only.
      sendJson(response, 200, text, notice === undefined ? {} : { [NOTICE_HEADER]: encodeURIComponent(notice) });
    } catch (error) {
      if (!signal.aborted) sendError(response, apiError(error));
    }
  }

  async #stream(
    response: ServerResponse,
    call: ApiRequest,
    { signal, draft }: { signal: AbortSignal; draft: boolean },
  ): Promise<void> {
    const lines = new LineStream(response);
    const isSync = call.kind === "verb" && SYNCING_VERBS.has(call.verb);
    // A connection without any data is closed after a while.
    const pings = setInterval(() => lines.send({ type: "ping" }), PING_MS);
    try {
      const { text, notice } = await this.#longThreads.run<ApiAnswer>(call, {
        signal,
        draft,
        step: (step) => void lines.send({ type: "step", step }),
        progress: (done, total, label) => {
          lines.send({ type: "progress", done, total, label });
          if (isSync) this.#feed.send({ type: "sync", phase: "running", done, total, label });
        },
      });
      if (isSync) this.#feed.send({ type: "sync", phase: "done", done: 1, total: 1, label: "" });
      lines.end({ type: "result", result: JSON.parse(text), ...(notice === undefined ? {} : { notice }) });
    } catch (error) {
      const body = errorBody(apiError(error));
      if (isSync) this.#feed.send({ type: "sync", phase: "failed", done: 0, total: 0, label: body.message });
      if (!signal.aborted) lines.end({ type: "error", error: body });
    } finally {
      clearInterval(pings);
    }
  }
}
