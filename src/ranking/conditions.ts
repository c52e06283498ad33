/** Which texts may be among the answers: not deleted, of an owner that passes the filter, and as the query demands. */
import type { SegmentSource } from "./ports.ts";
import type { TermQuery } from "./query.ts";
import { isDead, roleNumber, type Segment, TITLE_SLOT } from "./segment.ts";
import { postingList } from "./terms/posting_list.ts";

/** For each segment whether a document may be among the answers; undefined where all of its documents may. */
export type Passes = readonly (((document: number) => boolean) | undefined)[];

/** `allowed`: a byte for each owner that passes the filter; undefined when all do. */
export function passesOf(
  source: SegmentSource,
  segments: readonly Segment[],
  query: TermQuery,
  allowed: Uint8Array | undefined,
): Passes {
  const barred = excludedBy(source, segments, query);
  return segments.map((segment, i) => {
    const own = barred?.[i];
    if (!allowed && !own && !segment.dead) return undefined;
    return (document) =>
      (!allowed || allowed[segment.places[document * 2] as number] === 1) &&
      own?.[document] !== 1 &&
      !isDead(segment, document);
  });
}

/** A byte for each document that the query's conditions rule out; undefined when it has none. */
function excludedBy(
  source: SegmentSource,
  segments: readonly Segment[],
  { role, mark, required = [], excluded = [] }: TermQuery,
): Uint8Array[] | undefined {
  const needed = mark === undefined ? required : [mark, ...required];
  if (role === undefined && needed.length + excluded.length === 0) return undefined;
  const wanted = role === undefined ? undefined : roleNumber(role);
  return segments.map((segment) => {
    const barred = new Uint8Array(segment.documents);
    if (wanted !== undefined) excludeOtherRoles(segment, wanted, barred);
    for (const term of needed) {
      const has = new Uint8Array(segment.documents);
      for (const document of documentsWith(source, segment, term)) has[document] = 1;
      for (let document = 0; document < segment.documents; document += 1) {
        if (has[document] === 0) barred[document] = 1;
      }
    }
    for (const term of excluded) {
      for (const document of documentsWith(source, segment, term)) barred[document] = 1;
    }
    return barred;
  });
}

/** A title has no role of its own. */
function excludeOtherRoles(segment: Segment, wanted: number, barred: Uint8Array): void {
  for (let document = 0; document < segment.documents; document += 1) {
    const title = segment.places[document * 2 + 1] === TITLE_SLOT;
    if (title || segment.roles[document] !== wanted) barred[document] = 1;
  }
}

function documentsWith(source: SegmentSource, segment: Segment, term: string): Uint32Array {
  const list = postingList(source, segment, term);
  return list.documents.subarray(0, list.count);
}
