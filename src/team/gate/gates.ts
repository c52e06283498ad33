/** Runs the gate: in this thread for a little, in a pool for much, or where the team has patterns of its own. */
import { availableParallelism } from "node:os";
import { ThreadPool } from "../../threads/pool.ts";
import { threadProgram } from "../../threads/program.ts";
import { type GateJob, type GateResult, passGate } from "./gate.ts";

/** With less to clean, starting threads takes longer than it saves. */
const MIN_BYTES_FOR_THREADS = 2 << 20;
const MAX_THREADS = 4;
const JOBS_PER_THREAD = 2;
/** A pattern of the team may backtrack catastrophically; dex then holds back the conversation. */
const MAX_CLEANING_MS = 60_000;

export class Gates {
  readonly #pool: ThreadPool<GateJob, GateResult> | undefined;

  constructor(bytes: number, hasPatterns: boolean) {
    if (bytes < MIN_BYTES_FOR_THREADS && !hasPatterns) return;
    this.#pool = new ThreadPool({
      program: threadProgram(import.meta.url, "team_worker.js"),
      maxThreads: Math.min(MAX_THREADS, Math.max(1, availableParallelism())),
      jobsPerThread: JOBS_PER_THREAD,
      setup: () => ({ kept: undefined }),
    });
  }

  /** How many conversations may be cleaned at once; this bounds the memory. */
  get width(): number {
    return this.#pool?.width ?? 1;
  }

  async pass(job: GateJob): Promise<GateResult> {
    if (!this.#pool) return passGate(job);
    let result: GateResult | undefined;
    const limit = AbortSignal.timeout(MAX_CLEANING_MS);
    try {
      await this.#pool.run(
        job,
        (message) => {
          result = message;
        },
        limit,
      );
    } catch (error) {
      return { held: limit.aborted ? "cleaning it took too long" : String(error).slice(0, 200) };
    }
    return result ?? { held: "the gate gave no answer" };
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }
}
