/**
 * The last answers of a function. A question over a team is asked again for each kind of parts that it lacks, and most of
 * what it asks an index is the same each time.
 */
import type { SegmentSource } from "../../ranking/ports.ts";

/** One question asks at most for this many different ones. */
const MAX_KEPT = 4;

export class LastAnswers<T> {
  readonly #source: SegmentSource;
  #version = 0;
  readonly #kept = new Map<string, T>();

  /** Answers are of one version of this source. */
  constructor(source: SegmentSource) {
    this.#source = source;
  }

  /** `key` has everything that the answer depends on. An answer that lacked a part of the source is not kept. */
  of(key: unknown, make: () => T): T {
    const version = this.#source.version();
    if (version !== this.#version) this.#kept.clear();
    this.#version = version;
    const text = JSON.stringify(key);
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    const missed = this.#source.missed?.();
    const answer = make();
    if (this.#source.missed?.() !== missed) return answer;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(text, answer);
    return answer;
  }
}
