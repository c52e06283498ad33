/**
 * Adds up the scores of texts, term by term, and finds the best texts of each owner. The loops run as WebAssembly: they
 * visit every posting of a query's terms, most often in a process that ends before V8 has compiled its JavaScript.
 */
import { Loops } from "../../loops/loops.ts";
import type { Barred } from "../conditions.ts";
import { type Segment, TITLE_SLOT } from "../segment.ts";
import type { PostingList } from "../terms/posting_list.ts";
import { keepAccepted, type Wanted } from "./accepted.ts";
import type { Grouped } from "./grouping.ts";
import { ScoreKeeper } from "./score_keeper.ts";

/**
 * How many of the best texts a search also compares by vectors, however far their bit codes are from the query; and how
 * many texts with all of its words it sorts first.
 */
export const MAX_BEST = 200;
/** Postings that are copied into the loop's memory at a time. */
const CHUNK = 1 << 13;

export interface BestByWords {
  /** By segment: its documents among the best scores, including all ties with the last one. */
  documents: number[][];
  /** The best score; 0 if there is none. */
  largest: number;
}

export class TermScores {
  /** By segment. All queries share this memory. */
  readonly keepers: readonly ScoreKeeper[];
  readonly #run: Loops["run"];
  readonly #scale: number;
  readonly #lengths: readonly Uint8Array[];
  /** One byte per document: whether the query bars it. Only valid if the query bars any. */
  readonly #barred: readonly Uint8Array[];
  readonly #isBarred: boolean[] = [];
  readonly #scored: readonly Uint32Array[];
  readonly #norms: Float64Array;
  readonly #documents: Uint32Array;
  readonly #weights: Uint8Array;
  /** The best scores, the smallest of them first. */
  readonly #heap: Float64Array;
  readonly #places: readonly Uint32Array[];
  readonly #largestOwner: number;
  readonly #owners: Uint32Array;
  readonly #bestOfOwners: Float64Array;
  readonly #whose: Uint32Array;
  readonly #slots: Int32Array;
  readonly #slotScores: Float64Array;
  /** The number of the query's terms that each owner, and each document of a segment, has. */
  readonly #ownerCounts: Uint16Array;
  readonly #counts: Uint16Array;

  /** `norms`: the BM25 length normalisation by length byte. `scale`: K1 + 1 of BM25. */
  constructor(segments: readonly Segment[], norms: Float64Array, scale: number, largestOwner: number) {
    const owners = largestOwner + 1;
    const most = segments.reduce((largest, { documents }) => Math.max(largest, documents), 0);
    const loops = new Loops([
      ...segments.flatMap(({ documents, lengths }) => [
        lengths.length,
        documents,
        ...[4, 8, 8].map((n) => documents * n),
      ]),
      norms.byteLength,
      CHUNK * 4,
      CHUNK,
      MAX_BEST * 8,
      ...[4, 8 * 3, 4 * 3, 4, 8, 2].map((bytes) => owners * bytes),
      most * 2,
    ]);
    this.#run = loops.run;
    this.#scale = scale;
    this.#lengths = segments.map(({ lengths }) => copied(lengths, loops.bytes(lengths.length)));
    this.#barred = segments.map(({ documents }) => loops.bytes(documents));
    this.#scored = segments.map(({ documents }) => loops.words(documents));
    this.keepers = segments.map(
      ({ documents }, i) =>
        new ScoreKeeper(documents, {
          values: loops.doubles(documents),
          list: this.#scored[i] as Uint32Array,
          run: loops.run,
        }),
    );
    this.#places = segments.map(({ places }) => copied(places, loops.words(places.length)));
    this.#norms = copied(norms, loops.doubles(norms.length));
    this.#documents = loops.words(CHUNK);
    this.#weights = loops.bytes(CHUNK);
    this.#heap = loops.doubles(MAX_BEST);
    this.#largestOwner = largestOwner;
    this.#owners = loops.words(owners);
    this.#bestOfOwners = loops.doubles(owners * 3);
    this.#whose = loops.words(owners * 3);
    this.#slots = loops.integers(owners);
    this.#slotScores = loops.doubles(owners);
    this.#ownerCounts = loops.shorts(owners);
    this.#counts = loops.shorts(most);
  }

  /** Starts a new query that bars these texts. */
  reset(barred: Barred): void {
    for (const keeper of this.keepers) keeper.reset();
    this.#bar(barred);
  }

