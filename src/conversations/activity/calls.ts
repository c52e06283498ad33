/**
 * Matches tool results to their calls.
 *
 * By id where the agent gives ids, else in the order of the calls. Only a small value is kept per open call, never the
 * call itself: inputs may be megabytes.
 */
import type { ToolCallPart, ToolResultPart } from "../model.ts";

/** A call without a result (interrupted, still running) is dropped after this many others. */
const MAX_OPEN_CALLS = 1000;

export class OpenCalls<T> {
  readonly #byId = new Map<string, T>();
  #inOrder: T[] = [];

  add(call: ToolCallPart, kept: T): void {
    if (call.id === undefined) {
      this.#inOrder.push(kept);
      if (this.#inOrder.length > MAX_OPEN_CALLS) this.#inOrder.shift();
      return;
    }
    this.#byId.delete(call.id);
    this.#byId.set(call.id, kept);
    if (this.#byId.size > MAX_OPEN_CALLS) for (const oldest of this.#byId.keys()) return void this.#byId.delete(oldest);
  }

  /** Returns the value kept for the call that this result answers, and closes the call. */
  take(result: ToolResultPart): T | undefined {
    if (result.id === undefined) return this.#inOrder.shift();
    const kept = this.#byId.get(result.id);
    this.#byId.delete(result.id);
    return kept;
  }
}
