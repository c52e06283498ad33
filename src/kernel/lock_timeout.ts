/**
 * How long this process waits for a database that another process has locked, or for the disk. Usually seconds; a hook
 * gives up sooner rather than delay the agent.
 */
let maxMs = Number.POSITIVE_INFINITY;

/** Applies to all databases that this process opens from now on. */
export function limitLockTimeout(ms: number): void {
  maxMs = ms;
}

/** Whether this process must not wait for a disk either. */
export function isTimeLimited(): boolean {
  return Number.isFinite(maxMs);
}

export function lockTimeout(usualMs: number): number {
  return Math.min(usualMs, maxMs);
}
