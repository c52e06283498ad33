/** The trace of a run: what the operation tells while it runs is gathered, and written as one row when it has ended. */
import type { Dex } from "../dex.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { isPlain } from "../redact/plain.ts";
import { currentSession } from "../search/filters/session.ts";
import { buildTrace, type TracedRun, type TraceRules } from "../traces/build.ts";
import { appendTrace } from "../traces/store.ts";
import type { Trace, TraceDetails } from "../traces/trace.ts";

export class RunTrace {
  readonly #dex: Dex;
  readonly #run: Pick<TracedRun, "command" | "query" | "input" | "started">;
  readonly #begin = performance.now();
  readonly #details: TraceDetails[] = [];

  constructor(dex: Dex, operation: { verb: string; asks?: string }, input: Readonly<Record<string, unknown>>) {
    // What a question is for is as private as the question, and no help in understanding a ranking.
    const { [askedField(operation)]: asked, use_case: _, ...rest } = input;
    this.#dex = dex;
    this.#run = {
      command: operation.verb,
      query: typeof asked === "string" ? asked : undefined,
      input: rest,
      started: dex.now(),
    };
  }

  add(details: TraceDetails): void {
    this.#details.push(details);
  }

  /** The row of the run, which ends now. */
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

export function askedField(operation: { asks?: string }): string {
  return operation.asks ?? "query";
}

/** What is not needed is not loaded: hashing and the rules of redaction take longer to load than a search to run. */
async function rulesFor(run: TracedRun, keepQuery: boolean): Promise<TraceRules> {
  const rules: TraceRules = { redact: (text) => text };
  if (!textsOf([run.query, run.input, run.error?.message, run.details.map(({ query }) => query)]).every(isPlain)) {
    const { redactText } = await import("../redact/redact.ts");
    rules.redact = (text) => redactText(text).text;
  }
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

/** As the index says it was last synced; a damaged index has no say. */
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
