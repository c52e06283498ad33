/**
 * Derives the index of what this member pushed into a bucket, with the code that indexes the archives of this home. One
 * machine of a member at a time has the right to write it. A kill loses at most a segment that was not published: the next writer continues.
 */
import type { SharedCache } from "../../store/engine/shared.ts";
import { SegmentAssembly } from "../../store/engine/shared.ts";
import type { Row, TeamLink } from "../../store/postgres/statements.ts";
import { readPushed } from "../../store/shared/pushed.ts";
import { SHARED_FORMAT, type SharedSegment } from "../../store/shared/segment.ts";
import { Digester } from "../../sync/recording/digest.ts";
import { fetchTables, refreshCache } from "../finding/refresh.ts";
import { bytes, number, text } from "../finding/values.ts";
import { digestPushed, type Pushed } from "./digesting.ts";
import { publish } from "./upload.ts";

/** The lease of a writer lasts this long, and is renewed for every segment. */
const LEASE_SECONDS = 300;
/** The most pushed bytes and conversations of one segment. */
const MAX_SEGMENT_BYTES = 8 << 20;
const MAX_SEGMENT_CONVERSATIONS = 1000;
/** The most bytes of one answer, which a gateway limits. */
const MAX_FETCH_BYTES = 32 << 20;
/** This many segments of about the same size are merged into one. */
const SEGMENTS_PER_MERGE = 3;
/** Larger segments stay as they are: a merge holds its segments in memory. */
const MAX_MERGED_DOCUMENTS = 200_000;

export interface BucketIndexing {
  link: TeamLink;
  cache: SharedCache;
  /** The number of the member that this home belongs to: dex writes the part of the index with their conversations. */
  me: number;
  /** The file of the embedding model; undefined: no vectors. */
  model: string | undefined;
  now: () => number;
}

export interface Indexed {
  conversations: number;
  messages: number;
  merges: number;
}

/** Indexes everything that is pushed and not indexed. Undefined: another machine is doing it. */
export async function indexBucket(context: BucketIndexing, bucket: number): Promise<Indexed | undefined> {
  const { link } = context;
  const done: Indexed = { conversations: 0, messages: 0, merges: 0 };
  const digester = new Digester(context.model);
  for (;;) {
    const claimed = (await link.call("indexClaim", bucket, LEASE_SECONDS))[0]?.version;
    if (claimed === null || claimed === undefined) return undefined;
    await refreshCache(link, context.cache, context.now());
    const step = await nextSegment(context, digester, bucket, number(claimed), done);
    if (step === "done") break;
  }
  await link.call("indexClaim", bucket, 0);
  return done;
}

async function nextSegment(
  { link, cache, me }: BucketIndexing,
  digester: Digester,
  bucket: number,
  expected: number,
  done: Indexed,
): Promise<"more" | "done"> {
  const gone = (await link.call("goneConversations", [bucket]))
    .filter(({ own }) => own)
    .map(({ conv }) => number(conv));
  const pushed = await fetchPushed(link, cache, bucket);
  if (pushed.length === 0 && gone.length === 0) return mergeSmall({ link, me }, bucket, expected, done);
  const assembly = new SegmentAssembly(digester.model);
  try {
    const dropped = new Set([...gone, ...pushed.filter(({ before }) => !before).map(({ conv }) => conv)]);
    const replaces = [...new Set([...dropped].flatMap((conv) => cache.segmentsWith(bucket, conv)))].sort(
      (a, b) => a - b,
    );
    for (const segment of await fetchSegments(link, bucket, replaces)) assembly.replace(segment, dropped);
    const entries = pushed.map((each) => digestPushed(assembly, digester, each));
    const version = await publish(link, assembly.finish(), {
      bucket,
      expected,
      replaces,
      indexed: entries.map(({ conv, generation, bytes: size }) => ({ conv, generation, bytes: size })),
      cleared: gone,
    });
    if (version !== undefined) {
      done.conversations += entries.length;
      done.messages += pushed.reduce(
        (sum, { before }, i) => sum + (entries[i]?.totals.messages ?? 0) - (before?.totals.messages ?? 0),
        0,
      );
    }
    return "more";
  } finally {
    assembly.close();
  }
}

