/**
 * Brings the list of segments in the cache up to date. Where nothing has changed this is one small statement; a new
 * segment brings its tables and the codes of its vectors with it.
 */
import type { Json } from "../../kernel/json.ts";
import { DamagedBlock } from "../../ranking/terms/damage.ts";
import { CHECKED, type SharedCache } from "../../store/engine/shared.ts";
import type { Row, TeamLink } from "../../store/postgres/statements.ts";
import { unpackEntries } from "../../store/shared/entries.ts";
import { SHARED_FORMAT, type SharedTables } from "../../store/shared/segment.ts";
import type { BucketUpdate, SharedIdentity } from "../../store/shared/updates.ts";
import { bytes, number, text, words } from "./values.ts";

/** Segments may be merged while they are fetched; then the list is read again. */
const MAX_TRIES = 5;
/** Segments that are fetched by one statement. */
const SEGMENTS_PER_FETCH = 64;

export interface Visible {
  bucket: number;
  scope: string;
  version: number;
}

/** The buckets that this member sees. */
export async function visibleBuckets(link: TeamLink): Promise<Visible[]> {
  const rows = await link.call("visibleBuckets");
  return rows.map((row) => ({ bucket: number(row.bucket), scope: text(row.scope), version: number(row.version) }));
}

/** `visible`: the answer of the server, where it was asked already. */
export async function refreshCache(
  link: TeamLink,
  cache: SharedCache,
  now: number,
  visible: Visible[] | Promise<Visible[]> = visibleBuckets(link),
): Promise<void> {
  let buckets = await visible;
  for (let tries = 1; ; tries += 1) {
    const known = cache.versions();
    const changed = buckets.filter(({ bucket, version }) => known.get(bucket) !== version);
    const updates = changed.length === 0 ? [] : await updatesOf(link, cache, changed);
    const all = buckets.map(({ bucket }) => bucket);
    if (updates || tries === MAX_TRIES) {
      cache.update(all, updates ?? []);
      cache.setValue(CHECKED, now);
      return;
    }
    buckets = await visibleBuckets(link);
  }
}

/** Undefined: a segment of the list no longer exists. */
async function updatesOf(
  link: TeamLink,
  cache: SharedCache,
  changed: readonly Visible[],
): Promise<BucketUpdate[] | undefined> {
  const ids = changed.map(({ bucket }) => bucket);
  const [hello, members, machines, segments, gone, notes] = await Promise.all([
    link.call("hello"),
    link.call("members"),
    link.call("machines"),
    link.call("segmentList", ids, SHARED_FORMAT),
    link.call("goneConversations", ids),
    link.call("sharedNotes", ids),
  ]);
  const me = number((hello[0]?.hello as Row | undefined)?.member);
  const names = new Map(members.map((row) => [number(row.member), text(row.name)]));
  const devices = new Map(machines.map((row) => [number(row.device), text(row.machine)]));
  const updates: BucketUpdate[] = [];
  for (const { bucket, scope, version } of changed) {
    const listed = segments.filter((row) => number(row.bucket) === bucket).map((row) => number(row.segment));
    const cached = new Set(cache.segmentsOf(bucket).map(({ segment }) => segment));
    const fresh = listed.filter((segment) => !cached.has(segment));
    const added: { segment: number; tables: SharedTables }[] = [];
    for (let at = 0; at < fresh.length; at += SEGMENTS_PER_FETCH) {
      added.push(...(await fetchTables(link, bucket, fresh.slice(at, at + SEGMENTS_PER_FETCH))));
    }
    if (added.length < fresh.length) return undefined;
    const convs = [...new Set(added.flatMap(({ tables }) => tables.entries.map(({ conv }) => conv)))];
    const rows = convs.length === 0 ? [] : await link.call("identities", bucket, convs);
    const identities = rows.map(
      (row): SharedIdentity => ({
        conv: number(row.conv),
        owner: names.get(number(row.owner)) ?? "",
        own: number(row.owner) === me,
        machine: devices.get(number(row.device)) ?? "",
      }),
    );
    const removed = gone.filter((row) => number(row.bucket) === bucket).map((row) => number(row.conv));
    const said = notes
      .filter((row) => number(row.bucket) === bucket)
      .map((row) => ({
        owner: names.get(number(row.owner)) ?? "",
        own: number(row.owner) === me,
        kind: text(row.kind),
        id: text(row.id),
        body: row.body as Json,
        at: number(row.at),
      }));
    updates.push({ bucket, scope, version, segments: listed, added, identities, gone: removed, notes: said });
  }
  return updates;
}

/** The tables of segments; one that was merged into another meanwhile is missing. */
export async function fetchTables(
  link: TeamLink,
  bucket: number,
  segments: readonly number[],
): Promise<{ segment: number; tables: SharedTables }[]> {
  const pairs = segments.map((segment) => [bucket, segment]);
  const [tables, vectors, entries] = await Promise.all([
    link.call("segmentTables", pairs),
    link.call("segmentVectors", pairs),
    link.call("segmentEntries", pairs),
  ]);
  return tables.map((row) => {
    const segment = number(row.segment);
    const documents = number(row.documents);
    const places = words(row.places);
    if (places.length !== documents * 2) throw new DamagedBlock("a shared segment's tables differ in length");
    return {
      segment,
      tables: {
        documents,
        places,
        roles: bytes(row.roles),
        lengths: bytes(row.lengths),
        words: number(row.words),
        checksum: number(row.checksum),
        vectors: vectors
          .filter((each) => number(each.segment) === segment)
          .map((each) => ({
            model: text(each.model),
            dims: number(each.dims),
            first: number(each.first),
            documents: number(each.documents),
            owners: bytes(each.owners),
            codes: bytes(each.codes),
            base: number(each.base),
            checksum: number(each.checksum),
          })),
        entries: entries
          .filter((each) => number(each.segment) === segment)
          .flatMap((each) => unpackEntries(bytes(each.data))),
      },
    };
  });
}
