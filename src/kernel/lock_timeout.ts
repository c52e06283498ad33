/**
 * How long this process may wait for a database that another one holds. Usually seconds; a hook rather goes without an
 * answer than hold up the agent that asked.
 */
let longest = Number.POSITIVE_INFINITY;

/** For the rest of the process, for all databases that are opened from now on. */
export function limitPatience(ms: number): void {
  longest = ms;
}

export function patience(usual: number): number {
  return Math.min(usual, longest);
}