/** Conversations with pushed bytes that are not indexed, up to a limit. */
async function fetchPushed(link: TeamLink, cache: SharedCache, bucket: number): Promise<Pushed[]> {
  const rows = await link.call("unindexed", bucket, MAX_SEGMENT_CONVERSATIONS);
  const found: Pushed[] = [];
  let size = 0;
  for (const row of rows) {
    if (size >= MAX_SEGMENT_BYTES) break;
    const [conv, generation, complete] = [number(row.conv), number(row.generation), number(row.complete)];
    const known = number(row.indexed_generation) === generation ? cache.entry(bucket, conv) : undefined;
    const before = known?.generation === generation && known.bytes === number(row.indexed) ? known : undefined;
    const pushed =
      (before && (await readFrom(link, bucket, { conv, generation, complete }, before))) ??
      (await readFrom(link, bucket, { conv, generation, complete }, undefined));
    if (!pushed) continue;
    found.push(pushed);
    size += pushed.bytes.length;
  }
  return found;
}

/** Undefined if already indexed messages are replaced: then the conversation is read from its beginning. */
async function readFrom(
  link: TeamLink,
  bucket: number,
  { conv, generation, complete }: { conv: number; generation: number; complete: number },
  before: Pushed["before"],
): Promise<Pushed | undefined> {
  const place = before?.bytes ?? 0;
  const rows: Row[] = [];
  for (let from = place; from < complete; from += MAX_FETCH_BYTES) {
    const to = Math.min(from + MAX_FETCH_BYTES, complete);
    rows.push(...(await link.call("pushedBytes", bucket, conv, generation, from, to)));
  }
  const whole = Buffer.concat(rows.map((row) => bytes(row.data))).subarray(0, complete - place);
  const part = rows.length === 0 || number(rows[0]?.at) !== place ? undefined : readPushed(whole, place);
  if (!part || (before && part.from < before.totals.messages)) return undefined;
  return { conv, generation, bytes: whole, place, part, before };
}

/** Whole segments, in the order of their ids. */
async function fetchSegments(link: TeamLink, bucket: number, ids: readonly number[]): Promise<SharedSegment[]> {
  const found: SharedSegment[] = [];
  for (const id of ids) {
    const [[fetched], terms, groups, details] = await Promise.all([
      fetchTables(link, bucket, [id]),
      link.call("allTerms", bucket, id),
      link.call("allGroups", bucket, id),
      link.call("allDetails", bucket, id),
    ]);
    if (!fetched) continue;
    if ("damage" in fetched) throw fetched.damage;
    found.push({
      ...fetched.tables,
      terms: terms.map((row) => ({ first: text(row.first), data: bytes(row.data) })),
      groups: groups.map((row) => ({ id: number(row.id), vectors: bytes(row.vectors) })),
      details: details.map((row) => ({ first: number(row.first), data: bytes(row.data) })),
    });
  }
  return found;
}

/** Keeps the number of segments logarithmic in the number of documents. */
async function mergeSmall(
  { link, me }: Pick<BucketIndexing, "link" | "me">,
  bucket: number,
  expected: number,
  done: Indexed,
): Promise<"more" | "done"> {
  const tiers = new Map<number, { id: number; documents: number }[]>();
  for (const row of await link.call("segmentList", [bucket], SHARED_FORMAT)) {
    if (number(row.owner) !== me) continue;
    const documents = number(row.documents);
    const tier = Math.floor(Math.log(documents + 1) / Math.log(SEGMENTS_PER_MERGE));
    tiers.set(tier, [...(tiers.get(tier) ?? []), { id: number(row.segment), documents }]);
  }
  const full = [...tiers.values()].find(
    (segments) =>
      segments.length >= SEGMENTS_PER_MERGE &&
      segments.reduce((sum, { documents }) => sum + documents, 0) <= MAX_MERGED_DOCUMENTS,
  );
  if (!full) return "done";
  const replaces = full.map(({ id }) => id).sort((a, b) => a - b);
  const assembly = new SegmentAssembly(undefined);
  try {
    for (const segment of await fetchSegments(link, bucket, replaces)) assembly.replace(segment, new Set());
    const version = await publish(link, assembly.finish(), { bucket, expected, replaces, indexed: [], cleared: [] });
    if (version !== undefined) done.merges += 1;
    return "more";
  } finally {
    assembly.close();
  }
}
