/**
 * Ranks conversations whose texts need a check. A check reads the text. So dex checks the conversations that may rank
 * first until their three best texts are known, and each of the others only until one text is accepted: these are
 * counted, but their score does not matter.
 */
import { TITLE_SLOT } from "../segment.ts";
import { type Accept, BEST_MESSAGES, type Grouped, scoreOf } from "./grouping.ts";
import type { ScoreKeeper } from "./score_keeper.ts";

export interface Wanted {
  accept: Accept;
  boosts: ReadonlyMap<number, number>;
  /** The number of leading conversations that need their exact score. */
  exact: number;
}

interface Text {
  /** A number across all segments. */
  document: number;
  slot: number;
  score: number;
}

/**
 * `found`: the conversations as if every text were accepted; this function changes its tables. `places`: by segment.
 */
export function keepAccepted(
  found: Grouped,
  keepers: readonly ScoreKeeper[],
  places: readonly Uint32Array[],
  { accept, boosts, exact }: Wanted,
): Grouped {
  const texts = textsByOwner(keepers, places);
  const ceilings = new Map(found.numbers.map((no) => [no, scoreOf(found, no, boosts)]));
  const highestFirst = found.numbers.toSorted((a, b) => (ceilings.get(b) ?? 0) - (ceilings.get(a) ?? 0));
  const best = new BestTotals(exact);
  const numbers = highestFirst.filter((no) => {
    const own = texts.get(no) ?? [];
    const isAccepted = ({ slot }: Text): boolean => accept(no, slot === TITLE_SLOT ? null : slot);
    const isContender = (ceilings.get(no) ?? 0) >= best.least;
    const accepted = isContender ? bestAccepted(own, isAccepted) : anyAccepted(own, isAccepted);
    write(found, no, accepted);
    if (isContender && accepted.length > 0) best.add(scoreOf(found, no, boosts));
    return accepted.length > 0;
  });
  return { ...found, numbers };
}

/** By conversation, best first; ties in the order in which they were scored. */
function textsByOwner(keepers: readonly ScoreKeeper[], places: readonly Uint32Array[]): Map<number, Text[]> {
  const texts = new Map<number, Text[]>();
  let before = 0;
  for (const [segment, { values, documents }] of keepers.entries()) {
    const own = places[segment] as Uint32Array;
    for (const document of documents) {
      const no = own[document * 2] as number;
      const text = {
        document: before + document,
        slot: own[document * 2 + 1] as number,
        score: values[document] as number,
      };
      const list = texts.get(no);
      if (list) list.push(text);
      else texts.set(no, [text]);
    }
    before += values.length;
  }
  for (const list of texts.values()) list.sort((a, b) => b.score - a.score);
  return texts;
}

/** The best three, and others with the same score as the best message: the first of those is shown. */
function bestAccepted(texts: readonly Text[], isAccepted: (text: Text) => boolean): Text[] {
  const accepted: Text[] = [];
  let message: Text | undefined;
  for (const text of texts) {
    if (accepted.length >= BEST_MESSAGES.length && message && text.score < message.score) break;
    if (!isAccepted(text)) continue;
    accepted.push(text);
    if (text.slot !== TITLE_SLOT) message ??= text;
  }
  return accepted;
}

/** At most one. The others are tried in the order of their messages, which are stored together. */
function anyAccepted([best, ...others]: readonly Text[], isAccepted: (text: Text) => boolean): Text[] {
  if (best && isAccepted(best)) return [best];
  const found = others.sort((a, b) => a.slot - b.slot).find(isAccepted);
  return found ? [found] : [];
}

function write({ best, whose, slots }: Grouped, no: number, accepted: readonly Text[]): void {
  for (const i of BEST_MESSAGES.keys()) {
    best[no * 3 + i] = accepted[i]?.score ?? 0;
    whose[no * 3 + i] = accepted[i]?.document ?? 0;
  }
  const messages = accepted.filter(({ slot }) => slot !== TITLE_SLOT);
  const top = messages.filter(({ score }) => score === messages[0]?.score);
  slots[no] = top.reduce((first, { slot }) => (first < 0 ? slot : Math.min(first, slot)), -1);
}

/** The best scores of conversations so far. */
class BestTotals {
  readonly #count: number;
  readonly #totals: number[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** Scores below this are not among the best. */
  get least(): number {
    return this.#totals.length < this.#count ? Number.NEGATIVE_INFINITY : (this.#totals[0] as number);
  }

  add(total: number): void {
    const at = this.#totals.findIndex((each) => each >= total);
    this.#totals.splice(at < 0 ? this.#totals.length : at, 0, total);
    if (this.#totals.length > this.#count) this.#totals.shift();
  }
}
