/** How long to wait before a delivery is tried again, and when to give up. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After the first failure, the second, … After the last one it is dead: nine attempts, in about six hours. */
export const PAUSES: readonly number[] = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  4 * HOUR,
];
/** What a receiver may ask for. */
const LONGEST_ASKED = 4 * HOUR;
/** Receivers that failed together are not asked together again. */
const JITTER = 0.2;

/** Milliseconds until the next attempt, or undefined: there is none. `random` from 0 to 1. */
export function pauseAfter(failures: number, askedMs: number | undefined, random: number): number | undefined {
  const pause = PAUSES[failures - 1];
  if (pause === undefined) return undefined;
  const own = pause * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(own, Math.min(askedMs ?? 0, LONGEST_ASKED)));
}
