/** BM25 over the segments. It scores every text that has a term of the query; none are sampled. */
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
/** The least number of decoded postings that may be cached between searches: about 10 MB. */
const MIN_CACHED_POSTINGS = 1 << 21;
/**
 * Further cached postings per indexed text: a long query has several per text, and dex scores a query over a team's
 * index repeatedly.
 */
const CACHED_POSTINGS_PER_TEXT = 6;
/** The cost of a cached term, in postings, even if no text has it. */
const POSTINGS_PER_TERM = 64;

export class Bm25 {
  readonly #source: SegmentSource;
  readonly #segments: readonly Segment[];
  readonly #largestOwner: number;
  /** By length byte: the BM25 length normalisation of a text. */
  readonly #norms: Float64Array;
  /** Made by the first search. */
  #scores: TermScores | undefined;
  /** The cached lists by term, the least recently used first. */
  readonly #cached = new Map<string, { lists: PostingList[]; cost: number }>();
  #cachedPostings = 0;
  readonly #maxCached: number;
  /** The number of texts, without deleted ones. */
  readonly texts: number;

  constructor(source: SegmentSource, segments: readonly Segment[], largestOwner: number) {
    this.#source = source;
    this.#largestOwner = largestOwner;
    this.#segments = segments;
    this.texts = segments.reduce((sum, { documents, gone }) => sum + documents - gone, 0);
    this.#maxCached = Math.max(MIN_CACHED_POSTINGS, CACHED_POSTINGS_PER_TEXT * this.texts);
    const words = segments.reduce((sum, segment) => sum + segment.words - segment.goneWords, 0);
    const averageLength = this.texts === 0 ? 1 : Math.max(1, words / 1000 / this.texts);
    this.#norms = LENGTHS.map((length) => K1 * (1 - B + (B * length) / averageLength));
  }

  /** The texts that have the term, by segment. */
  lists(term: string): PostingList[] {
    const kept = this.#cached.get(term);
    if (kept) {
      this.#cached.delete(term);
      this.#cached.set(term, kept);
      return kept.lists;
    }
    const missed = this.#source.missed?.();
    const lists = this.#segments.map((segment) => postingList(this.#source, segment, term));
    const texts = textsIn(lists);
    if (texts > this.#maxCached / 4 || this.#source.missed?.() !== missed) return lists;
    const cost = texts + POSTINGS_PER_TERM;
    this.#cached.set(term, { lists, cost });
    this.#cachedPostings += cost;
    for (const [oldest, each] of this.#cached) {
      if (this.#cachedPostings <= this.#maxCached) break;
      this.#cached.delete(oldest);
      this.#cachedPostings -= each.cost;
    }
    return lists;
  }

  /**
   * Scores the texts that have all of the terms and are not barred; `more` terms only raise the scores. The next call
   * reuses the returned memory.
   */
  scoreAll(terms: readonly string[], barred: Barred, more: readonly string[] = []): readonly ScoreKeeper[] {
    const rarestFirst = this.#rarestFirst(terms);
    const others = this.#rarestFirst(more.filter((term) => !terms.includes(term)));
    const scores = this.#termScores();
    scores.reset(barred);
    if (rarestFirst[0]?.texts === 0) return scores.keepers;
    if (rarestFirst.length + others.length > 1) scores.barOthers(rarestFirst.map(({ lists }) => lists));
    for (const { lists, texts } of [...rarestFirst, ...others]) scores.add(lists, this.#rarity(texts));
    return scores.keepers;
  }

  /** The owners among these that have each of the terms in a text that is not barred. */
  withAll(terms: readonly string[], barred: Barred, owners: readonly number[]): number[] {
    // If no owner has all terms, the rarest one often shows it first.
    const lists = this.#rarestFirst(terms).map((each) => each.lists);
    return this.#termScores().withAll(lists, barred, owners);
  }

  #rarestFirst(terms: readonly string[]): { lists: PostingList[]; texts: number }[] {
    return terms
      .map((term) => this.lists(term))
      .map((lists) => ({ lists, texts: textsIn(lists) }))
      .sort((a, b) => a.texts - b.texts);
  }

  /** 0 for a term that no text has. */
  rarityOf(term: string): number {
    const texts = textsIn(this.lists(term));
    return texts === 0 ? 0 : this.#rarity(texts);
  }

  /** The largest share of a score that a term can contribute if so many texts have it. */
  maxShare(texts: number): number {
    return this.#rarity(texts) * (K1 + 1);
  }

  /** Scores the texts that have any of the terms and are not barred. The next call reuses the returned memory. */
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

  /** The best of the texts scored by the last call. */
  best(): BestByWords {
    return this.#termScores().best();
  }

  /** The lowest score among the best texts of the last call. */
  get leastOfBest(): number {
    return this.#termScores().leastOfBest;
  }

  /** The owners of the texts scored by the last call, with their current scores. */
  group(wanted?: Wanted): Grouped {
    return this.#termScores().group(wanted);
  }

  /** Explains the score of one text: each term's rarity, weight in the text, and share of the score. */
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

export function textsIn(lists: readonly PostingList[]): number {
  return lists.reduce((sum, { count }) => sum + count, 0);
}
