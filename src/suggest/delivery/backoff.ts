/** The retry schedule of deliveries: backoff with jitter, and the last attempt. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pause after each failure. After the last one the delivery is dead: nine attempts in about six hours. */
export const BACKOFF_MS: readonly number[] = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  4 * HOUR,
];
/** The longest `Retry-After` that is honoured. */
const MAX_RETRY_AFTER_MS = 4 * HOUR;
/** Deliveries that failed together must not be retried together. */
const JITTER = 0.2;

/** Milliseconds until the next attempt; undefined if there is none. `random` is from 0 to 1. */
export function backoffAfter(failures: number, retryAfterMs: number | undefined, random: number): number | undefined {
  const pause = BACKOFF_MS[failures - 1];
  if (pause === undefined) return undefined;
  const own = pause * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(own, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}
