/** Stops waiting for the team's server: after a fixed time, or when it has been silent for a while. */
import type { Socket } from "node:net";
import { DexError } from "../../kernel/errors.ts";

export const UNREACHABLE = "The team's server cannot be reached.";

export class SilentServer extends DexError {
  constructor() {
    super("team_unreachable", UNREACHABLE, { hint: "" });
  }
}

const TICK_MS = 10;

/** Grows whenever the server accepts a connection or sends something. */
export function progressOf(sockets: readonly Socket[]): number {
  return sockets.reduce((sum, { bytesRead, connecting }) => sum + bytesRead + (connecting ? 0 : 1), 0);
}

/**
 * Waits as long as there is progress. A distant server needs several round trips for a greeting, and a busy machine is
 * slow itself. So silence is counted in ticks of a timer, and the server is not blamed for ticks that this process
 * missed.
 */
export function failIfSilent<T>(work: Promise<T>, silentMs: number, progress: () => number): Promise<T> {
  let last = progress();
  let ticks = 0;
  return race(work, (fail) => {
    const timer = setInterval(() => {
      const now = progress();
      ticks = now === last ? ticks + 1 : 0;
      last = now;
      if (ticks * TICK_MS >= silentMs) fail(new SilentServer());
    }, TICK_MS);
    return () => clearInterval(timer);
  });
}

export function failAfter<T>(work: Promise<T>, ms: number): Promise<T> {
  return race(work, (fail) => {
    const timer = setTimeout(() => fail(new DexError("team_unreachable", UNREACHABLE, { hint: "" })), ms);
    return () => clearTimeout(timer);
  });
}

/** The result of the work, unless the timer fails first. `start` returns the function that stops the timer. */
async function race<T>(work: Promise<T>, start: (fail: (error: DexError) => void) => () => void): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const stop = start(timeout.reject);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    stop();
    work.catch(() => {});
  }
}
