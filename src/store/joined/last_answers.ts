/**
 * Caches the last results of a function. A question over a team is repeated for each kind of missing parts, and most of
 * its queries are the same each time.
 */
import type { SegmentSource } from "../../ranking/ports.ts";

/** One question has at most this many different keys. */
const MAX_KEPT = 4;

export class LastAnswers<T> {
  readonly #source: SegmentSource;
  #version = 0;
  readonly #kept = new Map<string, T>();

  /** Results are valid for one version of this source. */
  constructor(source: SegmentSource) {
    this.#source = source;
  }

  /** `key` contains everything that the result depends on. A result for which the source lacked parts is not cached. */
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
