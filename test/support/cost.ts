/** Compares the cost of something within one run: processor time alone says more about the machine than the code. */
import assert from "node:assert/strict";

/** Below this the clock and the compiler dominate. */
const MIN_MICROSECONDS = 2_000;
const TIMES_LONGER = 8;
/** Linear would be 8, quadratic 64. */
const MAX_TIMES_SLOWER = 24;

/** The minimum processor time of a few runs, in microseconds. */
export function leastCpu(run: () => void, runs = 3): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage().user;
    run();
    return process.cpuUsage().user - before;
  });
  return Math.max(MIN_MICROSECONDS, Math.min(...times));
}

/** A busy machine or a collection of garbage may spoil a measurement; no square of the input passes one of these. */
const ATTEMPTS = 3;

/** Asserts that an input of `length` takes about eight times as long as an eighth of it, not the square. */
export function assertLinear(what: string, length: number, run: (length: number) => void): void {
  const found: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const short = leastCpu(() => run(Math.ceil(length / TIMES_LONGER)));
    const long = leastCpu(() => run(length));
    if (long <= MAX_TIMES_SLOWER * short) return;
    found.push(`${long} µs for ${length}, ${short} µs for an eighth of it`);
  }
  assert.fail(`${what}: ${found.join("; ")}`);
}
