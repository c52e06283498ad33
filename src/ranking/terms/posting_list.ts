/** The postings of one term in one segment, read from its block, without those of deleted documents. */
import type { SegmentSource } from "../ports.ts";
import { isDead, type Segment } from "../segment.ts";
import { findTerm } from "./blocks.ts";
import { readPostings } from "./postings.ts";

export interface PostingList {
  /** Only the first `count` entries of both arrays count. */
  documents: Uint32Array;
  weights: Uint8Array;
  count: number;
}

const EMPTY: PostingList = { documents: new Uint32Array(), weights: new Uint8Array(), count: 0 };

export function postingList(source: SegmentSource, segment: Segment, term: string): PostingList {
  const data = source.termBlock(segment.id, term);
  if (!data) return EMPTY;
  const entry = findTerm(data, term);
  if (!entry) return EMPTY;
  const documents = new Uint32Array(entry.documents);
  const weights = new Uint8Array(entry.documents);
  let count = 0;
  readPostings(data, entry.start, entry.end, segment.documents, (document, weight) => {
    if (segment.dead && isDead(segment, document)) return;
    documents[count] = document;
    weights[count] = weight;
    count += 1;
  });
  return { documents, weights, count };
}
