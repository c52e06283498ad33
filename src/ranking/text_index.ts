/** Searches an index of texts: by words, by vectors, or by both. */
import type { Role } from "../conversations/model.ts";
import { Bm25, textsIn } from "./bm25.ts";
import { type Barred, barredBy, FilteredTexts } from "./conditions.ts";
import { type CountedTexts, countAllowed, rolesOf } from "./counts.ts";
import type { DroppedHit, MessageHit, SlotHits, TermCounts, TermShare, TextHit, TextHits } from "./hits.ts";
import { Holders, heldTexts } from "./holders.ts";
import type { Catalogue, Owner, SegmentSource } from "./ports.ts";
import type { TermQuery, VectorModel } from "./query.ts";
import { bestScores } from "./scores/best_scores.ts";
import { type Compared, compare, scoreDocuments, scoreOwners } from "./scores/document_scores.ts";
import { type EvidenceSource, MAX_COMPARED } from "./scores/evidence.ts";
import type { Fused } from "./scores/fusion.ts";
import { type Accept, type AcceptSlot, rankConversations, rankedFirst } from "./scores/grouping.ts";
import { LastScores, type ScoredOwners } from "./scores/last_scores.ts";
import { type OwnerWords, ownerWords } from "./scores/owner_words.ts";
import type { ScoreKeeper } from "./scores/score_keeper.ts";
import { weighTexts } from "./scores/text_evidence.ts";
import { WordComparison } from "./scores/words_together.ts";
import { onlyOf, type Segment, TITLE_SLOT } from "./segment.ts";
import { findNearTerms, type NearTerm } from "./spelling.ts";
import type { PostingList } from "./terms/posting_list.ts";
import { VectorIndex } from "./vector_index.ts";

/** How many dropped messages an explanation names. */
const MAX_DROPPED_SHOWN = 10;
/**
 * A word in more than half of the texts carries no information, unless there are fewer texts than this: among few, half
 * may be chance.
 */
const MIN_TEXTS_OF_COMMON_WORD = 20;

type ScoredSlot = Pick<MessageHit, "no" | "index" | "score">;

interface RankedOwners extends Pick<Fused, "dropped"> {
  hits: TextHit[];
  /** All owners with a match. */
  numbers: readonly number[];
}

/** Caches the tables that every search needs; they are reloaded when the index has changed. */
export class TextIndex<Filter> {
  readonly #source: SegmentSource;
  readonly #catalogue: Catalogue<Filter>;
  #version = -1;
  #segments: Segment[] = [];
  #bm25: Bm25;
  #extent = { count: 0, largest: 0 };
  readonly #owners = new Map<number, Owner | undefined>();
  /** By model. */
  readonly #vectors = new Map<string, VectorIndex>();
  /** The query whose scores are in memory. */
  readonly #last: LastScores;
  readonly #filtered: FilteredTexts<Filter>;

  constructor(source: SegmentSource, catalogue: Catalogue<Filter>) {
    this.#source = source;
    this.#last = new LastScores(source);
    this.#catalogue = catalogue;
    this.#filtered = new FilteredTexts(source, catalogue);
    this.#bm25 = new Bm25(source, [], 0);
  }

  /** Owners with a match, best first, and how many there are. */
  search(query: TermQuery, filter: Filter, limit: number, offset: number, accept?: Accept): TextHits {
    const { hits, numbers, dropped } = this.#ranked(query, filter, { limit, offset }, accept);
    const vectors = [query.vector, query.second].reduce(
      (sum, each) => sum + (each ? this.#vectorIndex(each.model).windows : 0),
      0,
    );
    const all = this.#withAll(query, filter, numbers);
    const matching = all.length > 0 ? all : numbers;
    const total = numbers.length;
    return { hits, total, matching, hasAll: all.length > 0, vectors, dropped: this.#dropped(dropped) };
  }

  /** The same hits without the counts, which hooks do not need. */
  best(query: TermQuery, filter: Filter, limit: number): TextHit[] {
    return this.#ranked(query, filter, { limit, offset: 0 }).hits;
  }

  #ranked(query: TermQuery, filter: Filter, page: { limit: number; offset: number }, accept?: Accept): RankedOwners {
    this.#refresh();
    const { words, cosines, dropped, meaning } = this.#scoreOwners(query, filter);
    const boosts = this.#catalogue.boosts(query);
    const tiers = query.pathsFirst ? new Map([...boosts.keys()].map((no) => [no, 1])) : new Map<number, number>();
    for (const [no, tier] of query.tiers ?? []) tiers.set(no, Math.max(tier, tiers.get(no) ?? 0));
    const source = this.#evidenceFor(query);
    // With tiers, or with a second vector for whole conversations, any conversation may rank first.
    const exact = tiers.size > 0 || meaning ? Number.POSITIVE_INFINITY : rankedFirst(page);
    const grouped = this.#bm25.group(accept && { accept, boosts, exact });
    const found = rankConversations(grouped, this.#segments, boosts, source, this.#tie, page, {
      tiers,
      meaning,
    });
    const hits = found.ranked.map((hit) => ({
      ...hit,
      parts: hit.parts.map(({ segment, document, weighted }) => ({
        index: this.#slot(segment, document),
        weighted,
        words: words(segment, document),
        cosine: cosines[segment]?.get(document) ?? null,
      })),
    }));
    return { hits, numbers: found.numbers, dropped };
  }

