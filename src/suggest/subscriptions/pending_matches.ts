/** Matches that arrived during a cooldown, held until it is over: a change is delivered late rather than never. */
import type { Match } from "./match.ts";

const MAX_PENDING = 100;

export class PendingMatches {
  readonly #matches = new Map<string, Map<string, Match>>();

  /** Deduplicated by pattern and source: the first match stays. */
  add(subscriptionId: string, matches: readonly Match[]): void {
    const pending = this.#matches.get(subscriptionId) ?? new Map<string, Match>();
    for (const match of matches) {
      const key = `${match.pattern.type} ${match.pattern.pattern} ${match.source}`;
      if (pending.size < MAX_PENDING && !pending.has(key)) pending.set(key, match);
    }
    this.#matches.set(subscriptionId, pending);
  }

  /** Returns and removes them, the most important first. */
  take(subscriptionId: string): Match[] {
    const pending = this.#matches.get(subscriptionId);
    this.#matches.delete(subscriptionId);
    return [...(pending?.values() ?? [])].sort((a, b) => a.pattern.priority - b.pattern.priority);
  }
}
