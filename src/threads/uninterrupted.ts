/**
 * Protects work that must complete before its thread may be terminated. Node aborts the whole process if a thread ends
 * while it creates a compression stream; and a thread that ends takes its own threads with it, whatever they are doing.
 */

/** Set in the number that a thread and its pool share when the pool is about to end the thread. */
const CLOSING = 1 << 30;
/** A call lasts milliseconds; if it does not return, the thread is terminated all the same. */
const MAX_WAIT_MS = 2000;

/** How many pieces of such work the thread is doing, and whether it is CLOSING. */
let shared: Int32Array | undefined;

/** In the thread: from now on its pool waits for work that is not complete. */
export function shareCalls(buffer: SharedArrayBuffer): void {
  shared = new Int32Array(buffer);
}

/** Runs `call`; in a thread that is being closed it never starts. */
export function uninterrupted<T>(call: () => T): T {
  const complete = holdThread();
  try {
    return call();
  } finally {
    complete();
  }
}

/** Keeps this thread from being terminated until the returned function is called; does nothing in the main thread. */
export function holdThread(): () => void {
  const state = shared;
  if (!state) return () => {};
  for (;;) {
    const now = Atomics.load(state, 0);
    if (now & CLOSING) Atomics.wait(state, 0, now);
    else if (Atomics.compareExchange(state, 0, now, now + 1) === now) break;
  }
  return () => {
    Atomics.sub(state, 0, 1);
    Atomics.notify(state, 0);
  };
}

/** For the pool: one per thread. */
export class CallGuard {
  readonly buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  readonly #state = new Int32Array(this.buffer);

  /** Lets the thread start no more such work. Resolves when what it does is complete, or has taken too long. */
  async close(): Promise<void> {
    const end = performance.now() + MAX_WAIT_MS;
    Atomics.or(this.#state, 0, CLOSING);
    for (;;) {
      const now = Atomics.load(this.#state, 0);
      const left = end - performance.now();
      if (now === CLOSING || left <= 0) return;
      await Atomics.waitAsync(this.#state, 0, now, left).value;
    }
  }

  /** Whether the thread does no such work at this moment; if so, it will start none. */
  tryClose(): boolean {
    const before = Atomics.compareExchange(this.#state, 0, 0, CLOSING);
    return before === 0 || before === CLOSING;
  }
}
