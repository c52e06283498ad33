/**
 * Full-text search over the segments: BM25 with weighted fields, all matching messages scored, no sampling. A
 * conversation is ranked by its three best messages: one lucky message says less than three good ones.
 */
import type { StatementSync } from "node:sqlite";
import { editDistance } from "../../kernel/text.ts";
import type { ConversationFilter, MessageHit, TermQuery, TermShare, TextHit } from "../ports.ts";
import { findTerm, readBlock, type TermEntry } from "../terms/blocks.ts";
import { LENGTHS } from "../terms/builder.ts";
import { readPostings, WEIGHT_UNIT } from "../terms/postings.ts";
import { roleNumber, whereConversation } from "./rows.ts";
import { TITLE_SLOT } from "./schema.ts";
import { isDead, loadSegments, type Segment } from "./segments.ts";

const K1 = 0.9;
const B = 0.85;
const BEST_MESSAGES = [1, 0.5, 0.3] as const;

/** Edits within which a term counts as near, and how many near ones are given. */
const NEAR = 2;
const MOST_NEAR = 5;

type Prepare = (sql: string) => StatementSync;
type Accept = (no: number, index: number) => boolean;

/** What every search needs of the whole index; loaded again when another process has written. */
export class TextIndex {
  readonly #prepare: Prepare;
  #version = -1;
  #segments: Segment[] = [];
  #alive = 0;
  #averageLength = 1;
  #conversations = new Map<number, { updated: number; id: string }>();
  #largestNo = 0;

  constructor(prepare: Prepare) {
    this.#prepare = prepare;
  }

