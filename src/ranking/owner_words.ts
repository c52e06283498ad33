/**
 * How much of what is asked each owner of texts has: the share of the words, each counting by how few of the owners have
 * it, over all of its texts together and in the best of them alone. Shares are comparable between questions, which a
 * ranking's scores are not.
 */

import type { Segment } from "../store/sqlite/texts/segments.ts";
import { ScoreKeeper } from "./scored.ts";

export interface OwnerWords {
  no: number;
  /** BM25 of its best text, over what a text that is all of the words could have: 0 to 1. */
  score: number;
  /** Of the words that any owner has: 0 to 1. */
  share: number;
  /** The same, of the text that has the most. */
  together: number;
  /** Places in the list of words, that of the rarest first. */
  has: readonly number[];
}

interface Documents {
  documents: Uint32Array;
  count: number;
}

/** `lists`: for each word the texts that have it, by segment. `most`: the score of a text that is all of the words. */
export function ownerWords(
  segments: readonly Segment[],
  lists: readonly (readonly Documents[])[],
  scores: readonly ScoreKeeper[],
  most: number,
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
    for (const [at, { documents, count: texting }] of list.entries()) {
      const keeper = texts[at] as ScoreKeeper;
      for (let i = 0; i < texting; i += 1) keeper.add(documents[i] as number, rarity);
    }
  }
  if (all === 0 || most === 0) return [];
  const best = bestOf(segments, scores, owners.largest);
  const together = bestOf(segments, texts, owners.largest);
  const rarest = [...having.keys()].sort((a, b) => (having[a]?.count ?? 0) - (having[b]?.count ?? 0) || a - b);
  const found: { no: number; score: number; share: number }[] = [];
  for (let no = 0; no < shares.length; no += 1) {
    if ((shares[no] as number) === 0) continue;
    found.push({ no, score: (best[no] as number) / most, share: (shares[no] as number) / all });
  }
  return found
    .sort((a, b) => b.score + b.share - a.score - a.share || owners.tie(a.no, b.no))
    .slice(0, limit)
    .map(({ no, score, share }) => ({
      no,
      score,
      share,
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

/** By owner, of its texts' values the largest. */
function bestOf(segments: readonly Segment[], keepers: readonly ScoreKeeper[], largest: number): Float64Array {
  const best = new Float64Array(largest + 1);
  for (const [at, { values, documents }] of keepers.entries()) {
    const { places } = segments[at] as Segment;
    for (const document of documents) {
      const no = places[document * 2] as number;
      if ((values[document] as number) > (best[no] as number)) best[no] = values[document] as number;
    }
  }
  return best;
}
