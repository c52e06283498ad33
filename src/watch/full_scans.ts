/**
 * When to scan the whole project: some time after an inexact event, and periodically without file events. A scan is
 * followed by a pause many times as long, so a large project is not scanned all the time.
 */

/** After an inexact event, everything is scanned once. */
const VERIFY_MS = 5000;
const POLL_MS = 1000;
/** The pause after a full scan, as a multiple of its duration. */
const SCAN_PAUSE_FACTOR = 20;

interface ScanCalls {
  scan(): void;
  /** Called after `scan` when it is one of the periodic scans. */
  polled(): void;
}

export class FullScans {
  readonly #calls: ScanCalls;
  #verify: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #tookMs = 0;

  constructor(calls: ScanCalls) {
    this.#calls = calls;
  }

  /** The duration of the last scan. */
  took(ms: number): void {
    this.#tookMs = ms;
  }

  /** Scans once; a later call before that begins the wait again. */
  verifyLater(): void {
    clearTimeout(this.#verify);
    this.#verify = setTimeout(() => this.#calls.scan(), Math.max(VERIFY_MS, this.#pauseMs()));
  }

  /** The first of the periodic scans. */
  pollSoon(): void {
    this.#pollIn(POLL_MS);
  }

  /** The next of the periodic scans, after the pause. */
  pollLater(): void {
    this.#pollIn(Math.max(POLL_MS, this.#pauseMs()));
  }

  close(): void {
    clearTimeout(this.#verify);
    clearTimeout(this.#poll);
  }

  #pollIn(ms: number): void {
    clearTimeout(this.#poll);
    this.#poll = setTimeout(() => {
      this.#calls.scan();
      this.#calls.polled();
    }, ms);
  }

  #pauseMs(): number {
    return this.#tookMs * SCAN_PAUSE_FACTOR;
  }
}