  #bar(barred: Barred): void {
    for (const [i, own] of this.#barred.entries()) {
      const bar = barred[i];
      if (bar) own.set(bar);
      this.#isBarred[i] = bar !== undefined;
    }
  }

  #barredAt(segment: number): number {
    return this.#isBarred[segment] ? (this.#barred[segment] as Uint8Array).byteOffset : 0;
  }

  /** Bars the texts that lack any of the terms, given as lists by segment. */
  barOthers(terms: readonly (readonly PostingList[])[]): void {
    for (const [segment, { values }] of this.keepers.entries()) {
      const counts = this.#counts.subarray(0, values.length).fill(0);
      for (const [before, lists] of terms.entries()) {
        this.#eachChunk(lists[segment] as PostingList, (count) =>
          this.#run.raiseCounts(this.#documents.byteOffset, count, counts.byteOffset, before),
        );
      }
      const barred = this.#barred[segment] as Uint8Array;
      if (!this.#isBarred[segment]) barred.fill(0);
      this.#isBarred[segment] = true;
      this.#run.barOthers(counts.byteOffset, values.length, terms.length, barred.byteOffset);
    }
  }

  /** The owners among these that have each of the terms in a text that is not barred. Leaves the scores unchanged. */
  withAll(terms: readonly (readonly PostingList[])[], barred: Barred, owners: readonly number[]): number[] {
    this.#bar(barred);
    const counts = this.#ownerCounts.fill(0);
    for (const [before, lists] of terms.entries()) {
      let found = 0;
      for (const [segment, list] of lists.entries()) {
        const { byteOffset: placesAt } = this.#places[segment] as Uint32Array;
        this.#eachChunk(list, (count) => {
          found += this.#run.raiseOwners(
            this.#documents.byteOffset,
            count,
            this.#barredAt(segment),
            placesAt,
            this.#largestOwner,
            counts.byteOffset,
            before,
          );
        });
      }
      if (found === 0) return [];
    }
    return owners.filter((no) => counts[no] === terms.length);
  }

  /** Copies the documents of a list in chunks. */
  #eachChunk({ documents, count }: PostingList, use: (count: number) => void): void {
    for (let from = 0; from < count; from += CHUNK) {
      const to = Math.min(count, from + CHUNK);
      this.#documents.set(documents.subarray(from, to));
      use(to - from);
    }
  }

  /** Adds the score of one term, given as lists by segment, to the texts that have it and are not barred. */
  add(lists: readonly PostingList[], rarity: number): void {
    for (let i = 0; i < lists.length; i += 1) {
      const { documents, weights, count } = lists[i] as PostingList;
      for (let from = 0; from < count; from += CHUNK) {
        const to = Math.min(count, from + CHUNK);
        this.#documents.set(documents.subarray(from, to));
        this.#weights.set(weights.subarray(from, to));
        this.#score(i, to - from, rarity);
      }
    }
  }

  /** The best texts. */
  best(): BestByWords {
    const { scores, least } = this.#bestScores();
    const documents = this.keepers.map((_, segment) => this.#atLeast(segment, least));
    return { documents, largest: scores.reduce((most, score) => Math.max(most, score), 0) };
  }

  /** The lowest score among the `MAX_BEST` best texts; below any score if there are fewer. */
  get leastOfBest(): number {
    return this.#bestScores().least;
  }

  #bestScores(): { scores: Float64Array; least: number } {
    let kept = 0;
    for (const [i, { values, count }] of this.keepers.entries()) {
      const { byteOffset: scoredAt } = this.#scored[i] as Uint32Array;
      kept = this.#run.keepBest(values.byteOffset, scoredAt, count, this.#heap.byteOffset, MAX_BEST, kept);
    }
    const least = kept < MAX_BEST ? Number.NEGATIVE_INFINITY : (this.#heap[0] as number);
    return { scores: this.#heap.subarray(0, kept), least };
  }

  /** The owners of the scored texts, or of those that are accepted. The next call reuses the returned memory. */
  group(wanted?: Wanted): Grouped {
    this.#bestOfOwners.fill(0);
    this.#slots.fill(-1);
    this.#slotScores.fill(0);
    let before = 0;
    let owners = 0;
    for (const [segment, { values, documents }] of this.keepers.entries()) {
      owners = this.#group(segment, documents, before, owners);
      before += values.length;
    }
    const numbers = [...this.#owners.subarray(0, owners)];
    const found = { numbers, best: this.#bestOfOwners, whose: this.#whose, slots: this.#slots };
    return wanted ? keepAccepted(found, this.keepers, this.#places, wanted) : found;
  }

  #group(segment: number, scored: Uint32Array, before: number, owners: number): number {
    return this.#run.group(
      scored.byteOffset,
      scored.length,
      (this.keepers[segment] as ScoreKeeper).values.byteOffset,
      (this.#places[segment] as Uint32Array).byteOffset,
      before,
      this.#largestOwner,
      TITLE_SLOT,
      this.#bestOfOwners.byteOffset,
      this.#whose.byteOffset,
      this.#slots.byteOffset,
      this.#slotScores.byteOffset,
      this.#owners.byteOffset,
      owners,
    );
  }

  #atLeast(segment: number, least: number): number[] {
    const { values, count } = this.keepers[segment] as ScoreKeeper;
    const { byteOffset: scoredAt } = this.#scored[segment] as Uint32Array;
    const found: number[] = [];
    for (let from = 0; from < count; from += CHUNK) {
      const some = Math.min(CHUNK, count - from);
      const size = this.#run.atLeast(values.byteOffset, scoredAt + from * 4, some, least, this.#documents.byteOffset);
      for (let i = 0; i < size; i += 1) found.push(this.#documents[i] as number);
    }
    return found;
  }

  #score(segment: number, count: number, rarity: number): void {
    const keeper = this.keepers[segment] as ScoreKeeper;
    keeper.count = this.#run.score(
      this.#documents.byteOffset,
      this.#weights.byteOffset,
      count,
      rarity,
      this.#scale,
      this.#barredAt(segment),
      (this.#lengths[segment] as Uint8Array).byteOffset,
      this.#norms.byteOffset,
      keeper.values.byteOffset,
      (this.#scored[segment] as Uint32Array).byteOffset,
      keeper.count,
    );
  }
}

function copied<T extends Uint8Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
