/** Full-text search over the segments: BM25 with weighted fields, all matching messages scored, no sampling. */
import type { StatementSync } from "node:sqlite";
import { editDistance } from "../kernel/text.ts";
import type { DroppedHit, MessageHit, TermQuery, TermShare, TextHits, VectorModel } from "../store/ports.ts";
import type { Catalogue } from "../store/sqlite/index/catalogue.ts";
import { roleNumber } from "../store/sqlite/index/rows.ts";
import { TITLE_SLOT } from "../store/sqlite/index/schema.ts";
import { isDead, loadSegments, onlyOf, type Segment } from "../store/sqlite/texts/segments.ts";
import { bestScores } from "./best_scores.ts";
import { ALONE, type Fused, fuse } from "./fusion.ts";
import { type Accept, rankConversations } from "./grouping.ts";
import { mostWords } from "./most_words.ts";
import { type OwnerWords, ownerWords } from "./owner_words.ts";
import { ScoreKeeper } from "./scored.ts";
import { findTerm, readBlock, type TermEntry } from "./terms/blocks.ts";
import { LENGTHS } from "./terms/builder.ts";
import { readPostings, WEIGHT_UNIT } from "./terms/postings.ts";
import { type Cosines, type Passes, VectorIndex } from "./vector_index.ts";

const K1 = 0.9;
const B = 0.85;

/** Edits within which a term counts as near, and how many near ones are given. */
const NEAR = 2;
const MOST_NEAR = 5;
/** Messages that were near and not shown, as an explanation names them. */
const MOST_DROPPED = 10;
/** So few texts are most of them by chance. */
const FEW_TEXTS = 20;

type Prepare = (sql: string) => StatementSync;

/** What every search needs of the whole index; loaded again when another process has written. */
export class TextIndex<Filter> {
  readonly #prepare: Prepare;
  readonly #catalogue: Catalogue<Filter>;
  #version = -1;
  #segments: Segment[] = [];
  #alive = 0;
  #averageLength = 1;
  #owners = new Map<number, { updated: number; id: string }>();
  #largestNo = 0;
  /** Nothing of a search outlives it but what it returns: the next one counts in the same memory. */
  #keepers: ScoreKeeper[] | undefined;
  #vectors: { model: VectorModel; index: VectorIndex } | undefined;

  constructor(prepare: Prepare, catalogue: Catalogue<Filter>) {
    this.#prepare = prepare;
    this.#catalogue = catalogue;
  }

