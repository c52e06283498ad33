/** Matches that came during a cooldown, kept until it is over: a change is told late rather than never. */
import type { Match } from "./match.ts";

const MOST_HELD = 100;

export class Held {
  readonly #matches = new Map<string, Map<string, Match>>();

  /** The first of the same source and pattern stays. */
  add(subscriptionId: string, matches: readonly Match[]): void {
    const held = this.#matches.get(subscriptionId) ?? new Map<string, Match>();
    for (const match of matches) {
      const key = `${match.pattern.type} ${match.pattern.pattern} ${match.source}`;
      if (held.size < MOST_HELD && !held.has(key)) held.set(key, match);
    }
    this.#matches.set(subscriptionId, held);
  }

  /** And forgets them. The most important first. */
  take(subscriptionId: string): Match[] {
    const held = this.#matches.get(subscriptionId);
    this.#matches.delete(subscriptionId);
    return [...(held?.values() ?? [])].sort((a, b) => a.pattern.priority - b.pattern.priority);
  }
}
