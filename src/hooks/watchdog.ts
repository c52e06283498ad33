/**
 * Ends an answer that takes too long while it computes. A timer cannot: it waits until the program waits, and a hook
 * reads its databases without a pause. So the work runs in a script that V8 stops from another thread (`timeout` of
 * `node:vm`), together with the promises that it settles.
 */
import { Script } from "node:vm";
import { hasNodeOptions } from "./node_options.ts";

/** The name under which the script finds the work. */
const WORK = "dexWorkInTime";

/**
 * Runs `work` as far as it goes without waiting for input or output, for at most `ms`. If it is not done by then, nothing
 * of it goes on, its result never comes, and `late` is called, which is to end the process: Node counts what it is
 * doing, and the count of a program that was stopped may be wrong.
 */
export function runInTime<T>(ms: number, work: () => Promise<T>, late: () => void): Promise<T> {
  const settleAll = promiseRunner();
  if (!settleAll) return work();
  return new Promise((resolve, reject) => {
    // Promises cannot be settled inside one.
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
        settleAll();
      };
      const isInTime = isDone(start, timeout);
      isInside = false;
      if (pass) return pass();
      if (isInTime) return;
      late();
      settleAll();
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
    if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  } finally {
    delete scope[WORK];
  }
}

/** Undefined where Node has none, or where options may have loaded a program that watches all promises. */
function promiseRunner(): (() => void) | undefined {
  const { _tickCallback: run } = process as { _tickCallback?: unknown };
  return typeof run === "function" && !hasNodeOptions() ? () => run.call(process) : undefined;
}