  search(query: TermQuery, filter: Filter, limit: number, offset: number, accept?: Accept): TextHits {
    this.#refresh();
    const { scores, words, cosines, dropped } = this.#rank(query, filter);
    const boosts = this.#catalogue.boosts(query);
    const tie = (a: number, b: number): number => this.#tie(a, b);
    const page = { limit, offset };
    const found = rankConversations(this.#segments, scores, accept, this.#largestNo, boosts, tie, page);
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

  /** Single texts with a match, best first, and how many there are; titles are none. */
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

  /** Owners with any of the words, the best first. A word that most texts have tells nothing of any, and is none. */
  searchOwners(terms: readonly string[], limit: number): OwnerWords[] {
    this.#refresh();
    const lists = new Map<string, PostingList[]>();
    let most = 0;
    for (const term of terms) {
      const list = this.#lists(term);
      const texts = list.reduce((sum, { count }) => sum + count, 0);
      const telling = texts > 0 && texts <= Math.max(FEW_TEXTS, this.#alive / 2);
      lists.set(term, telling ? list : []);
      if (telling) most += this.#rarity(texts) * (K1 + 1);
    }
    const unbarred = this.#segments.map(() => undefined);
    const scores = this.#score(terms, unbarred, (term) => lists.get(term) ?? []);
    const tie = (a: number, b: number): number => this.#tie(a, b);
    const owners = { count: this.#owners.size, largest: this.#largestNo, tie };
    return ownerWords(this.#segments, [...lists.values()], scores, most, owners, limit);
  }

  /** A score for each document: by its words, or fused with what the vectors say. */
  #rank(query: TermQuery, filter: Filter): RankedDocuments {
    const passes = this.#passes(query, filter);
    const scores = this.#score(query.terms, passes);
    const { vector } = query;
    if (!vector) return { scores, words: (segment, document) => scores[segment]?.values[document] ?? 0, dropped: [] };
    const index = this.#vectorIndex(vector.model);
    const cosines = index.nearest(vector, passes);
    for (const [segment, documents] of mostWords(scores).entries()) index.look(vector, segment, documents, cosines);
    return { ...fuse(scores, cosines, vector.share), scores, cosines };
  }

  /** Alive, of an owner that the filter lets pass, and not ruled out by the query's conditions. */
  #passes(query: TermQuery, filter: Filter): Passes {
    const allowed = this.#allowed(filter);
    const barred = this.#barred(query);
    return this.#segments.map((segment, i) => {
      const own = barred?.[i];
      if (!allowed && !own && !segment.dead) return undefined;
      return (document) =>
        (!allowed || allowed[segment.places[document * 2] as number] === 1) &&
        own?.[document] !== 1 &&
        !isDead(segment, document);
    });
  }

  #vectorIndex(model: VectorModel): VectorIndex {
    if (this.#vectors?.model.name !== model.name || this.#vectors.model.dims !== model.dims) {
      this.#vectors = { model, index: new VectorIndex(this.#prepare, this.#segments, model) };
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
        reason: `has none of the words, and its likeness is under ${ALONE}`,
      }))
      .sort((a, b) => b.cosine - a.cosine || this.#tie(a.no, b.no) || (a.index ?? -1) - (b.index ?? -1))
      .slice(0, MOST_DROPPED);
  }

  #refresh(): void {
    const version = Number(this.#prepare("PRAGMA data_version").get()?.data_version);
    if (version === this.#version) return;
    this.#version = version;
    this.#segments = loadSegments(this.#prepare);
    this.#vectors = undefined;
    this.#keepers = undefined;
    this.#owners = this.#catalogue.owners();
    this.#largestNo = 0;
    for (const no of this.#owners.keys()) this.#largestNo = Math.max(this.#largestNo, no);
    if (this.#catalogue.partial) this.#segments = this.#segments.map((segment) => onlyOf(segment, this.#owners));
    const alive = this.#segments.reduce((sum, { documents, gone }) => sum + documents - gone, 0);
    const length = this.#segments.reduce((sum, { words, goneWords }) => sum + words - goneWords, 0);
    this.#alive = alive;
    this.#averageLength = alive === 0 ? 1 : Math.max(1, length / 1000 / alive);
  }

  /** BM25 of the documents that have any of the terms and pass. */
  #score(
    terms: readonly string[],
    passes: Passes,
    listsOf = (term: string): PostingList[] => this.#lists(term),
  ): ScoreKeeper[] {
    this.#keepers ??= this.#segments.map((segment) => new ScoreKeeper(segment.documents));
    const keepers = this.#keepers;
    for (const keeper of keepers) keeper.reset();
    const norms = this.#norms();
    for (const term of terms) {
      const lists = listsOf(term);
      const documents = lists.reduce((sum, list) => sum + list.count, 0);
      if (documents === 0) continue;
      const rarity = this.#rarity(documents);
      for (const [i, list] of lists.entries()) {
        const keeper = keepers[i] as ScoreKeeper;
        const { lengths } = this.#segments[i] as Segment;
        const pass = passes[i];
        for (let at = 0; at < list.count; at += 1) {
          const document = list.documents[at] as number;
          if (pass && !pass(document)) continue;
          const weight = (list.weights[at] as number) / WEIGHT_UNIT;
          const norm = norms[lengths[document] as number] as number;
          keeper.add(document, (rarity * weight * (K1 + 1)) / (weight + norm));
        }
      }
    }
    return keepers;
  }

  #rarity(documents: number): number {
    return Math.log(1 + (this.#alive - documents + 0.5) / (documents + 0.5));
  }

  #norms(): Float64Array {
    return LENGTHS.map((length) => K1 * (1 - B + (B * length) / this.#averageLength));
  }

  #lists(term: string): PostingList[] {
    return this.#segments.map((segment) => this.#postings(segment, term));
  }

  /** The living documents that have the term. */
  #postings(segment: Segment, term: string): PostingList {
    const row = this.#prepare(
      "SELECT data FROM term_blocks WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1",
    ).get(segment.id, term);
    const data = row?.data;
    if (!(data instanceof Uint8Array)) return NOTHING;
    const entry = findTerm(data, term);
    if (!entry) return NOTHING;
    const documents = new Uint32Array(entry.documents);
    const weights = new Uint8Array(entry.documents);
    let count = 0;
    readPostings(data, entry.start, entry.end, segment.documents, (document, weight) => {
      if (segment.dead && isDead(segment, document)) return;
      documents[count] = document;
      weights[count] = weight;
      count += 1;
    });
    return { documents, weights, count };
  }

  /** A byte for each document that the query's conditions rule out; undefined when it has none. */
  #barred({ role, mark, required = [], excluded = [] }: TermQuery): Uint8Array[] | undefined {
    const needed = mark === undefined ? required : [mark, ...required];
    if (role === undefined && needed.length + excluded.length === 0) return undefined;
    const wanted = role === undefined ? undefined : roleNumber(role);
    return this.#segments.map((segment) => {
      const barred = new Uint8Array(segment.documents);
      if (wanted !== undefined) {
        for (let document = 0; document < segment.documents; document += 1) {
          const title = segment.places[document * 2 + 1] === TITLE_SLOT;
          if (title || segment.roles[document] !== wanted) barred[document] = 1;
        }
      }
      for (const term of needed) {
        const has = new Uint8Array(segment.documents);
        for (const document of this.#documentsWith(segment, term)) has[document] = 1;
        for (let document = 0; document < segment.documents; document += 1) {
          if (has[document] === 0) barred[document] = 1;
        }
      }
      for (const term of excluded) for (const document of this.#documentsWith(segment, term)) barred[document] = 1;
      return barred;
    });
  }

  #documentsWith(segment: Segment, term: string): Uint32Array {
    const list = this.#postings(segment, term);
    return list.documents.subarray(0, list.count);
  }

  explain(query: TermQuery, no: number, index: number): TermShare[] {
    this.#refresh();
    const shares: TermShare[] = [];
    for (const term of query.terms) {
      const messages = this.#segments.reduce((sum, segment) => sum + this.#postings(segment, term).count, 0);
      if (messages === 0) continue;
      const rarity = this.#rarity(messages);
      for (const segment of this.#segments) {
        const list = this.#postings(segment, term);
        for (let at = 0; at < list.count; at += 1) {
          const document = list.documents[at] as number;
          if (segment.places[document * 2] !== no || segment.places[document * 2 + 1] !== index) continue;
          const weight = (list.weights[at] as number) / WEIGHT_UNIT;
          const norm = this.#norms()[segment.lengths[document] as number] as number;
          shares.push({ term, messages, rarity, weight, share: (rarity * weight * (K1 + 1)) / (weight + norm) });
        }
      }
    }
    return shares.sort((a, b) => b.share - a.share);
  }

  /** Only terms with the same first character are looked at: that is where slips of the fingers leave it. */
  nearTerms(term: string): { term: string; no: number; index: number }[] {
    this.#refresh();
    const initial = String.fromCodePoint(term.codePointAt(0) ?? 0);
    const found = new Map<string, { term: string; documents: number; no: number; index: number; distance: number }>();
    for (const segment of this.#segments) {
      const blocks = this.#prepare(
        "SELECT data FROM term_blocks WHERE segment = ?1 AND first < ?2 AND first >= coalesce((SELECT max(first) FROM " +
          "term_blocks WHERE segment = ?1 AND first <= ?3), '') ORDER BY first",
      ).all(segment.id, `${initial}\u{10ffff}`, initial);
      for (const { data } of blocks) {
        if (!(data instanceof Uint8Array)) continue;
        for (const entry of readBlock(data)) {
          if (!entry.term.startsWith(initial)) continue;
          const distance = editDistance(term, entry.term, NEAR + 1);
          if (distance > NEAR || distance === 0) continue;
          const before = found.get(entry.term);
          const documents = (before?.documents ?? 0) + entry.documents;
          const place = before ?? firstPlace(segment, data, entry);
          if (place) found.set(entry.term, { ...place, term: entry.term, documents, distance });
        }
      }
    }
    return [...found.values()]
      .sort((a, b) => a.distance - b.distance || b.documents - a.documents || (a.term < b.term ? -1 : 1))
      .slice(0, MOST_NEAR);
  }

  /** A byte for each owner that passes the filter; undefined when all do. */
  #allowed(filter: Filter): Uint8Array | undefined {
    const passing = this.#catalogue.passing(filter);
    if (!passing) return undefined;
    const allowed = new Uint8Array(this.#largestNo + 1);
    for (const no of passing) allowed[no] = 1;
    return allowed;
  }

  /** The later first, then by id. */
  #tie(a: number, b: number): number {
    const x = this.#owners.get(a);
    const y = this.#owners.get(b);
    if (!x || !y) return 0;
    return y.updated - x.updated || (x.id < y.id ? -1 : x.id > y.id ? 1 : 0);
  }
}

/** A message that has the term. */
function firstPlace(segment: Segment, data: Uint8Array, entry: TermEntry): { no: number; index: number } | undefined {
  let place: { no: number; index: number } | undefined;
  readPostings(data, entry.start, entry.end, segment.documents, (document) => {
    const index = segment.places[document * 2 + 1] as number;
    if (!place && index !== TITLE_SLOT && !isDead(segment, document)) {
      place = { no: segment.places[document * 2] as number, index };
    }
  });
  return place;
}

export interface SlotHit extends MessageHit {
  words: number;
  cosine: number | null;
}

export interface SlotHits {
  hits: SlotHit[];
  total: number;
  dropped: DroppedHit[];
}

interface PostingList {
  documents: Uint32Array;
  weights: Uint8Array;
  count: number;
}

const NOTHING: PostingList = { documents: new Uint32Array(), weights: new Uint8Array(), count: 0 };

interface RankedDocuments extends Fused {
  scores: ScoreKeeper[];
  cosines?: Cosines;
}