  search(
    query: TermQuery,
    filter: ConversationFilter,
    limit: number,
    offset: number,
    accept?: Accept,
  ): { hits: TextHit[]; total: number } {
    this.#refresh();
    const scores = this.#score(query.terms);
    const found = this.#group(scores, this.#allowed(filter), this.#barred(query), accept);
    return { hits: this.#best(found, limit, offset), total: found.numbers.length };
  }

  searchMessages(query: TermQuery, filter: ConversationFilter, limit: number): MessageHit[] {
    this.#refresh();
    const scores = this.#score(query.terms);
    const barred = this.#barred(query);
    const allowed = this.#allowed(filter);
    const hits: MessageHit[] = [];
    for (const [i, { documents, places }] of this.#segments.entries()) {
      for (let document = 0; document < documents; document += 1) {
        const score = scores[i]?.[document] ?? 0;
        const no = places[document * 2] as number;
        const index = places[document * 2 + 1] as number;
        if (score === 0 || index === TITLE_SLOT || allowed[no] !== 1 || barred?.[i]?.[document] === 1) continue;
        hits.push({ no, index, score });
      }
    }
    hits.sort((a, b) => b.score - a.score || this.#tie(a.no, b.no) || a.index - b.index);
    return hits.slice(0, limit);
  }

  #refresh(): void {
    const version = Number(this.#prepare("PRAGMA data_version").get()?.data_version);
    if (version === this.#version) return;
    this.#version = version;
    this.#segments = loadSegments(this.#prepare);
    this.#conversations = new Map(
      this.#prepare("SELECT no, updated, id FROM conversations")
        .all()
        .map((row) => [Number(row.no), { updated: Number(row.updated), id: String(row.id) }]),
    );
    this.#largestNo = 0;
    for (const no of this.#conversations.keys()) this.#largestNo = Math.max(this.#largestNo, no);
    let alive = 0;
    let length = 0;
    for (const segment of this.#segments) {
      for (let document = 0; document < segment.documents; document += 1) {
        if (isDead(segment, document)) continue;
        alive += 1;
        length += LENGTHS[segment.lengths[document] as number] as number;
      }
    }
    this.#alive = alive;
    this.#averageLength = alive === 0 ? 1 : Math.max(1, length / alive);
  }

  /** A score for each document of each segment. */
  #score(terms: readonly string[]): Float64Array[] {
    const scores = this.#segments.map((segment) => new Float64Array(segment.documents));
    const norms = this.#norms();
    for (const term of terms) {
      const lists = this.#segments.map((segment) => this.#postings(segment, term));
      const documents = lists.reduce((sum, list) => sum + list.count, 0);
      if (documents === 0) continue;
      const rarity = this.#rarity(documents);
      for (const [i, list] of lists.entries()) {
        const target = scores[i] as Float64Array;
        const { lengths } = this.#segments[i] as Segment;
        for (let at = 0; at < list.count; at += 1) {
          const document = list.documents[at] as number;
          const weight = (list.weights[at] as number) / WEIGHT_UNIT;
          const norm = norms[lengths[document] as number] as number;
          target[document] = (target[document] as number) + (rarity * weight * (K1 + 1)) / (weight + norm);
        }
      }
    }
    return scores;
  }

  #rarity(documents: number): number {
    return Math.log(1 + (this.#alive - documents + 0.5) / (documents + 0.5));
  }

  #norms(): Float64Array {
    return LENGTHS.map((length) => K1 * (1 - B + (B * length) / this.#averageLength));
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
    readPostings(data, entry.start, entry.end, (document, weight) => {
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

  /** A byte for each conversation that passes the filter. */
  #allowed(filter: ConversationFilter): Uint8Array {
    const allowed = new Uint8Array(this.#largestNo + 1);
    const where = whereConversation(filter);
    if (where.values.length === 0) {
      for (const no of this.#conversations.keys()) allowed[no] = 1;
      return allowed;
    }
    for (const row of this.#prepare(`SELECT no FROM conversations c WHERE ${where.sql}`).all(...where.values)) {
      allowed[Number(row.no)] = 1;
    }
    return allowed;
  }

  #group(
    scores: Float64Array[],
    allowed: Uint8Array,
    barred: Uint8Array[] | undefined,
    accept: Accept | undefined,
  ): Found {
    const size = this.#largestNo + 1;
    const found: Found = {
      numbers: [],
      best: [new Float64Array(size), new Float64Array(size), new Float64Array(size)],
      slots: new Int32Array(size).fill(-1),
      slotScores: new Float64Array(size),
    };
    const [first, second, third] = found.best;
    for (const [i, segment] of this.#segments.entries()) {
      const segmentScores = scores[i] as Float64Array;
      for (let document = 0; document < segment.documents; document += 1) {
        const score = segmentScores[document] as number;
        if (score === 0) continue;
        const no = segment.places[document * 2] as number;
        const slot = segment.places[document * 2 + 1] as number;
        if (allowed[no] !== 1 || (barred && barred[i]?.[document] === 1)) continue;
        if (accept && (slot === TITLE_SLOT || !accept(no, slot))) continue;
        if (first[no] === 0) found.numbers.push(no);
        if (slot !== TITLE_SLOT) keepSlot(found, no, slot, score);
        if (score > (first[no] as number)) {
          third[no] = second[no] as number;
          second[no] = first[no] as number;
          first[no] = score;
        } else if (score > (second[no] as number)) {
          third[no] = second[no] as number;
          second[no] = score;
        } else if (score > (third[no] as number)) {
          third[no] = score;
        }
      }
    }
    return found;
  }

  #best(found: Found, limit: number, offset: number): TextHit[] {
    const parts = (no: number): number[] =>
      found.best.map((list, i) => (BEST_MESSAGES[i] as number) * (list[no] as number));
    const ranked = found.numbers.map((no) => ({ no, score: parts(no).reduce((sum, part) => sum + part, 0) }));
    ranked.sort((a, b) => b.score - a.score || this.#tie(a.no, b.no));
    return ranked.slice(offset, offset + limit).map((hit) => {
      const slot = found.slots[hit.no] as number;
      return { ...hit, index: slot < 0 ? null : slot, parts: parts(hit.no).filter((part) => part > 0) };
    });
  }

  /** The later first, then by id. */
  #tie(a: number, b: number): number {
    const x = this.#conversations.get(a);
    const y = this.#conversations.get(b);
    if (!x || !y) return 0;
    return y.updated - x.updated || (x.id < y.id ? -1 : x.id > y.id ? 1 : 0);
  }
}

/** A message that has the term. */
function firstPlace(segment: Segment, data: Uint8Array, entry: TermEntry): { no: number; index: number } | undefined {
  let place: { no: number; index: number } | undefined;
  readPostings(data, entry.start, entry.end, (document) => {
    const index = segment.places[document * 2 + 1] as number;
    if (!place && index !== TITLE_SLOT && !isDead(segment, document)) {
      place = { no: segment.places[document * 2] as number, index };
    }
  });
  return place;
}

interface PostingList {
  documents: Uint32Array;
  weights: Uint8Array;
  count: number;
}

const NOTHING: PostingList = { documents: new Uint32Array(), weights: new Uint8Array(), count: 0 };

interface Found {
  /** Conversations with a match. */
  numbers: number[];
  /** The three best scores of each. */
  best: [Float64Array, Float64Array, Float64Array];
  /** The best message of each, and its score. */
  slots: Int32Array;
  slotScores: Float64Array;
}

/** Of messages that score the same the first is kept, whatever the order of segments. */
function keepSlot(found: Found, no: number, slot: number, score: number): void {
  const before = found.slotScores[no] as number;
  if (score < before || (score === before && (found.slots[no] as number) <= slot && found.slots[no] !== -1)) return;
  found.slots[no] = slot;
  found.slotScores[no] = score;
}
