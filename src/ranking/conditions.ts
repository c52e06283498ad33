/**
 * Decides which texts a query may return: texts that are not deleted, whose owner passes the filter, and that meet the
 * query's own conditions. All others are barred.
 */
import type { Role } from "../conversations/model.ts";
import type { Catalogue, SegmentSource } from "./ports.ts";
import type { TermQuery } from "./query.ts";
import { isDead, roleNumber, type Segment, TITLE_SLOT } from "./segment.ts";
import type { PostingList } from "./terms/posting_list.ts";

/**
 * For each segment one byte per document: 1 if the document is barred. Undefined for a segment without barred
 * documents.
 */
export type Barred = readonly (Uint8Array | undefined)[];

/** `lists`: the texts that have a term, by segment. `filtered`: the texts that the filter and the role bar. */
export function barredBy(
  segments: readonly Segment[],
  lists: (term: string) => readonly PostingList[],
  { mark, required = [], excluded = [] }: TermQuery,
  filtered: Barred,
): Barred {
  const needed = mark === undefined ? required : [mark, ...required];
  if (needed.length + excluded.length === 0) return filtered;
  return segments.map((segment, i) => {
    const barred = filtered[i]?.slice() ?? new Uint8Array(segment.documents);
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
    return barred;
  });
}

/**
 * The texts that a filter and a role bar. All questions of one search share them, so the last result is cached, unless
 * parts of the index have yet to be fetched.
 */
export class FilteredTexts<Filter> {
  readonly #catalogue: Catalogue<Filter>;
  readonly #isWhole: () => boolean;
  #owners: { key: string; allowed: Uint8Array | undefined } | undefined;
  #texts: { key: string; barred: Barred } | undefined;

  constructor(source: SegmentSource, catalogue: Catalogue<Filter>) {
    this.#catalogue = catalogue;
    this.#isWhole = () => source.missed?.() === undefined;
  }

  /** Call it when the index has changed. */
  forget(): void {
    this.#owners = undefined;
    this.#texts = undefined;
  }

  barred(segments: readonly Segment[], filter: Filter, role: Role | undefined, largest: number): Barred {
    const key = JSON.stringify([filter, role]);
    if (this.#texts?.key === key && this.#isWhole()) return this.#texts.barred;
    const allowed = this.allowed(filter, largest);
    const barred = segments.map((segment) => {
      if (!allowed && role === undefined && !segment.dead) return undefined;
      const texts = new Uint8Array(segment.documents);
      if (role !== undefined) barOtherRoles(segment, roleNumber(role), texts);
      if (allowed) barOtherOwners(segment, allowed, texts);
      if (segment.dead) barDead(segment, texts);
      return texts;
    });
    this.#texts = { key, barred };
    return barred;
  }

  /** A byte for each owner that passes the filter; undefined when all do. */
  allowed(filter: Filter, largest: number): Uint8Array | undefined {
    const key = JSON.stringify(filter);
    if (this.#owners?.key === key && this.#isWhole()) return this.#owners.allowed;
    const passing = this.#catalogue.passing(filter);
    const allowed = passing && new Uint8Array(largest + 1);
    for (const no of passing ?? []) if (allowed) allowed[no] = 1;
    this.#owners = { key, allowed };
    return allowed;
  }
}

/** Bars the documents that are missing from any of the lists; the shortest list goes first. */
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
  const { length } = barred;
  for (let document = 0; document < length; document += 1) {
    // Written without a branch, which a processor would mispredict where allowed and other conversations alternate.
    barred[document] = (barred[document] as number) | ((allowed[places[document * 2] as number] as number) ^ 1);
  }
}

function barDead(segment: Segment, barred: Uint8Array): void {
  for (let document = 0; document < barred.length; document += 1) if (isDead(segment, document)) barred[document] = 1;
}

/** A title has no role of its own. */
function barOtherRoles({ places, roles }: Segment, wanted: number, barred: Uint8Array): void {
  const { length } = barred;
  for (let document = 0; document < length; document += 1) {
    const isOther = roles[document] !== wanted || places[document * 2 + 1] === TITLE_SLOT;
    barred[document] = (barred[document] as number) | Number(isOther);
  }
}
