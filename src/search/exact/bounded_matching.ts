/**
 * Runs a caller's regular expression over texts within a time limit. V8 stops a script that runs too long even inside
 * a match, so a pattern that backtracks without end costs the limit of one text and no more.
 */
import { createContext, Script } from "node:vm";

/** For the texts of one call, of which all but one are usually fast. */
const MAX_CALL_MS = 300;

const LOOP = new Script("for (; at < texts.length; at += 1) if (pattern.test(texts[at])) found.push(at);");

interface LoopState {
  texts: readonly string[];
  pattern: RegExp;
  found: number[];
  at: number;
}

export class BoundedMatching {
  readonly #state: LoopState;
  readonly #context: ReturnType<typeof createContext>;
  readonly #end: number;
  /** Texts that the pattern took too long for. */
  skipped = 0;

  constructor(pattern: RegExp, limitMs: number) {
    this.#state = { texts: [], pattern, found: [], at: 0 };
    this.#context = createContext(this.#state);
    this.#end = performance.now() + limitMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** The positions of the texts that match. Stops early when the time is over. */
  matching(texts: readonly string[]): number[] {
    const state = this.#state;
    Object.assign(state, { texts, found: [], at: 0 });
    while (state.at < texts.length && !this.isOver) {
      const timeout = Math.max(1, Math.ceil(Math.min(MAX_CALL_MS, this.#end - performance.now())));
      try {
        LOOP.runInContext(this.#context, { timeout });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
        this.skipped += 1;
        state.at += 1;
      }
    }
    return state.found;
  }
}
