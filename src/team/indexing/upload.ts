/** Sends an assembled segment to the server, piece by piece; its last call publishes it instead of others. */
import type { TeamLink } from "../../store/postgres/statements.ts";
import { packEntries } from "../../store/shared/entries.ts";
import { SHARED_FORMAT, type SharedSegment } from "../../store/shared/segment.ts";
import { number } from "../finding/values.ts";

/** Bytes and pieces of one call. */
const MAX_CALL_BYTES = 8 << 20;
const MAX_CALL_PIECES = 10_000;
/** Entries of one block: a conversation of thousands of messages has some kilobytes. */
const ENTRIES_PER_BLOCK = 500;

export interface Publication {
  bucket: number;
  /** The version of the list of segments that the writer saw. */
  expected: number;
  replaces: readonly number[];
  indexed: readonly { conv: number; generation: number; bytes: number }[];
  cleared: readonly number[];
}

/** The new version of the list; undefined: another writer was faster. */
export async function publish(
  link: TeamLink,
  segment: SharedSegment | undefined,
  { bucket, expected, replaces, indexed, cleared }: Publication,
): Promise<number | undefined> {
  const id = segment ? await send(link, bucket, segment) : null;
  const [row] = await link.call(
    "putSegment",
    bucket,
    id,
    expected,
    replaces,
    segment?.documents ?? 0,
    segment?.words ?? 0,
    segment?.checksum ?? 0,
    segment ? new Uint8Array(segment.places.buffer, segment.places.byteOffset, segment.places.byteLength) : null,
    segment?.roles ?? null,
    segment?.lengths ?? null,
    indexed,
    cleared,
  );
  return row?.version === null || row?.version === undefined ? undefined : number(row.version);
}

async function send(link: TeamLink, bucket: number, segment: SharedSegment): Promise<number> {
  const id = number((await link.call("segmentBegin", bucket, SHARED_FORMAT))[0]?.id);
  const entries: { first: number; data: Uint8Array }[] = [];
  for (let first = 0; first < segment.entries.length; first += ENTRIES_PER_BLOCK) {
    entries.push({ first, data: packEntries(segment.entries.slice(first, first + ENTRIES_PER_BLOCK)) });
  }
  const put = (kind: string) => (directory: object[], data: Uint8Array) =>
    link.call("segmentBlocks", bucket, id, kind, directory, data);
  await inCalls(segment.terms, ({ first, data }) => [{ first }, [data]], put("term"));
  await inCalls(segment.vectors, ({ owners, codes, ...block }) => [block, [owners, codes]], put("vector"), [
    "owners_",
    "codes_",
  ]);
  await inCalls(segment.groups, ({ id: group, vectors }) => [{ id: group }, [vectors]], put("rows"));
  await inCalls(segment.details, ({ first, data }) => [{ first }, [data]], put("detail"));
  await inCalls(entries, ({ first, data }) => [{ first }, [data]], put("entries"));
  return id;
}

/** `names`: before `at` and `length` of each piece of an item. */
async function inCalls<T>(
  items: readonly T[],
  split: (item: T) => [object, Uint8Array[]],
  call: (directory: object[], data: Uint8Array) => Promise<unknown>,
  names: readonly string[] = [""],
): Promise<void> {
  let directory: object[] = [];
  let pieces: Uint8Array[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (directory.length > 0) await call(directory, Buffer.concat(pieces));
    [directory, pieces, size] = [[], [], 0];
  };
  for (const item of items) {
    const [entry, parts] = split(item);
    const placed: Record<string, number> = {};
    for (const [i, part] of parts.entries()) {
      placed[`${names[i]}at`] = size;
      placed[`${names[i]}length`] = part.length;
      pieces.push(part);
      size += part.length;
    }
    directory.push({ ...entry, ...placed });
    if (size >= MAX_CALL_BYTES || directory.length >= MAX_CALL_PIECES) await flush();
  }
  await flush();
}
