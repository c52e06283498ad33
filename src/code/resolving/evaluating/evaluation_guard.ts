/** Guards against endless evaluation: limits the nesting, and lets no evaluation begin inside itself. */

/** Limit on nested evaluations, for types defined by types defined by types … */
const MAX_DEPTH = 24;

export class EvaluationGuard {
  /** How often an evaluation was cut short so far. */
  cuts = 0;
  #depth = 0;
  #inProgress = new Set<string>();

  /** Begins an evaluation, which calls `leave` at its end; false: there are too many inside each other. */
  enter(): boolean {
    if (this.#depth >= MAX_DEPTH) {
      this.cuts += 1;
      return false;
    }
    this.#depth += 1;
    return true;
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Undefined when the same key is already in progress. */
  withoutCycles<T>(key: string, work: () => T): T | undefined {
    if (this.#inProgress.has(key)) {
      this.cuts += 1;
      return undefined;
    }
    this.#inProgress.add(key);
    try {
      return work();
    } finally {
      this.#inProgress.delete(key);
    }
  }

  /** Runs `work` as if nothing else were in progress. */
  afresh<T>(work: () => T): T {
    const [depth, inProgress] = [this.#depth, this.#inProgress];
    this.#depth = 0;
    this.#inProgress = new Set();
    try {
      return work();
    } finally {
      this.#depth = depth;
      this.#inProgress = inProgress;
    }
  }
}
