/**
 * Runs the calls of a server in threads of their own, so that the server answers other clients while a call computes,
 * and a cancelled call ends. The first call starts the first thread; a second one starts when the first is busy. Calls
 * that may take long leave one thread to the others. Counts the calls being answered, so that a server can wait for them
 * before it ends.
 */
import { ThreadPool } from "../../threads/pool.ts";
import type { Caller } from "./call_runner.ts";
import { WaitingCalls } from "./waiting_calls.ts";

const MAX_THREADS = 2;
/**
 * A small young generation: in V8's usual 64 MB or more, decoded postings and blocks that no call uses would stay in
 * memory until a collection.
 */
const YOUNG_MEMORY_MB = 8;

type Step = Parameters<NonNullable<Caller["step"]>>[0];
type Progress = Parameters<NonNullable<Caller["progress"]>>;

/** The part of a caller that can be sent to a thread. */
type SentCaller = Omit<Caller, "signal" | "step" | "progress" | "waits">;

/** A call as it is sent to a thread. */
export interface Call<Request> {
  request: Request;
  caller: SentCaller;
}

export type CallMessage = { step: Step } | { progress: Progress } | { answer: unknown };

export interface CallThreadOptions<Request> {
  /** A request that loads what calls need. */
  prepare?: Request;
  /** Whether a request may take long. */
  isLong?: (request: Request) => boolean;
}

/** Whether the input of a call is one for which dex reads all conversations: a search for a regular expression. */
export function isLongInput(input: unknown): boolean {
  return typeof input === "object" && input !== null && "regex" in input && input.regex === true;
}

export class CallThreads<Request> {
  readonly #pool: ThreadPool<Call<Request>, CallMessage>;
  readonly #waiting = new WaitingCalls();
  #answering = 0;
  #whenIdle: (() => void)[] = [];

  /** The program calls `serveCalls`; `setup` is its `workerData`. */
  constructor(program: URL, setup: unknown, options: CallThreadOptions<Request> = {}) {
    const { prepare, isLong } = options;
    this.#pool = new ThreadPool({
      program,
      maxThreads: MAX_THREADS,
      jobsPerThread: 1,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEMORY_MB },
      ...(prepare === undefined ? {} : { firstJob: { request: prepare, caller: {} } }),
      ...(isLong === undefined ? {} : { isLong: ({ request }) => isLong(request) }),
      setup: () => ({ workerData: setup, kept: undefined }),
    });
  }

  run<T>(request: Request, caller: Caller = {}): Promise<T> {
    return this.#run(request, caller);
  }

  /**
   * Runs a request that only reads, for a caller that needs no progress. While it waits for a thread, equal requests of
   * equal callers join it and get the same answer.
   */
  runShared<T>(request: Request, { signal, step: _, progress: __, waits: ___, ...caller }: Caller = {}): Promise<T> {
    const key = JSON.stringify([request, caller]);
    return this.#waiting.join(
      key,
      (everyone, given) => this.#run<T>(request, { ...caller, signal: everyone }, given),
      signal,
    );
  }

  async #run<T>(
    request: Request,
    { signal, step, progress, waits: _, ...caller }: Caller,
    given?: () => void,
  ): Promise<T> {
    this.#answering += 1;
    let answer: unknown;
    const take = (message: CallMessage): void => {
      if ("step" in message) step?.(message.step);
      else if ("progress" in message) progress?.(...message.progress);
      else answer = message.answer;
    };
    try {
      await this.#pool.run({ request, caller }, take, signal, given);
      return answer as T;
    } finally {
      this.#answering -= 1;
      if (this.#answering === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
  }

  /** Resolves when no call is being answered. */
  idle(): Promise<void> {
    return this.#answering === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
