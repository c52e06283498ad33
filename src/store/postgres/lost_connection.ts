/**
 * Reports a lost connection to callers. The driver alone would reconnect and wait, but only the caller knows whether a
 * call may be repeated.
 */
import { unreachable } from "./failure.ts";

export class LostConnection {
  isLost = false;
  readonly #waiting = new Set<() => void>();

  /** Rejects when a connection closes. */
  wait(): { promise: Promise<never>; settle(): void } {
    const { promise, reject } = Promise.withResolvers<never>();
    const fail = (): void => reject(unreachable("The connection to the team's server was lost."));
    this.#waiting.add(fail);
    promise.catch(() => {});
    return { promise, settle: () => void this.#waiting.delete(fail) };
  }

  /** Aborting `signal` closes the connection. */
  constructor(signal: AbortSignal | undefined) {
    signal?.addEventListener("abort", () => {
      this.isLost = true;
      for (const fail of this.#waiting) fail();
      this.#waiting.clear();
    });
  }

  closed(): void {
    this.isLost = true;
    const waiting = [...this.#waiting];
    if (waiting.length === 0) return;
    // Waits briefly, so that a more specific error, such as a refused connection, is reported first.
    setTimeout(() => {
      for (const fail of waiting) fail();
    }, 50);
  }
}
