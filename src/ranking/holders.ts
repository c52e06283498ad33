/**
 * The holders of some terms: texts that have all of them. There may be thousands, so they are sorted only as far as a
 * caller asks.
 */
import type { Holder } from "./hits.ts";
import type { ScoreKeeper } from "./scores/score_keeper.ts";
import { MAX_BEST } from "./scores/term_scores.ts";
import { type Segment, TITLE_SLOT } from "./segment.ts";
import { LENGTHS } from "./terms/builder.ts";

/**
 * Most searches need only the first few, so the holders are sorted in parts. Each part is this many times as large as
 * the one before.
 */
const GROWTH = 4;

/** Texts with their owner, slot, length byte and score. */
interface HeldTexts {
  owners: Uint32Array;
  slots: Uint32Array;
  lengths: Uint8Array;
  scores: Float64Array;
}

/** `found`: by segment. */
export function heldTexts(segments: readonly Segment[], found: readonly ScoreKeeper[]): HeldTexts {
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const texts = {
    owners: new Uint32Array(total),
    slots: new Uint32Array(total),
    lengths: new Uint8Array(total),
    scores: new Float64Array(total),
  };
  let at = 0;
  for (const [segment, { documents, values }] of found.entries()) {
    const { places, lengths } = segments[segment] as Segment;
    for (let i = 0; i < documents.length; i += 1, at += 1) {
      const document = documents[i] as number;
      texts.owners[at] = places[document * 2] as number;
      texts.slots[at] = places[document * 2 + 1] as number;
      texts.lengths[at] = lengths[document] as number;
      texts.scores[at] = values[document] as number;
    }
  }
  return texts;
}

/** Accepts a message, or the title (null). */
type Wanted = (no: number, index: number | null) => boolean;

export class Holders {
  readonly #texts: HeldTexts;
  readonly #least: number;
  readonly #tie: (a: number, b: number) => number;

  /** `least`: the lowest score among the `MAX_BEST` best. `tie` orders two owners with the same score. */
  constructor(texts: HeldTexts, least: number, tie: (a: number, b: number) => number) {
    this.#texts = texts;
    this.#least = least;
    this.#tie = tie;
  }

  get count(): number {
    return this.#texts.scores.length;
  }

  /** The owners, in no particular order. */
  get owners(): Uint32Array {
    return this.#texts.owners;
  }

  /** In no particular order: all, or those that are `wanted`. */
  all(wanted: Wanted = () => true): Holder[] {
    const found: Holder[] = [];
    for (let at = 0; at < this.count; at += 1) if (this.#is(wanted, at)) found.push(this.#holder(at));
    return found;
  }

  countOf(wanted: Wanted): number {
    let count = 0;
    for (let at = 0; at < this.count; at += 1) if (this.#is(wanted, at)) count += 1;
    return count;
  }

  #is(wanted: Wanted, at: number): boolean {
    const { owners, slots } = this.#texts;
    return wanted(owners[at] as number, indexOf(slots[at] as number));
  }

  *bestFirst(): Generator<Holder> {
    const { scores } = this.#texts;
    let sorted: Float64Array | undefined;
    let above = Number.POSITIVE_INFINITY;
    for (let most = MAX_BEST; above > Number.NEGATIVE_INFINITY; most *= GROWTH) {
      if (most > MAX_BEST) sorted ??= scores.slice().sort();
      const least = sorted ? (sorted[sorted.length - most] ?? Number.NEGATIVE_INFINITY) : this.#least;
      const part: number[] = [];
      for (let at = 0; at < scores.length; at += 1) {
        const score = scores[at] as number;
        if (score >= least && score < above) part.push(at);
      }
      above = least;
      for (const at of part.sort(this.#order)) yield this.#holder(at);
    }
  }

  readonly #order = (a: number, b: number): number => {
    const { scores, owners, slots } = this.#texts;
    return (
      (scores[b] as number) - (scores[a] as number) ||
      this.#tie(owners[a] as number, owners[b] as number) ||
      placeOf(slots[a] as number) - placeOf(slots[b] as number)
    );
  };

  #holder(at: number): Holder {
    const { owners, slots, lengths } = this.#texts;
    return {
      no: owners[at] as number,
      index: indexOf(slots[at] as number),
      words: LENGTHS[lengths[at] as number] as number,
    };
  }
}

/** Null for the title. */
function indexOf(slot: number): number | null {
  return slot === TITLE_SLOT ? null : slot;
}

/** The title comes before the messages. */
function placeOf(slot: number): number {
  return slot === TITLE_SLOT ? -1 : slot;
}
