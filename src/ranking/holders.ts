/** The texts that have all of some terms. There may be thousands: they are put in order only as far as they are asked for. */
import type { ScoredTexts } from "./bm25.ts";
import type { Holder } from "./hits.ts";
import { smallestOfBest } from "./scores/best_scores.ts";
import { type Segment, TITLE_SLOT } from "./segment.ts";
import { LENGTHS } from "./terms/builder.ts";

/** Most searches ask for fewer than these. */
const FIRST = 200;

/** Texts with their owner, slot, length byte and score. */
interface HeldTexts {
  owners: Uint32Array;
  slots: Uint32Array;
  lengths: Uint8Array;
  scores: Float64Array;
}

/** `found`: by segment. */
export function heldTexts(segments: readonly Segment[], found: readonly ScoredTexts[]): HeldTexts {
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const texts = {
    owners: new Uint32Array(total),
    slots: new Uint32Array(total),
    lengths: new Uint8Array(total),
    scores: new Float64Array(total),
  };
  let at = 0;
  for (const [segment, { documents, scores, count }] of found.entries()) {
    const { places, lengths } = segments[segment] as Segment;
    for (let i = 0; i < count; i += 1, at += 1) {
      const document = documents[i] as number;
      texts.owners[at] = places[document * 2] as number;
      texts.slots[at] = places[document * 2 + 1] as number;
      texts.lengths[at] = lengths[document] as number;
      texts.scores[at] = scores[i] as number;
    }
  }
  return texts;
}

export class Holders {
  readonly #texts: HeldTexts;
  readonly #tie: (a: number, b: number) => number;

  /** `tie` compares two owners that have the same score. */
  constructor(texts: HeldTexts, tie: (a: number, b: number) => number) {
    this.#texts = texts;
    this.#tie = tie;
  }

  get count(): number {
    return this.#texts.scores.length;
  }

  /** The owner of each, in no order. */
  get owners(): Uint32Array {
    return this.#texts.owners;
  }

  /** In no order. */
  all(): Holder[] {
    return Array.from({ length: this.count }, (_, at) => this.#holder(at));
  }

  *bestFirst(): Generator<Holder> {
    const { scores } = this.#texts;
    const least = smallestOfBest(scores, FIRST);
    const first: number[] = [];
    const others: number[] = [];
    for (let at = 0; at < scores.length; at += 1) ((scores[at] as number) >= least ? first : others).push(at);
    for (const at of first.sort(this.#order)) yield this.#holder(at);
    for (const at of others.sort(this.#order)) yield this.#holder(at);
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
    const slot = slots[at] as number;
    return {
      no: owners[at] as number,
      index: slot === TITLE_SLOT ? null : slot,
      words: LENGTHS[lengths[at] as number] as number,
    };
  }
}

/** The title comes before the messages. */
function placeOf(slot: number): number {
  return slot === TITLE_SLOT ? -1 : slot;
}
