/**
 * Which call a result answers.
 *
 * Agents that give ids are matched by them; those that give none answer in the order of the calls. Something small
 * is kept for each open call, never the call itself: inputs may be megabytes.
 */
import type { ToolCallPart, ToolResultPart } from "./model.ts";

/** A call whose result never came (interrupted, still running) is forgotten after this many others. */
const MOST_OPEN = 1000;

export class OpenCalls<T> {
  readonly #byId = new Map<string, T>();
  #inOrder: T[] = [];

  add(call: ToolCallPart, kept: T): void {
    if (call.id === undefined) {
      this.#inOrder.push(kept);
      if (this.#inOrder.length > MOST_OPEN) this.#inOrder.shift();
      return;
    }
    this.#byId.delete(call.id);
    this.#byId.set(call.id, kept);
    if (this.#byId.size > MOST_OPEN) for (const oldest of this.#byId.keys()) return void this.#byId.delete(oldest);
  }

  /** What was kept for the call this result answers; it is open no more. */
  take(result: ToolResultPart): T | undefined {
    if (result.id === undefined) return this.#inOrder.shift();
    const kept = this.#byId.get(result.id);
    this.#byId.delete(result.id);
    return kept;
  }

  /** Ids of the calls still open. */
  ids(): string[] {
    return [...this.#byId.keys()];
  }
}

/** Statuses of a command that a signal ended: Ctrl-C, kill, termination. */
const SIGNAL_STATUSES: ReadonlySet<number> = new Set([130, 137, 143]);

/** Somebody stopped it: that says nothing of whether it works. */
export function wasInterrupted({ exit_code }: ToolResultPart): boolean {
  return exit_code !== undefined && SIGNAL_STATUSES.has(exit_code);
}

export function hasFailed(result: ToolResultPart): boolean {
  if (result.exit_code === undefined) return result.is_error === true;
  return result.exit_code !== 0 && !wasInterrupted(result);
}
