/** Fetches all words and vectors of the projects that this home has, so that hooks and searches without the server find them. */
import type { SharedCache } from "../../store/engine/shared.ts";
import type { TeamLink } from "../../store/postgres/statements.ts";
import { bytes, number, text } from "./values.ts";

/** `maxBytes`: no further segment is fetched if the cache has more. Segments never change, so each is fetched once. */
export async function fetchWhole(
  link: TeamLink,
  cache: SharedCache,
  scopes: readonly string[],
  maxBytes: number,
): Promise<void> {
  for (const { id, bucket, segment } of cache.unheldSegments(scopes)) {
    if (cache.fetchedBytes > maxBytes) return;
    const [terms, groups] = await Promise.all([
      link.call("allTerms", bucket, segment),
      link.call("allGroups", bucket, segment),
    ]);
    // The segment was merged into another meanwhile, which the next contact brings.
    if (terms.length === 0) continue;
    cache.addWhole(
      id,
      terms.map((row) => ({ first: text(row.first), data: bytes(row.data) })),
      groups.map((row) => ({ id: number(row.id), vectors: bytes(row.vectors) })),
    );
  }
}
