/** Searching an index of texts: by words, by vectors, or by both together. */

import { Bm25, textsIn } from "./bm25.ts";
import { type Passes, passesOf } from "./conditions.ts";
import type { DroppedHit, MessageHit, SlotHits, TermShare, TextHits } from "./hits.ts";
import type { Catalogue, Owner, SegmentSource } from "./ports.ts";
import type { TermQuery, VectorModel } from "./query.ts";
import { bestByWords, bestScores } from "./scores/best_scores.ts";
import type { EvidenceSource } from "./scores/evidence.ts";
import { type Fused, fuse, MIN_COSINE_WITHOUT_WORDS } from "./scores/fusion.ts";
import { type Accept, rankConversations } from "./scores/grouping.ts";
import { type OwnerWords, ownerWords } from "./scores/owner_words.ts";
import type { ScoreKeeper } from "./scores/score_keeper.ts";
import { WordPairs } from "./scores/words_together.ts";
import { onlyOf, type Segment, TITLE_SLOT } from "./segment.ts";
import { findNearTerms, type NearTerm } from "./spelling.ts";
import type { PostingList } from "./terms/posting_list.ts";
import { type Cosines, VectorIndex } from "./vector_index.ts";

/** How many dropped messages an explanation names. */
const MAX_DROPPED_SHOWN = 10;
/** A word in more than half of the texts carries no information, but in so few texts half of them is chance. */
const MIN_TEXTS_OF_COMMON_WORD = 20;

interface RankedDocuments extends Fused {
  scores: ScoreKeeper[];
  cosines?: Cosines;
}

/** Caches the tables that every search needs; they are reloaded when the index has changed. */
export class TextIndex<Filter> {
  readonly #source: SegmentSource;
  readonly #catalogue: Catalogue<Filter>;
  #version = -1;
  #segments: Segment[] = [];
  #bm25: Bm25;
  #owners = new Map<number, Owner>();
  #largestNo = 0;
  #vectors: { model: VectorModel; index: VectorIndex } | undefined;

  constructor(source: SegmentSource, catalogue: Catalogue<Filter>) {
    this.#source = source;
    this.#catalogue = catalogue;
    this.#bm25 = new Bm25(source, []);
  }

