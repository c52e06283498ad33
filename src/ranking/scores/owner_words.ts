/**
 * The share of a query's words that each owner has in all its texts together, and in its best text alone. A word weighs
 * more the fewer owners have it. Unlike ranking scores, shares of different queries can be compared.
 */
import type { Segment } from "../segment.ts";
import { smallestOfBest } from "./best_scores.ts";
import { ScoreKeeper } from "./score_keeper.ts";

export interface OwnerWords {
  no: number;
  /** The BM25 score of its best text, relative to the largest possible one: 0 to 1. */
  score: number;
  /** The share of the words that it has, among those that any owner has: 0 to 1. */
  share: number;
  /** The same for the text that has most of them. */
  together: number;
  /** The words it has, as positions in the list of words, the rarest first. */
  has: readonly number[];
}

interface Documents {
  documents: Uint32Array;
  count: number;
}

/** `lists`: for each word, the texts that have it, by segment. `maxScore`: the largest possible score of a text. */
export function ownerWords(
  segments: readonly Segment[],
  lists: readonly (readonly Documents[])[],
  scores: readonly ScoreKeeper[],
  maxScore: number,
  owners: { count: number; largest: number; tie(a: number, b: number): number },
  limit: number,
): OwnerWords[] {
  const shares = new Float64Array(owners.largest + 1);
  const texts = segments.map(({ documents }) => new ScoreKeeper(documents));
  const having = lists.map((list) => ownersOf(segments, list, owners.largest));
  let all = 0;
  for (const [word, list] of lists.entries()) {
    const { marks, count } = having[word] as Having;
    if (count === 0) continue;
    const rarity = Math.log(1 + (owners.count - count + 0.5) / (count + 0.5));
    all += rarity;
    for (let no = 0; no < marks.length; no += 1) if (marks[no] === 1) shares[no] = (shares[no] as number) + rarity;
    for (const [at, { documents, count: textCount }] of list.entries()) {
      const keeper = texts[at] as ScoreKeeper;
      const { values } = keeper;
      const scored = keeper.reserve(textCount);
      let size = keeper.count;
      for (let i = 0; i < textCount; i += 1) {
        const document = documents[i] as number;
        const before = values[document] as number;
        values[document] = before + rarity;
        if (before !== 0) continue;
        scored[size] = document;
        size += 1;
      }
      keeper.count = size;
    }
  }
  if (all === 0 || maxScore === 0) return [];
  const best = bestOf(segments, scores, owners.largest);
  const together = bestOf(segments, texts, owners.largest);
  const rarest = [...having.keys()].sort((a, b) => (having[a]?.count ?? 0) - (having[b]?.count ?? 0) || a - b);
  // The sum of both by owner; 0 for owners without any of the words.
  const totals = new Float64Array(shares.length);
  for (let no = 0; no < shares.length; no += 1) {
    if (shares[no] !== 0) totals[no] = (best[no] as number) / maxScore + (shares[no] as number) / all;
  }
  const least = smallestOfBest(totals, limit);
  const found: { no: number; total: number }[] = [];
  for (let no = 0; no < shares.length; no += 1) {
    const total = totals[no] as number;
    if (total > 0 && total >= least) found.push({ no, total });
  }
  return found
    .sort((a, b) => b.total - a.total || owners.tie(a.no, b.no))
    .slice(0, limit)
    .map(({ no }) => ({
      no,
      score: (best[no] as number) / maxScore,
      share: (shares[no] as number) / all,
      together: (together[no] as number) / all,
      has: rarest.filter((word) => having[word]?.marks[no] === 1),
    }));
}

interface Having {
  /** By owner, 1 where it has the word. */
  marks: Uint8Array;
  count: number;
}

function ownersOf(segments: readonly Segment[], list: readonly Documents[], largest: number): Having {
  const marks = new Uint8Array(largest + 1);
  let owners = 0;
  for (const [at, { documents, count }] of list.entries()) {
    const { places } = segments[at] as Segment;
    for (let i = 0; i < count; i += 1) {
      const no = places[(documents[i] as number) * 2] as number;
      if (marks[no] === 1) continue;
      marks[no] = 1;
      owners += 1;
    }
  }
  return { marks, count: owners };
}

/** By owner, the largest value of its texts. */
function bestOf(segments: readonly Segment[], keepers: readonly ScoreKeeper[], largest: number): Float64Array {
  const best = new Float64Array(largest + 1);
  for (const [at, { values, documents }] of keepers.entries()) {
    const { places } = segments[at] as Segment;
    for (let i = 0; i < documents.length; i += 1) {
      const document = documents[i] as number;
      const no = places[document * 2] as number;
      if ((values[document] as number) > (best[no] as number)) best[no] = values[document] as number;
    }
  }
  return best;
}
