/**
 * Calls that must be complete before their thread may be terminated. Node aborts the whole process if a thread ends while
 * it creates a compression stream, and a user who presses Ctrl-C during a sync would see a crash.
 */

/** Of the one number that a thread and its pool share. */
const STATE = { free: 0, busy: 1, closing: 2 } as const;
/** A call lasts milliseconds; if it does not return, the thread is terminated all the same. */
const MAX_WAIT_MS = 2000;

let shared: Int32Array | undefined;

/** In the thread: from now on its pool waits for calls that are not complete. */
export function shareCalls(buffer: SharedArrayBuffer): void {
  shared = new Int32Array(buffer);
}

/** Runs `call`; in a thread that is being closed it never starts. */
export function uninterrupted<T>(call: () => T): T {
  const state = shared;
  if (!state) return call();
  if (Atomics.compareExchange(state, 0, STATE.free, STATE.busy) === STATE.closing)
    Atomics.wait(state, 0, STATE.closing);
  try {
    return call();
  } finally {
    Atomics.store(state, 0, STATE.free);
    Atomics.notify(state, 0);
  }
}

/** For the pool: one per thread. */
export class CallGuard {
  readonly buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  readonly #state = new Int32Array(this.buffer);

  /** Resolves when the thread is in no such call and will start none. */
  async close(): Promise<void> {
    const end = performance.now() + MAX_WAIT_MS;
    while (Atomics.compareExchange(this.#state, 0, STATE.free, STATE.closing) === STATE.busy) {
      const left = end - performance.now();
      if (left <= 0) return;
      await Atomics.waitAsync(this.#state, 0, STATE.busy, left).value;
    }
  }
}
