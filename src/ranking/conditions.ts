/** Which texts may be among the answers: not deleted, of an owner that passes the filter, and as the query demands. */
import type { TermQuery } from "./query.ts";
import { isDead, roleNumber, type Segment, TITLE_SLOT } from "./segment.ts";
import type { PostingList } from "./terms/posting_list.ts";

/** For each segment a byte for each document: 1 if it may not be among the answers. Undefined where all may. */
export type Barred = readonly (Uint8Array | undefined)[];

/** `lists`: the texts that have a term, by segment. `allowed`: a byte for each owner that passes the filter, if not all do. */
export function barredBy(
  segments: readonly Segment[],
  lists: (term: string) => readonly PostingList[],
  { role, mark, required = [], excluded = [] }: TermQuery,
  allowed: Uint8Array | undefined,
): Barred {
  const needed = mark === undefined ? required : [mark, ...required];
  const isFree = !allowed && role === undefined && needed.length + excluded.length === 0;
  return segments.map((segment, i) => {
    if (isFree && !segment.dead) return undefined;
    const barred = new Uint8Array(segment.documents);
    if (needed.length > 0) {
      const texts = needed.map((term) => lists(term)[i] as PostingList);
      barOthers(
        texts.sort((a, b) => a.count - b.count),
        barred,
      );
    }
    for (const term of excluded) {
      const { documents, count } = lists(term)[i] as PostingList;
      for (let at = 0; at < count; at += 1) barred[documents[at] as number] = 1;
    }
    if (role !== undefined) barOtherRoles(segment, roleNumber(role), barred);
    if (allowed) barOtherOwners(segment, allowed, barred);
    if (segment.dead) barDead(segment, barred);
    return barred;
  });
}

/** Bars the documents that one of the lists, the shortest first, does not have. */
function barOthers(lists: readonly PostingList[], barred: Uint8Array): void {
  const counts = new Uint16Array(barred.length);
  for (const [before, { documents, count }] of lists.entries()) {
    for (let at = 0; at < count; at += 1) {
      const document = documents[at] as number;
      if (counts[document] === before) counts[document] = before + 1;
    }
  }
  for (let document = 0; document < barred.length; document += 1) {
    if (counts[document] !== lists.length) barred[document] = 1;
  }
}

function barOtherOwners({ places }: Segment, allowed: Uint8Array, barred: Uint8Array): void {
  for (let document = 0; document < barred.length; document += 1) {
    if (allowed[places[document * 2] as number] !== 1) barred[document] = 1;
  }
}

function barDead(segment: Segment, barred: Uint8Array): void {
  for (let document = 0; document < barred.length; document += 1) if (isDead(segment, document)) barred[document] = 1;
}

/** A title has no role of its own. */
function barOtherRoles(segment: Segment, wanted: number, barred: Uint8Array): void {
  for (let document = 0; document < segment.documents; document += 1) {
    const title = segment.places[document * 2 + 1] === TITLE_SLOT;
    if (title || segment.roles[document] !== wanted) barred[document] = 1;
  }
}
