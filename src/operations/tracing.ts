/** The trace of a run: collects the details an operation reports and writes them as one row when the run ends. */
import type { Dex } from "../dex.ts";
import { currentSession } from "../integrations/session.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { redactionFor } from "../redact/when_needed.ts";
import { buildTrace, type TracedRun, type TraceRules } from "../traces/build.ts";
import { appendTrace } from "../traces/store.ts";
import type { Trace, TraceDetails } from "../traces/trace.ts";

export class RunTrace {
  readonly #dex: Dex;
  readonly #run: Pick<TracedRun, "command" | "query" | "input" | "started">;
  readonly #begin = performance.now();
  readonly #details: TraceDetails[] = [];

  constructor(dex: Dex, operation: { verb: string; queryField?: string }, input: Readonly<Record<string, unknown>>) {
    // The use case is as private as the question, and does not help to explain a ranking.
    const { [queryFieldOf(operation)]: query, use_case: _, ...rest } = input;
    this.#dex = dex;
    this.#run = {
      command: operation.verb,
      query: typeof query === "string" ? query : undefined,
      input: rest,
      started: dex.now(),
    };
  }

  add(details: TraceDetails): void {
    this.#details.push(details);
  }

  /** Returns the row of the run, which ends now. */
  async finish(failure?: unknown): Promise<Trace> {
    const duration = performance.now() - this.#begin;
    const run: TracedRun = {
      ...this.#run,
      duration,
      details: this.#details,
      session: currentSession(this.#dex.vars),
      revision: revisionOf(this.#dex),
      ...(failure === undefined ? {} : { error: describeFailure(failure) }),
    };
    return buildTrace(run, await rulesFor(run, this.#dex.settings.traces.query));
  }

  /** Never throws: a trace that cannot be written must not fail the command. */
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

export function queryFieldOf(operation: { queryField?: string }): string {
  return operation.queryField ?? "query";
}

/** Loads hashing and redaction only when they are needed: loading them takes longer than running a search. */
async function rulesFor(run: TracedRun, keepQuery: boolean): Promise<TraceRules> {
  const texts = textsOf([run.query, run.input, run.error?.message, run.details.map(({ query }) => query)]);
  const rules: TraceRules = { redact: await redactionFor(texts) };
  if (!keepQuery) {
    const { hash } = await import("node:crypto");
    rules.hash = (text) => hash("sha256", text).slice(0, 32);
  }
  return rules;
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** The time of the last sync; undefined when the index is damaged. */
function revisionOf(dex: Dex): string | undefined {
  try {
    return dex.store.getValue("last_sync");
  } catch {
    return undefined;
  }
}

function describeFailure(error: unknown): { code: string; message: string } {
  return { code: error instanceof DexError ? error.code : "unexpected", message: errorMessage(error) };
}
