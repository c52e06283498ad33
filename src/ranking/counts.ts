/** Counts over the postings of a query's terms: owners by role, texts with each term. */
import { ROLES, type Role } from "../conversations/model.ts";
import type { Barred } from "./conditions.ts";
import type { TermCounts } from "./hits.ts";
import type { Accept } from "./scores/grouping.ts";
import { type Segment, TITLE_SLOT } from "./segment.ts";
import type { PostingList } from "./terms/posting_list.ts";

type ListsOf = (term: string) => readonly PostingList[];

export interface CountedTexts {
  segments: readonly Segment[];
  /** The texts that have a term, by segment. */
  lists: ListsOf;
  barred: Barred;
  /** The largest number of an owner. */
  largest: number;
}

/** For each role, the number of these owners that have any of the terms in a text of the role. */
export function rolesOf(
  { segments, lists, barred, largest }: CountedTexts,
  terms: readonly string[],
  owners: readonly number[],
  accept?: Accept,
): Map<Role, number> {
  const masks = new Uint8Array(largest + 1);
  const wanted = new Uint8Array(largest + 1);
  for (const no of owners) wanted[no] = 1;
  for (const term of terms) {
    for (const [i, list] of lists(term).entries()) {
      const { places, roles } = segments[i] as Segment;
      for (let at = 0; at < list.count; at += 1) {
        const document = list.documents[at] as number;
        const no = places[document * 2] as number;
        const slot = places[document * 2 + 1] as number;
        const bit = 1 << (roles[document] as number);
        if (wanted[no] === 0 || ((masks[no] as number) & bit) !== 0 || slot === TITLE_SLOT) continue;
        if (barred[i]?.[document] !== 1 && accept?.(no, slot) !== false) masks[no] = (masks[no] as number) | bit;
      }
    }
  }
  return new Map(
    ROLES.map((role, i) => [role, owners.filter((no) => (((masks[no] as number) >> i) & 1) === 1).length]),
  );
}

/** Counts the texts with each term, and all texts, of the allowed owners (one byte each). */
export function countAllowed(
  segments: readonly Segment[],
  lists: ListsOf,
  terms: readonly string[],
  allowed: Uint8Array,
): TermCounts {
  const isIn = ({ places }: Segment, document: number): boolean => allowed[places[document * 2] as number] === 1;
  const countIn = (list: PostingList, segment: Segment): number =>
    list.documents.subarray(0, list.count).filter((document) => isIn(segment, document)).length;
  let texts = 0;
  for (const segment of segments) {
    for (let document = 0; document < segment.documents; document += 1) if (isIn(segment, document)) texts += 1;
  }
  const having = (term: string): number =>
    lists(term).reduce((sum, list, i) => sum + countIn(list, segments[i] as Segment), 0);
  return { texts, having: new Map(terms.map((term) => [term, having(term)])) };
}
