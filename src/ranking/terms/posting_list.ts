/** The postings of one term in one segment, read from its block, without those of deleted documents. */
import type { SegmentSource } from "../ports.ts";
import { isDead, type Segment } from "../segment.ts";
import { findTerm } from "./blocks.ts";
import { decodePostings, type Postings } from "./postings.ts";

export type PostingList = Postings;

const EMPTY: PostingList = { documents: new Uint32Array(), weights: new Uint8Array(), count: 0 };

export function postingList(source: SegmentSource, segment: Segment, term: string): PostingList {
  const data = source.termBlock(segment.id, term);
  if (!data) return EMPTY;
  const entry = findTerm(data, term);
  if (!entry) return EMPTY;
  const list = decodePostings(data, entry.start, entry.end, segment.documents);
  return segment.dead ? withoutDead(segment, list) : list;
}

function withoutDead(segment: Segment, { documents, weights, count }: PostingList): PostingList {
  let kept = 0;
  for (let i = 0; i < count; i += 1) {
    const document = documents[i] as number;
    if (isDead(segment, document)) continue;
    documents[kept] = document;
    weights[kept] = weights[i] as number;
    kept += 1;
  }
  return { documents, weights, count: kept };
}
