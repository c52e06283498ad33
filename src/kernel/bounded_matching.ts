/**
 * Runs a caller's regular expression over texts within a time limit. V8 stops a script that runs too long even inside a
 * match, so a pattern that backtracks catastrophically costs the limit of one text and no more. The same holds for one
 * that needs more memory than V8 allows: for the places to go back to, or for its own code.
 */
import { createContext, Script } from "node:vm";
import { systemCode } from "./errors.ts";

/** Time limit for the texts of one call, of which usually at most one is slow. */
const MAX_CALL_MS = 300;

/**
 * Reading a variable of the context takes a microsecond, so the loop uses its own. `place` tells where it was stopped.
 */
const LOOP = new Script(`{
  const list = texts, tested = pattern, into = found, at = place;
  for (let i = at[0]; i < list.length; i += 1, at[0] = i) if (tested.test(list[i])) into.push(i);
}`);

interface LoopState {
  texts: readonly string[];
  pattern: RegExp;
  found: number[];
  place: Uint32Array;
}

export class BoundedMatching {
  readonly #state: LoopState;
  readonly #context: ReturnType<typeof createContext>;
  readonly #end: number;
  /** Texts for which the pattern took too long or needed too much memory. */
  skipped = 0;

  constructor(pattern: RegExp, limitMs: number) {
    this.#state = { texts: [], pattern, found: [], place: new Uint32Array(1) };
    this.#context = createContext(this.#state);
    this.#end = performance.now() + limitMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** The positions of the texts that match. Stops early when the time is over. */
  matching(texts: readonly string[]): number[] {
    const { place } = this.#state;
    const found: number[] = [];
    Object.assign(this.#state, { texts, found });
    place[0] = 0;
    for (let at = 0; at < texts.length && !this.isOver; at = place[0]) {
      const timeout = Math.max(1, Math.ceil(Math.min(MAX_CALL_MS, this.#end - performance.now())));
      try {
        LOOP.runInContext(this.#context, { timeout });
      } catch (error) {
        const isTimeout = systemCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT";
        if (!isTimeout && !isTooMuchMemory(error)) throw error;
        // The texts before it may have used up the time, so it gets a call of its own.
        if (isTimeout && place[0] > at) continue;
        this.skipped += 1;
        place[0] += 1;
      }
    }
    return found;
  }
}

/** V8 stops a match that has too many places to go back to, or a pattern whose code would be too long. */
function isTooMuchMemory(error: unknown): boolean {
  // The error may come from the context, which has error classes of its own.
  const name = error !== null && typeof error === "object" && "name" in error ? error.name : "";
  return name === "RangeError" || name === "SyntaxError";
}
