/**
 * Full-text search over the segments: BM25 with weighted fields, all matching messages scored, no sampling. A
 * conversation is ranked by its three best messages: one lucky message says less than three good ones.
 */
import type { StatementSync } from "node:sqlite";
import type { ConversationFilter, TermQuery, TextHit } from "../ports.ts";
import { readBlock } from "../terms/blocks.ts";
import { LENGTHS } from "../terms/builder.ts";
import { readPostings, WEIGHT_UNIT } from "../terms/postings.ts";
import { roleNumber, whereConversation } from "./rows.ts";
import { TITLE_SLOT } from "./schema.ts";
import { isDead, loadSegments, type Segment } from "./segments.ts";

const K1 = 1.2;
const B = 0.6;
const BEST_MESSAGES = [1, 0.5, 0.3] as const;

type Prepare = (sql: string) => StatementSync;

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
  ): { hits: TextHit[]; total: number } {
    this.#refresh();
    const scores = this.#score(query.terms);
    const marked = query.mark === undefined ? undefined : this.#having(query.mark);
    const found = this.#group(scores, this.#allowed(filter), marked, query.role);
    return { hits: this.#best(found, limit, offset), total: found.numbers.length };
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
    this.#largestNo = Math.max(0, ...this.#conversations.keys());
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
    const norms = LENGTHS.map((length) => K1 * (1 - B + (B * length) / this.#averageLength));
    for (const term of terms) {
      const lists = this.#segments.map((segment) => this.#postings(segment, term));
      const documents = lists.reduce((sum, list) => sum + list.count, 0);
      if (documents === 0) continue;
      const rarity = Math.log(1 + (this.#alive - documents + 0.5) / (documents + 0.5));
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

  /** The living documents that have the term. */
  #postings(segment: Segment, term: string): PostingList {
    const row = this.#prepare(
      "SELECT data FROM term_blocks WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1",
    ).get(segment.id, term);
    const data = row?.data;
    if (!(data instanceof Uint8Array)) return NOTHING;
    const entry = readBlock(data).find((each) => each.term === term);
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

  #having(mark: string): Uint8Array[] {
    return this.#segments.map((segment) => {
      const has = new Uint8Array(segment.documents);
      const list = this.#postings(segment, mark);
      for (let at = 0; at < list.count; at += 1) has[list.documents[at] as number] = 1;
      return has;
    });
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
    marked: Uint8Array[] | undefined,
    role: TermQuery["role"],
  ): Found {
    const size = this.#largestNo + 1;
    const found: Found = {
      numbers: [],
      best: [new Float64Array(size), new Float64Array(size), new Float64Array(size)],
      slots: new Int32Array(size).fill(-1),
      slotScores: new Float64Array(size),
    };
    const [first, second, third] = found.best;
    const wanted = role === undefined ? undefined : roleNumber(role);
    for (const [i, segment] of this.#segments.entries()) {
      const segmentScores = scores[i] as Float64Array;
      for (let document = 0; document < segment.documents; document += 1) {
        const score = segmentScores[document] as number;
        if (score === 0) continue;
        const no = segment.places[document * 2] as number;
        const slot = segment.places[document * 2 + 1] as number;
        if (allowed[no] !== 1 || (marked && marked[i]?.[document] !== 1)) continue;
        if (wanted !== undefined && (segment.roles[document] !== wanted || slot === TITLE_SLOT)) continue;
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
    const score = (no: number): number =>
      found.best.reduce((sum, list, i) => sum + (BEST_MESSAGES[i] as number) * (list[no] as number), 0);
    const ranked = found.numbers.map((no) => ({ no, score: score(no) }));
    ranked.sort((a, b) => b.score - a.score || this.#tie(a.no, b.no));
    return ranked.slice(offset, offset + limit).map((hit) => {
      const slot = found.slots[hit.no] as number;
      return { ...hit, index: slot < 0 ? null : slot };
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
