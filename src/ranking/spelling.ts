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

/** A text with a near term. `length`: its length byte. */
interface Place {
  no: number;
  index: number;
  length: number;
}

interface Found {
  distance: number;
  documents: number;
  place: Place | undefined;
}

/** `tie` orders owners, so that an index that grew names the same texts as one that was rebuilt. */
export function findNearTerms(
  source: SegmentSource,
  segments: readonly Segment[],
  term: string,
  tie: (a: number, b: number) => number,
): NearTerm[] {
  const initial = String.fromCodePoint(term.codePointAt(0) ?? 0);
  const most = term.length <= MAX_SHORT_CHARS ? 1 : MAX_EDITS;
  const found = new Map<string, Found>();
  const isBetter = (a: Place, b: Place): boolean => (a.length - b.length || tie(a.no, b.no) || a.index - b.index) < 0;
  for (const segment of segments) {
    for (const data of source.termBlocks(segment.id, initial)) {
      for (const entry of readBlock(data)) {
        if (!entry.term.startsWith(initial)) continue;
        const distance = editDistance(term, entry.term, most + 1);
        if (distance > most || distance === 0) continue;
        const near = found.get(entry.term) ?? { distance, documents: 0, place: undefined };
        for (const place of placesOf(segment, data, entry)) {
          near.documents += 1;
          if (place.index !== TITLE_SLOT && (!near.place || isBetter(place, near.place))) near.place = place;
        }
        found.set(entry.term, near);
      }
    }
  }
  return [...found]
    .flatMap(([term, { place, ...near }]) => (place ? [{ term, ...near, no: place.no, index: place.index }] : []))
    .sort((a, b) => a.distance - b.distance || b.documents - a.documents || (a.term < b.term ? -1 : 1))
    .slice(0, MAX_NEAR_TERMS);
}

/** The texts with the term that are not deleted. */
function placesOf(segment: Segment, data: Uint8Array, entry: TermEntry): Place[] {
  const { places, lengths, documents } = segment;
  const found: Place[] = [];
  readPostings(data, entry.start, entry.end, documents, (document) => {
    if (isDead(segment, document)) return;
    const [no, index] = [places[document * 2] as number, places[document * 2 + 1] as number];
    found.push({ no, index, length: lengths[document] as number });
  });
  return found;
}
