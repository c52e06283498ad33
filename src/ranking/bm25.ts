/** BM25 over the segments: every text that has a term of the question is scored, none is sampled. */
import type { Barred } from "./conditions.ts";
import type { TermShare } from "./hits.ts";
import type { SegmentSource } from "./ports.ts";
import type { Wanted } from "./scores/accepted.ts";
import type { Grouped } from "./scores/grouping.ts";
import type { ScoreKeeper } from "./scores/score_keeper.ts";
import { type BestByWords, TermScores } from "./scores/term_scores.ts";
import type { Segment } from "./segment.ts";
import { LENGTHS } from "./terms/builder.ts";
import { type PostingList, postingList } from "./terms/posting_list.ts";
import { WEIGHT_UNIT } from "./terms/postings.ts";

const K1 = 0.9;
const B = 0.85;
/** Postings kept decoded between searches: about 10 MB. */
const MAX_KEPT_POSTINGS = 1 << 21;
/** A term that no text has takes memory, too: as much as so many postings. */
const POSTINGS_PER_TERM = 64;

export class Bm25 {
  readonly #source: SegmentSource;
  readonly #segments: readonly Segment[];
  readonly #largestOwner: number;
  /** By length byte: how much the length of a text weakens its terms. */
  readonly #norms: Float64Array;
  /** Made by the first search. */
  #scores: TermScores | undefined;
  /** Lists of recent terms, the least recently used first. */
  readonly #kept = new Map<string, { lists: PostingList[]; cost: number }>();
  #keptPostings = 0;
  /** How many texts there are; the deleted ones do not count. */
  readonly texts: number;

  constructor(source: SegmentSource, segments: readonly Segment[], largestOwner: number) {
    this.#source = source;
    this.#largestOwner = largestOwner;
    this.#segments = segments;
    this.texts = segments.reduce((sum, { documents, gone }) => sum + documents - gone, 0);
    const words = segments.reduce((sum, segment) => sum + segment.words - segment.goneWords, 0);
    const averageLength = this.texts === 0 ? 1 : Math.max(1, words / 1000 / this.texts);
    this.#norms = LENGTHS.map((length) => K1 * (1 - B + (B * length) / averageLength));
  }

  /** The texts that have the term, by segment. */
  lists(term: string): PostingList[] {
    const kept = this.#kept.get(term);
    if (kept) {
      this.#kept.delete(term);
      this.#kept.set(term, kept);
      return kept.lists;
    }
    const missed = this.#source.missed?.();
    const lists = this.#segments.map((segment) => postingList(this.#source, segment, term));
    const texts = textsIn(lists);
    if (texts > MAX_KEPT_POSTINGS / 4 || this.#source.missed?.() !== missed) return lists;
    const cost = texts + POSTINGS_PER_TERM;
    this.#kept.set(term, { lists, cost });
    this.#keptPostings += cost;
    for (const [oldest, each] of this.#kept) {
      if (this.#keptPostings <= MAX_KEPT_POSTINGS) break;
      this.#kept.delete(oldest);
      this.#keptPostings -= each.cost;
    }
    return lists;
  }

  /** The texts that have all of the terms and are not barred, with their scores, by segment. */
  scoreAll(terms: readonly string[], barred: Barred): ScoredTexts[] {
    const [rarest, ...others] = terms
      .map((term) => ({ lists: this.lists(term), texts: textsIn(this.lists(term)) }))
      .sort((a, b) => a.texts - b.texts);
    return this.#segments.map(({ lengths }, segment) => {
      const found = allOf(rarest?.lists[segment], barred[segment]);
      if (rarest) this.#keepWith(found, rarest.lists[segment] as PostingList, this.#rarity(rarest.texts), lengths);
      for (const { lists, texts } of others) {
        if (found.count === 0) break;
        this.#keepWith(found, lists[segment] as PostingList, this.#rarity(texts), lengths);
      }
      return found;
    });
  }