  /** The texts that have all of the terms and meet the query's other conditions; `more` terms only raise their scores. */
  holders(terms: readonly string[], query: TermQuery, filter: Filter, more?: readonly string[]): Holders {
    this.#refresh();
    const { role, mark, excluded } = query;
    const found = this.#bm25.scoreAll(terms, this.#barred({ terms, role, mark, excluded }, filter), more);
    return new Holders(heldTexts(this.#segments, found), this.#bm25.leastOfBest, this.#tie);
  }

  /** For each role, the number of these owners that have any of the words in a text of the role. */
  countRoles(query: TermQuery, filter: Filter, owners: readonly number[], accept?: Accept): Map<Role, number> {
    this.#refresh();
    return rolesOf(this.#counted(query, filter), query.terms, owners, accept);
  }

  /** The found owners that have every word, each in any of their texts that meet the query's conditions. */
  #withAll(query: TermQuery, filter: Filter, found: readonly number[]): number[] {
    const { whole = query.terms, role, mark, excluded } = query;
    if (whole.length === 0) return [];
    return this.#bm25.withAll(whole, this.#barred({ terms: whole, role, mark, excluded }, filter), found);
  }

  #counted(query: TermQuery, filter: Filter): CountedTexts {
    const { largest } = this.#extent;
    const lists = (term: string): PostingList[] => this.#bm25.lists(term);
    return { segments: this.#segments, lists, barred: this.#barred(query, filter), largest };
  }

  #barred(query: TermQuery, filter: Filter): Barred {
    const filtered = this.#filtered.barred(this.#segments, filter, query.role, this.#extent.largest);
    return barredBy(this.#segments, (term) => this.#bm25.lists(term), query, filtered);
  }

  searchMessages(query: TermQuery, filter: Filter, limit: number): MessageHit[] {
    return this.searchSlots(query, filter, limit).hits;
  }

  /** Single texts with a match, best first, and how many there are; titles are left out. */
  searchSlots(query: TermQuery, filter: Filter, limit: number, accept?: AcceptSlot): SlotHits {
    this.#refresh();
    const { scores, words, cosines, dropped } = scoreDocuments(this.#compare(query, filter));
    const hits: (Omit<MessageHit, "evidence"> & { segment: number; document: number })[] = [];
    const taken = (segment: number, document: number): boolean => {
      const { places } = this.#segments[segment] as Segment;
      const index = places[document * 2 + 1] as number;
      return index !== TITLE_SLOT && accept?.(places[document * 2] as number, index) !== false;
    };
    const { total, least } = bestScores(scores, Math.max(limit, MAX_COMPARED), taken);
    for (const [segment, { places }] of this.#segments.entries()) {
      const { values, documents } = scores[segment] as ScoreKeeper;
      for (const document of documents) {
        const score = values[document] as number;
        if (score < least || !taken(segment, document)) continue;
        const [no, index] = [places[document * 2] as number, places[document * 2 + 1] as number];
        hits.push({ no, index, score, segment, document });
      }
    }
    const order = (a: ScoredSlot, b: ScoredSlot): number =>
      b.score - a.score || this.#tie(a.no, b.no) || a.index - b.index;
    const weighed = weighTexts(hits.sort(order), this.#evidenceFor(query)).sort(order);
    const best = weighed.slice(0, limit).map(({ segment, document, ...hit }) => ({
      ...hit,
      words: words(segment, document),
      cosine: cosines[segment]?.get(document) ?? null,
    }));
    return { hits: best, total, dropped: this.#dropped(dropped) };
  }

  /** Owners with any of the words, best first. A word that most texts have is ignored. */
  searchOwners(terms: readonly string[], limit: number): OwnerWords[] {
    this.#refresh();
    this.#last.forget();
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
    const owners = { ...this.#extent, tie: this.#tie };
    return ownerWords(this.#segments, [...lists.values()], scores, maxScore, owners, limit);
  }

  explain(query: TermQuery, no: number, index: number): TermShare[] {
    this.#refresh();
    return this.#bm25.explain(query.terms, no, index);
  }

  /** Counts in all texts, or in those of the owners that pass the filter. */
  countTerms(terms: readonly string[], filter?: Filter): TermCounts {
    this.#refresh();
    const allowed = filter === undefined ? undefined : this.#filtered.allowed(filter, this.#extent.largest);
    if (!allowed) {
      const having = new Map(terms.map((term) => [term, textsIn(this.#bm25.lists(term))]));
      return { texts: this.#bm25.texts, having };
    }
    return countAllowed(this.#segments, (term) => this.#bm25.lists(term), terms, allowed);
  }

  nearTerms(term: string): NearTerm[] {
    this.#refresh();
    return findNearTerms(this.#source, this.#segments, term, this.#tie);
  }

  #scoreOwners(query: TermQuery, filter: Filter): ScoredOwners {
    return this.#last.of(query, filter, () =>
      scoreOwners(this.#compare(query, filter), this.#segments, query.second?.conversationWeight ?? 0),
    );
  }

  #compare(query: TermQuery, filter: Filter): Compared {
    this.#last.forget();
    return compare(query, this.#barred(query, filter), this.#bm25, (model) => this.#vectorIndex(model));
  }

  #evidenceFor({ written = [], vector, second, caller }: TermQuery): EvidenceSource {
    const asked = written.map((word) => ({ ...word, rarity: this.#bm25.rarityOf(word.term) }));
    return {
      // A search by meaning alone ignores words.
      words: asked.length === 0 || (second ?? vector)?.share === 1 ? undefined : new WordComparison(asked),
      order: (no, slot) => this.#catalogue.order?.(no, slot),
      project: (no) => this.#ownerOf(no)?.project,
      caller,
    };
  }

  #vectorIndex(model: VectorModel): VectorIndex {
    const key = `${model.name} ${model.dims}`;
    let index = this.#vectors.get(key);
    if (!index) {
      index = new VectorIndex(this.#source, this.#segments, model);
      this.#vectors.set(key, index);
    }
    return index;
  }

  #slot(segment: number, document: number): number | null {
    const slot = this.#segments[segment]?.places[document * 2 + 1] as number;
    return slot === TITLE_SLOT ? null : slot;
  }

  #dropped(dropped: Fused["dropped"]): DroppedHit[] {
    return dropped
      .map(({ segment, document, cosine, needed }) => ({
        no: this.#segments[segment]?.places[document * 2] as number,
        index: this.#slot(segment, document),
        cosine,
        reason: `has none of the words, and its similarity is below ${needed}`,
      }))
      .sort((a, b) => b.cosine - a.cosine || this.#tie(a.no, b.no) || (a.index ?? -1) - (b.index ?? -1))
      .slice(0, MAX_DROPPED_SHOWN);
  }

  #refresh(): void {
    const version = this.#source.version();
    if (version === this.#version) return;
    const segments = this.#source.segments();
    this.#extent = this.#catalogue.extent();
    this.#owners.clear();
    const only = this.#catalogue.only?.();
    this.#segments = only ? segments.map((segment) => onlyOf(segment, only)) : segments;
    this.#bm25 = new Bm25(this.#source, this.#segments, this.#extent.largest);
    this.#vectors.clear();
    this.#last.forget();
    this.#filtered.forget();
    this.#version = version;
  }

  #ownerOf(no: number): Owner | undefined {
    if (!this.#owners.has(no)) this.#owners.set(no, this.#catalogue.ownerOf(no));
    return this.#owners.get(no);
  }

  /** The most recent owner first, then by id. */
  readonly #tie = (a: number, b: number): number => {
    const x = this.#ownerOf(a);
    const y = this.#ownerOf(b);
    if (!x || !y) return 0;
    return y.updated - x.updated || (x.id < y.id ? -1 : x.id > y.id ? 1 : 0);
  };
}
