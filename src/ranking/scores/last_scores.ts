/**
 * The query that the scores in memory belong to. A query whose parts are fetched while it is answered is asked again,
 * and is not scored again if it lacked nothing for that.
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

  /** Before the memory is used for another query. */
  forget(): void {
    this.#last = undefined;
  }

  /** `score` forgets the scores before its own. */
  of(query: TermQuery, filter: unknown, score: () => ScoredOwners): ScoredOwners {
    const missed = this.#source.missed?.();
    // A source that has everything is asked once.
    if (missed === undefined) return score();
    const { terms, required, excluded, role, mark, vector, second } = query;
    const key = JSON.stringify([terms, required, excluded, role, mark, vector, second, filter]);
    if (this.#last?.key === key) return this.#last.owners;
    const owners = score();
    if (this.#source.missed?.() === missed) this.#last = { key, owners };
    return owners;
  }
}