  /** Of the texts found so far, keeps those of the list, and adds the share of its term to their scores. */
  #keepWith(found: ScoredTexts, list: PostingList, rarity: number, lengths: Uint8Array): void {
    const { documents, scores } = found;
    let kept = 0;
    let at = 0;
    for (let i = 0; i < found.count; i += 1) {
      const document = documents[i] as number;
      at = seek(list, at, document);
      if (at === list.count) break;
      if (list.documents[at] !== document) continue;
      const weight = (list.weights[at] as number) / WEIGHT_UNIT;
      const norm = this.#norms[lengths[document] as number] as number;
      documents[kept] = document;
      scores[kept] = (scores[i] as number) + (rarity * weight * (K1 + 1)) / (weight + norm);
      kept += 1;
    }
    found.count = kept;
  }

  /** 0 for a term that no text has. */
  rarityOf(term: string): number {
    const texts = textsIn(this.lists(term));
    return texts === 0 ? 0 : this.#rarity(texts);
  }

  /** No text can get more than this for a term that so many texts have. */
  maxShare(texts: number): number {
    return this.#rarity(texts) * (K1 + 1);
  }

  /** The scores of the texts that have any of the terms and are not barred. The next call writes into the same memory. */
  score(
    terms: readonly string[],
    barred: Barred,
    listsOf = (term: string) => this.lists(term),
  ): readonly ScoreKeeper[] {
    const scores = this.#termScores();
    scores.reset(barred);
    for (const term of terms) {
      const lists = listsOf(term);
      const texts = textsIn(lists);
      if (texts > 0) scores.add(lists, this.#rarity(texts));
    }
    return scores.keepers;
  }

  /** Of the texts that were scored last. */
  best(): BestByWords {
    return this.#termScores().best();
  }

  /** The owners of the texts that were scored last, as their scores are now. */
  group(wanted?: Wanted): Grouped {
    return this.#termScores().group(wanted);
  }

  /** How one text came to its score: each term's rarity, weight in the text, and share of the score. */
  explain(terms: readonly string[], no: number, slot: number): TermShare[] {
    const shares: TermShare[] = [];
    for (const term of terms) {
      const lists = this.lists(term);
      const messages = textsIn(lists);
      if (messages === 0) continue;
      const rarity = this.#rarity(messages);
      for (const [i, { places, lengths }] of this.#segments.entries()) {
        const list = lists[i] as PostingList;
        for (let at = 0; at < list.count; at += 1) {
          const document = list.documents[at] as number;
          if (places[document * 2] !== no || places[document * 2 + 1] !== slot) continue;
          const weight = (list.weights[at] as number) / WEIGHT_UNIT;
          const norm = this.#norms[lengths[document] as number] as number;
          shares.push({ term, messages, rarity, weight, share: (rarity * weight * (K1 + 1)) / (weight + norm) });
        }
      }
    }
    return shares.sort((a, b) => b.share - a.share);
  }

  #termScores(): TermScores {
    this.#scores ??= new TermScores(this.#segments, this.#norms, K1 + 1, this.#largestOwner);
    return this.#scores;
  }

  #rarity(texts: number): number {
    return Math.log(1 + (this.texts - texts + 0.5) / (texts + 0.5));
  }
}

/** Only the first `count` entries of both arrays count. The documents ascend. */
export interface ScoredTexts {
  documents: Uint32Array;
  scores: Float64Array;
  count: number;
}

/** The documents of a list that are not barred, without scores. */
function allOf(list: PostingList | undefined, barred: Uint8Array | undefined): ScoredTexts {
  const documents = list?.documents.slice(0, list.count) ?? new Uint32Array();
  let count = documents.length;
  if (barred) {
    count = 0;
    for (const document of documents) {
      documents[count] = document;
      if (barred[document] === 0) count += 1;
    }
  }
  return { documents, scores: new Float64Array(count), count };
}

/** The first place from `from` on with this document or a later one. The distance doubles, because most are near. */
function seek({ documents, count }: PostingList, from: number, document: number): number {
  let low = from;
  let high = from;
  for (let step = 1; high < count && (documents[high] as number) < document; step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, count);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((documents[middle] as number) < document) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function textsIn(lists: readonly PostingList[]): number {
  return lists.reduce((sum, { count }) => sum + count, 0);
}
