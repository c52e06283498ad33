/** What a caller lends to work that may take long: where progress, notices and trace facts go, and how to stop it. */
import type { TraceDetails } from "./traces/trace.ts";

export interface RunContext {
  progress?(done: number, total: number, label: string): void;
  /** Adds facts to the trace of this run, where one is written. */
  trace?(details: TraceDetails): void;
  /** Ends the run early. */
  signal?: AbortSignal;
  /** A sentence for the caller beside the answer. */
  notice?(text: string): void;
  /** Answer from what is indexed, without looking for changes first. */
  stale?: boolean;
  /** The caller is an agent, not a person; it may not say which agent or which conversation. */
  agent?: boolean;
}
