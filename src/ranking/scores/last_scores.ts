/**
 * Remembers which query the scores in memory belong to. A query over a team is repeated while its parts are fetched;
 * dex scores it again only if something was missing for its scores.
 */
import type { SegmentSource } from "../ports.ts";
import type { TermQuery } from "../query.ts";
import type { scoreOwners } from "./document_scores.ts";

export type ScoredOwners = ReturnType<typeof scoreOwners>;

export class LastScores {
  readonly #source: SegmentSource;
  #last: { key: string; owners: ScoredOwners } | undefined;

  constructor(source: SegmentSource) {
    this.#source = source;
  }

  /** Call it before another query uses the memory. */
  forget(): void {
    this.#last = undefined;
  }

  /** `score` forgets the scores before its own. */
  of(query: TermQuery, filter: unknown, score: () => ScoredOwners): ScoredOwners {
    const missed = this.#source.missed?.();
    // A complete source is queried only once.
    if (missed === undefined) return score();
    const { terms, required, excluded, role, mark, vector, second } = query;
    const key = JSON.stringify([terms, required, excluded, role, mark, vector, second, filter]);
    if (this.#last?.key === key) return this.#last.owners;
    const owners = score();
    if (this.#source.missed?.() === missed) this.#last = { key, owners };
    return owners;
  }
}
