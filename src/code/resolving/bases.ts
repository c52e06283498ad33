/**
 * The bases of definitions, cached. Each is computed independently of any evaluation in progress, so the result is the
 * same for every caller.
 */
import type { Expression } from "../expression.ts";
import type { EvaluationGuard } from "./evaluating/evaluation_guard.ts";
import { OUTSIDE, type Value } from "./evaluating/values.ts";
import type { Dependencies, DependencyRecorder } from "./project/dependencies.ts";
import type { Surfaces } from "./project/surface_index.ts";

/** Limit on nested base lookups, for bases that need the bases of others, which need … */
const MAX_NESTED_BASES = 12;
/** Definitions whose bases are kept at once: about 10 MB. */
const MAX_BASES = 5000;

export class Bases {
  readonly #files: Surfaces;
  readonly #recorder: DependencyRecorder;
  readonly #guard: EvaluationGuard;
  readonly #evaluate: (path: string, expression: Expression, types: boolean) => Value | undefined;
  readonly #known = new Map<string, { found: readonly (Value | undefined)[]; dependencies: Dependencies }>();
  /** Keys of the definitions whose bases are being worked out, outermost first. */
  readonly #open: string[] = [];
  /** Lowest index in `#open` that was asked for again while it was open. */
  #cycleStart = Number.POSITIVE_INFINITY;

  constructor(
    files: Surfaces,
    recorder: DependencyRecorder,
    guard: EvaluationGuard,
    evaluate: (path: string, expression: Expression, types: boolean) => Value | undefined,
  ) {
    this.#files = files;
    this.#recorder = recorder;
    this.#guard = guard;
    this.#evaluate = evaluate;
  }

  /** Classes and interfaces that a definition extends or implements, in the order of the text. */
  of(path: string, slot: number): readonly (Value | undefined)[] {
    const key = `${slot}:${path}`;
    const known = this.#known.get(key);
    if (known) {
      this.#recorder.add(known.dependencies);
      return known.found;
    }
    const facts = this.#files.get(path)?.surface.bases.filter((base) => base.slot === slot) ?? [];
    if (facts.length === 0) return [];
    const reopened = this.#open.indexOf(key);
    if (reopened >= 0 || this.#open.length === MAX_NESTED_BASES) {
      this.#guard.cuts += 1;
      this.#cycleStart = Math.min(this.#cycleStart, Math.max(0, reopened));
      return [];
    }
    return this.#isolated(key, () =>
      facts.map(({ target }) => this.#evaluate(path, target, true) ?? this.#evaluate(path, target, false)),
    );
  }

  /** The class that `super` stands for. In Java, a class that only implements interfaces extends one of the library. */
  superclass(path: string, slot: number): Value | undefined {
    const index = this.#files.get(path);
    const first = index?.family === "jvm" ? index.surface.bases.find((base) => base.slot === slot) : undefined;
    return first?.kind === "implements" ? OUTSIDE : this.of(path, slot)[0];
  }

  #isolated(key: string, work: () => (Value | undefined)[]): readonly (Value | undefined)[] {
    const outer = this.#cycleStart;
    const index = this.#open.push(key) - 1;
    this.#cycleStart = Number.POSITIVE_INFINITY;
    const { result, dependencies } = this.#guard.afresh(() => this.#recorder.separately(work));
    // A result cut short by a cycle through an outer definition is valid only inside that cycle.
    const complete = this.#cycleStart >= index;
    if (complete) {
      if (this.#known.size >= MAX_BASES) this.#known.clear();
      this.#known.set(key, { found: result, dependencies });
    }
    this.#open.pop();
    this.#cycleStart = complete ? outer : Math.min(outer, this.#cycleStart);
    return result;
  }
}
