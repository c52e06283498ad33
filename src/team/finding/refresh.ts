/**
 * Brings the list of segments in the cache up to date. Where nothing has changed this is one small statement; a new
 * segment brings its tables and the codes of its vectors with it.
 */
import type { Json } from "../../kernel/json.ts";
import { DamagedBlock } from "../../ranking/terms/damage.ts";
import { CHECKED, checkTables, type SharedCache } from "../../store/engine/shared.ts";
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

/** `visible`: the server's answer, if it was already asked. */
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

/** The names behind the numbers of members and machines. */
interface People {
  me: number;
  names: ReadonlyMap<number, string>;
  machines: ReadonlyMap<number, string>;
}

/** Undefined: a segment of the list no longer exists. */
async function updatesOf(
  link: TeamLink,
  cache: SharedCache,
  changed: readonly Visible[],
): Promise<BucketUpdate[] | undefined> {
  const ids = changed.map(({ bucket }) => bucket);
  const [hello, members, devices, segments, gone, notes] = await Promise.all([
    link.call("hello"),
    link.call("members"),
    link.call("machines"),
    link.call("segmentList", ids, SHARED_FORMAT),
    link.call("goneConversations", ids),
    link.call("sharedNotes", ids),
  ]);
  const people: People = {
    me: number((hello[0]?.hello as Row | undefined)?.member),
    names: new Map(members.map((row) => [number(row.member), text(row.name)])),
    machines: new Map(devices.map((row) => [number(row.device), text(row.machine)])),
  };
  const nameOf = (member: unknown): string => people.names.get(number(member)) ?? "";
  const updates: BucketUpdate[] = [];
  for (const { bucket, scope, version } of changed) {
    const listed = segments
      .filter((row) => number(row.bucket) === bucket)
      .map((row) => ({ segment: number(row.segment), owner: number(row.owner) }));
    const known = new Set([...cache.segmentsOf(bucket).map(({ segment }) => segment), ...cache.refusedOf(bucket)]);
    const fresh = listed.filter(({ segment }) => !known.has(segment));
    const news = await newsOf(link, bucket, fresh, people);
    if (!news) return undefined;
    const removed = gone.filter((row) => number(row.bucket) === bucket).map((row) => number(row.conv));
    const said = notes
      .filter((row) => number(row.bucket) === bucket)
      .map((row) => ({
        owner: nameOf(row.owner),
        own: number(row.owner) === people.me,
        kind: text(row.kind),
        id: text(row.id),
        body: row.body as Json,
        at: number(row.at),
      }));
    updates.push({
      ...{ bucket, scope, version, segments: listed.map(({ segment }) => segment), ...news },
      ...{ gone: removed, notes: said },
    });
  }
  return updates;
}

type News = Pick<BucketUpdate, "added" | "refused" | "identities">;

/** The new segments of a bucket: the usable ones, and those whose data is not valid, with their writers. */
async function newsOf(
  link: TeamLink,
  bucket: number,
  fresh: readonly { segment: number; owner: number }[],
  { me, names, machines }: People,
): Promise<News | undefined> {
  const added: { segment: number; owner: string; tables: SharedTables }[] = [];
  const refused: { segment: number; owner: string }[] = [];
  const identities = new Map<number, SharedIdentity>();
  const writers = new Map(fresh.map(({ segment, owner }) => [segment, owner]));
  for (let at = 0; at < fresh.length; at += SEGMENTS_PER_FETCH) {
    const asked = fresh.slice(at, at + SEGMENTS_PER_FETCH).map(({ segment }) => segment);
    const fetched = await fetchTables(link, bucket, asked);
    if (fetched.length < asked.length) return undefined;
    const rows = await identitiesOf(link, bucket, fetched);
    for (const each of fetched) {
      const writer = writers.get(each.segment) ?? 0;
      const owner = names.get(writer) ?? "";
      const ofOthers = (conv: number): boolean => number(rows.get(conv)?.owner ?? writer) !== writer;
      if (isRefused(each, ofOthers)) refused.push({ segment: each.segment, owner });
      else if ("tables" in each) added.push({ segment: each.segment, owner, tables: each.tables });
    }
    for (const { tables } of added) {
      for (const { conv } of tables.entries) {
        const row = rows.get(conv);
        if (!row || identities.has(conv)) continue;
        const owner = names.get(number(row.owner)) ?? "";
        const machine = machines.get(number(row.device)) ?? "";
        identities.set(conv, { conv, owner, own: number(row.owner) === me, machine });
      }
    }
  }
  return { added, refused, identities: [...identities.values()] };
}

function isRefused(fetched: FetchedTables, ofOthers: (conv: number) => boolean): boolean {
  if ("damage" in fetched) return true;
  try {
    checkTables(fetched.tables, (conv) => !ofOthers(conv));
    return false;
  } catch (error) {
    if (error instanceof DamagedBlock) return true;
    throw error;
  }
}

/** The members and machines that pushed the conversations of these segments, as far as the server still has them. */
async function identitiesOf(
  link: TeamLink,
  bucket: number,
  fetched: readonly FetchedTables[],
): Promise<ReadonlyMap<number, Row>> {
  const convs = new Set<number>();
  for (const each of fetched) {
    if ("damage" in each) continue;
    for (const { conv } of each.tables.entries) convs.add(conv);
    for (let at = 0; at < each.tables.places.length; at += 2) convs.add(each.tables.places[at] as number);
  }
  // The server has no larger numbers, so such a number means no conversation.
  const asked = [...convs].filter((conv) => conv < 2 ** 31);
  const rows = asked.length === 0 ? [] : await link.call("identities", bucket, asked);
  return new Map(rows.map((row) => [number(row.conv), row]));
}

/** The tables of a segment; or why they cannot be read. */
export type FetchedTables = { segment: number; tables: SharedTables } | { segment: number; damage: DamagedBlock };

/** The tables of segments; one that was merged into another meanwhile is missing. */
export async function fetchTables(
  link: TeamLink,
  bucket: number,
  segments: readonly number[],
): Promise<FetchedTables[]> {
  const pairs = segments.map((segment) => [bucket, segment]);
  const [tables, vectors, entries] = await Promise.all([
    link.call("segmentTables", pairs),
    link.call("segmentVectors", pairs),
    link.call("segmentEntries", pairs),
  ]);
  return tables.map((row): FetchedTables => {
    const segment = number(row.segment);
    const ofSegment = (each: Row): boolean => number(each.segment) === segment;
    try {
      return { segment, tables: tablesOf(row, vectors.filter(ofSegment), entries.filter(ofSegment)) };
    } catch (error) {
      if (error instanceof DamagedBlock) return { segment, damage: error };
      throw error;
    }
  });
}

function tablesOf(row: Row, vectors: readonly Row[], entries: readonly Row[]): SharedTables {
  return {
    documents: number(row.documents),
    places: words(row.places),
    roles: bytes(row.roles),
    lengths: bytes(row.lengths),
    words: number(row.words),
    checksum: number(row.checksum),
    vectors: vectors.map((each) => ({
      model: text(each.model),
      dims: number(each.dims),
      first: number(each.first),
      documents: number(each.documents),
      owners: bytes(each.owners),
      codes: bytes(each.codes),
      base: number(each.base),
      checksum: number(each.checksum),
    })),
    entries: unpackEntries(entries.map((each) => bytes(each.data))),
  };
}