  /** Owners with a match, best first. */
  search(query: TermQuery, filter: Filter, limit: number, offset: number, accept?: Accept): TextHits {
    this.#refresh();
    const { scores, words, cosines, dropped } = this.#rank(query, filter);
    const boosts = this.#catalogue.boosts(query);
    const page = { limit, offset };
    const source = this.#evidenceFor(query);
    const found = rankConversations(this.#segments, scores, accept, this.#largestNo, boosts, source, this.#tie, page);
    const hits = found.ranked.map((hit) => ({
      ...hit,
      parts: hit.parts.map(({ segment, document, weighted }) => ({
        index: this.#slot(segment, document),
        weighted,
        words: words(segment, document),
        cosine: cosines?.[segment]?.get(document) ?? null,
      })),
    }));
    const vectors = query.vector ? this.#vectorIndex(query.vector.model).windows : 0;
    return { hits, total: found.total, vectors, dropped: this.#dropped(dropped) };
  }

  searchMessages(query: TermQuery, filter: Filter, limit: number): MessageHit[] {
    return this.searchSlots(query, filter, limit).hits.map(({ no, index, score }) => ({ no, index, score }));
  }

  /** Single texts with a match, best first, and how many there are; titles are left out. */
  searchSlots(query: TermQuery, filter: Filter, limit: number, accept?: Accept): SlotHits {
    this.#refresh();
    const { scores, words, cosines, dropped } = this.#rank(query, filter);
    const hits: (MessageHit & { segment: number; document: number })[] = [];
    const taken = (segment: number, document: number): boolean => {
      const { places } = this.#segments[segment] as Segment;
      const index = places[document * 2 + 1] as number;
      return index !== TITLE_SLOT && accept?.(places[document * 2] as number, index) !== false;
    };
    const { total, least } = bestScores(scores, limit, taken);
    for (const [segment, { places }] of this.#segments.entries()) {
      const { values, documents } = scores[segment] as ScoreKeeper;
      for (const document of documents) {
        const score = values[document] as number;
        if (score < least || !taken(segment, document)) continue;
        const [no, index] = [places[document * 2] as number, places[document * 2 + 1] as number];
        hits.push({ no, index, score, segment, document });
      }
    }
    hits.sort((a, b) => b.score - a.score || this.#tie(a.no, b.no) || a.index - b.index);
    const best = hits.slice(0, limit).map(({ segment, document, ...hit }) => ({
      ...hit,
      words: words(segment, document),
      cosine: cosines?.[segment]?.get(document) ?? null,
    }));
    return { hits: best, total, dropped: this.#dropped(dropped) };
  }

  /** Owners with any of the words, best first. A word that most texts have does not count. */
  searchOwners(terms: readonly string[], limit: number): OwnerWords[] {
    this.#refresh();
    const bm25 = this.#bm25;
    const lists = new Map<string, PostingList[]>();
    let maxScore = 0;
    for (const term of terms) {
      const list = bm25.lists(term);
      const texts = textsIn(list);
      const counts = texts > 0 && texts <= Math.max(MIN_TEXTS_OF_COMMON_WORD, bm25.texts / 2);
      lists.set(term, counts ? list : []);
      if (counts) maxScore += bm25.maxShare(texts);
    }
    const unbarred = this.#segments.map(() => undefined);
    const scores = bm25.score(terms, unbarred, (term) => lists.get(term) ?? []);
    const owners = { count: this.#owners.size, largest: this.#largestNo, tie: this.#tie };
    return ownerWords(this.#segments, [...lists.values()], scores, maxScore, owners, limit);
  }

  explain(query: TermQuery, no: number, index: number): TermShare[] {
    this.#refresh();
    return this.#bm25.explain(query.terms, no, index);
  }

  nearTerms(term: string): NearTerm[] {
    this.#refresh();
    return findNearTerms(this.#source, this.#segments, term);
  }

  /** A score for each document: by its words, or by words and vectors. */
  #rank(query: TermQuery, filter: Filter): RankedDocuments {
    const passes: Passes = passesOf(this.#source, this.#segments, query, this.#allowed(filter));
    const scores = this.#bm25.score(query.terms, passes);
    const { vector } = query;
    if (!vector) return { scores, words: (segment, document) => scores[segment]?.values[document] ?? 0, dropped: [] };
    const index = this.#vectorIndex(vector.model);
    const cosines = index.nearest(vector, passes);
    for (const [segment, documents] of bestByWords(scores).entries()) {
      index.compare(vector, segment, documents, cosines);
    }
    return { ...fuse(scores, cosines, vector.share), scores, cosines };
  }

  #evidenceFor({ terms, vector, caller }: TermQuery): EvidenceSource {
    return {
      // A search by meaning alone does not look at words.
      pairs: vector?.share === 1 ? undefined : new WordPairs(terms),
      order: (no, slot) => this.#catalogue.order?.(no, slot),
      project: (no) => this.#owners.get(no)?.project,
      caller,
    };
  }

  /** A byte for each owner that passes the filter; undefined when all do. */
  #allowed(filter: Filter): Uint8Array | undefined {
    const passing = this.#catalogue.passing(filter);
    if (!passing) return undefined;
    const allowed = new Uint8Array(this.#largestNo + 1);
    for (const no of passing) allowed[no] = 1;
    return allowed;
  }

  #vectorIndex(model: VectorModel): VectorIndex {
    if (this.#vectors?.model.name !== model.name || this.#vectors.model.dims !== model.dims) {
      this.#vectors = { model, index: new VectorIndex(this.#source, this.#segments, model) };
    }
    return this.#vectors.index;
  }

  #slot(segment: number, document: number): number | null {
    const slot = this.#segments[segment]?.places[document * 2 + 1] as number;
    return slot === TITLE_SLOT ? null : slot;
  }

  #dropped(dropped: Fused["dropped"]): DroppedHit[] {
    return dropped
      .map(({ segment, document, cosine }) => ({
        no: this.#segments[segment]?.places[document * 2] as number,
        index: this.#slot(segment, document),
        cosine,
        reason: `has none of the words, and its similarity is below ${MIN_COSINE_WITHOUT_WORDS}`,
      }))
      .sort((a, b) => b.cosine - a.cosine || this.#tie(a.no, b.no) || (a.index ?? -1) - (b.index ?? -1))
      .slice(0, MAX_DROPPED_SHOWN);
  }

  #refresh(): void {
    const version = this.#source.version();
    if (version === this.#version) return;
    const segments = this.#source.segments();
    this.#owners = this.#catalogue.owners();
    this.#largestNo = 0;
    for (const no of this.#owners.keys()) this.#largestNo = Math.max(this.#largestNo, no);
    this.#segments = this.#catalogue.partial ? segments.map((segment) => onlyOf(segment, this.#owners)) : segments;
    this.#bm25 = new Bm25(this.#source, this.#segments);
    this.#vectors = undefined;
    this.#version = version;
  }

  /** The later owner first, then by id. */
  readonly #tie = (a: number, b: number): number => {
    const x = this.#owners.get(a);
    const y = this.#owners.get(b);
    if (!x || !y) return 0;
    return y.updated - x.updated || (x.id < y.id ? -1 : x.id > y.id ? 1 : 0);
  };
}
