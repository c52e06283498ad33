/**
 * Terms of the index similar to a given one, for "did you mean". Only terms with the same first character are compared:
 * typing errors rarely change it.
 */
import { editDistance } from "../kernel/text.ts";
import type { SegmentSource } from "./ports.ts";
import { isDead, type Segment, TITLE_SLOT } from "./segment.ts";
import { readBlock, type TermEntry } from "./terms/blocks.ts";
import { readPostings } from "./terms/postings.ts";

const MAX_EDITS = 2;
/** Two edits turn almost any word up to this length into any other. */
const MAX_SHORT_CHARS = 5;
const MAX_NEAR_TERMS = 5;

export interface NearTerm {
  term: string;
  /** A text with the term. */
  no: number;
  index: number;
}

export function findNearTerms(source: SegmentSource, segments: readonly Segment[], term: string): NearTerm[] {
  const initial = String.fromCodePoint(term.codePointAt(0) ?? 0);
  const most = term.length <= MAX_SHORT_CHARS ? 1 : MAX_EDITS;
  const found = new Map<string, NearTerm & { documents: number; distance: number }>();
  for (const segment of segments) {
    for (const data of source.termBlocks(segment.id, initial)) {
      for (const entry of readBlock(data)) {
        if (!entry.term.startsWith(initial)) continue;
        const distance = editDistance(term, entry.term, most + 1);
        if (distance > most || distance === 0) continue;
        const before = found.get(entry.term);
        const documents = (before?.documents ?? 0) + entry.documents;
        const place = before ?? firstPlace(segment, data, entry);
        if (place) found.set(entry.term, { ...place, term: entry.term, documents, distance });
      }
    }
  }
  return [...found.values()]
    .sort((a, b) => a.distance - b.distance || b.documents - a.documents || (a.term < b.term ? -1 : 1))
    .slice(0, MAX_NEAR_TERMS);
}

/** The first text that has the term and is not a title. */
function firstPlace(segment: Segment, data: Uint8Array, entry: TermEntry): { no: number; index: number } | undefined {
  let place: { no: number; index: number } | undefined;
  readPostings(data, entry.start, entry.end, segment.documents, (document) => {
    const index = segment.places[document * 2 + 1] as number;
    if (!place && index !== TITLE_SLOT && !isDead(segment, document)) {
      place = { no: segment.places[document * 2] as number, index };
    }
  });
  return place;
}
