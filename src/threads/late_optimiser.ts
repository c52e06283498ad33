/**
 * V8's slowest compiler optimises every function that is called often, in threads of its own. A program with many such
 * functions in several threads spends a sixth of its processor time on that within its first 20 seconds.
 */
import { setFlagsFromString } from "node:v8";
import { hasUsualFlags } from "./heap_generations.ts";

/** The value to which V8 itself raises the option if its middle compiler is on. */
const USUAL_CALLS = 10_000;

/** Lets that compiler take a function after this many calls, in all threads, until the returned function is called. */
export function optimiseAfter(calls: number): () => void {
  if (!hasUsualFlags()) return () => {};
  setFlagsFromString(`--invocation-count-for-turbofan=${calls}`);
  return () => setFlagsFromString(`--invocation-count-for-turbofan=${USUAL_CALLS}`);
}
