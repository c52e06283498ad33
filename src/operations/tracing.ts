/** The trace of a run: what the operation tells while it runs is gathered, and written as one row when it has ended. */
import type { Dex } from "../dex.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { buildTrace, type TracedRun } from "../traces/build.ts";
import { appendTrace } from "../traces/store.ts";
import type { Trace, TraceDetails } from "../traces/trace.ts";
import { currentSession } from "./session.ts";

export class RunTrace {
  readonly #dex: Dex;
  readonly #run: Pick<TracedRun, "command" | "input" | "started">;
  readonly #begin = performance.now();
  readonly #details: TraceDetails[] = [];

  constructor(dex: Dex, command: string, input: TracedRun["input"]) {
    this.#dex = dex;
    this.#run = { command, input, started: dex.now() };
  }

  add(details: TraceDetails): void {
    this.#details.push(details);
  }

  /** The row of the run, which ends now. */
  async finish(failure?: unknown): Promise<Trace> {
    const duration = performance.now() - this.#begin;
    const { redactText } = await import("../redact/redact.ts");
    return buildTrace(
      {
        ...this.#run,
        duration,
        details: this.#details,
        session: currentSession(this.#dex.vars),
        revision: revisionOf(this.#dex),
        ...(failure === undefined ? {} : { error: describeFailure(failure) }),
      },
      { keepQuery: this.#dex.settings.traces.query, redact: (text) => redactText(text).text },
    );
  }

  /** Nothing that goes wrong here reaches the command. */
  async write(failure?: unknown): Promise<void> {
    try {
      const { traces } = this.#dex.settings;
      const row = await this.finish(failure);
      appendTrace(this.#dex.paths.traces, row, traces.max_bytes);
      if (traces.otlp === undefined) return;
      const { exportTrace } = await import("../traces/otlp.ts");
      exportTrace(row, traces.otlp, this.#dex.vars.TRACEPARENT);
    } catch (error) {
      if (this.#dex.vars.DEX_DEBUG) process.stderr.write(`dex: no trace was written: ${errorMessage(error)}\n`);
    }
  }
}

/** As the index says it was last synced; a damaged index has no say. */
function revisionOf(dex: Dex): string | undefined {
  try {
    return dex.store.getValue("last_sync");
  } catch {
    return undefined;
  }
}

export function describeFailure(error: unknown): { code: string; message: string } {
  return { code: error instanceof DexError ? error.code : "unexpected", message: errorMessage(error) };
}
