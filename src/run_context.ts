/** The caller's side of a long-running operation: receives progress, notices and trace details, and can cancel it. */
import type { TraceDetails } from "./traces/trace.ts";

export interface RunContext {
  /** How much of the work is done; `label` names the work, or says how far it is. */
  progress?(done: number, total: number, label: string): void;
  /** @internal Adds details to the trace of this run, if one is written. */
  trace?(details: TraceDetails): void;
  /** Ends the run early. */
  signal?: AbortSignal;
  /** @internal A notice for the caller in addition to the answer. */
  notice?(text: string): void;
  /** Answer from the index without checking for changes first. */
  stale?: boolean;
  /** @internal The query is still being typed, so nothing is indexed for its answer. */
  draft?: boolean;
  /** @internal The caller is an agent, not a person; it may not say which agent or which conversation. */
  agent?: boolean;
}
