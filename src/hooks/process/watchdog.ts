/**
 * Stops an answer that computes for too long. A timer cannot: it fires only between two tasks, and a hook reads its
 * databases synchronously. So the work, with the promise callbacks that it causes, runs in a script with a `timeout` of
 * `node:vm`, which V8 enforces from another thread.
 */
import { Script } from "node:vm";
import { systemCode } from "../../kernel/errors.ts";
import { hasNodeOptions } from "./node_options.ts";

/** The name under which the script finds the work. */
const WORK = "dexWorkInTime";

/**
 * Runs `work`, as far as it gets without waiting for input or output, for at most `ms`. Work that takes longer is
 * terminated: its promise never settles, and `late` is called. `late` must end the process, because a termination may
 * leave Node's counters of pending work wrong.
 */
export function runInTime<T>(ms: number, work: () => Promise<T>, late: () => void): Promise<T> {
  const runMicrotasks = microtaskRunner();
  if (!runMicrotasks) return work();
  return new Promise((resolve, reject) => {
    // In a task of its own: microtasks do not run inside a microtask.
    setImmediate(() => {
      const timeout = Math.floor(ms);
      if (timeout < 1) return late();
      // The caller goes on with the result outside, where nothing stops it.
      let isInside = true;
      let pass: (() => void) | undefined;
      const settle = (then: () => void): void => {
        if (isInside) pass = then;
        else then();
      };
      const start = (): void => {
        work().then(
          (value) => settle(() => resolve(value)),
          (error: unknown) => settle(() => reject(error)),
        );
        runMicrotasks();
      };
      const isInTime = isDone(start, timeout);
      isInside = false;
      if (pass) return pass();
      if (isInTime) return;
      late();
      runMicrotasks();
    });
  });
}

/** False if the work was stopped. */
function isDone(work: () => void, timeout: number): boolean {
  const scope = globalThis as { [WORK]?: () => void };
  scope[WORK] = work;
  try {
    new Script(`${WORK}()`).runInThisContext({ timeout });
    return true;
  } catch (error) {
    if (systemCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  } finally {
    delete scope[WORK];
  }
}

/** Runs pending promise callbacks. Undefined if this Node cannot, or if a preloaded program may hook into promises. */
function microtaskRunner(): (() => void) | undefined {
  const { _tickCallback: run } = process as { _tickCallback?: unknown };
  return typeof run === "function" && !hasNodeOptions() ? () => run.call(process) : undefined;
}
