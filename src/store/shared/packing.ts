/** Packs details and entries of a shared segment. They come from a server, so every field is checked. */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import * as z from "zod";
import { DamagedBlock } from "../../ranking/terms/damage.ts";
import { uninterrupted } from "../../threads/uninterrupted.ts";
import type { SharedEntry } from "./segment.ts";

const compression = () => ({ [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 });
const MAX_PACKED_BYTES = 256 << 20;

/** The row of a message in the index; null for a title. */
export type DetailRow = readonly [
  role: number,
  time: number | null,
  tokens: number,
  stripped: number,
  user: number,
  hash: number,
  head: string,
];

export interface Detail {
  row: DetailRow | null;
  /** The codes of its words in their order. */
  order: Uint8Array | null;
}

/** Made when the first entries are read: most commands read none, and making it takes as long as a search. */
let entriesSchema: ReturnType<typeof makeEntriesSchema> | undefined;

function makeEntriesSchema() {
  const count = z.number().int().nonnegative();
  const totals = z.object({
    messages: count,
    tokens: count,
    tokens_stripped: count,
    tokens_user: count,
    first: z.number().nullable(),
    last: z.number().nullable(),
    prompt: z.string().nullable(),
  });
  const entries = z.array(
    z.object({
      conv: count,
      generation: count,
      bytes: count,
      meta: z.looseObject({ id: z.string(), source: z.string() }),
      totals,
      titled: count.nullable(),
      blocks: z.array(z.object({ first: count, count, offset: count, length: count })),
      files: z.array(z.object({ path: z.string(), how: z.enum(["edited", "read", "mentioned"]), first: count })),
      commits: z.array(z.object({ first: count, sha: z.string(), subject: z.string() })),
    }),
  );
  return entries;
}

export function packDetails(details: readonly Detail[]): Uint8Array {
  return pack(details.map(({ row, order }) => [row, order && Buffer.from(order).toString("base64")]));
}

export function unpackDetails(data: Uint8Array): Detail[] {
  return parsed(data, detailsOf);
}

export function packEntries(entries: readonly SharedEntry[]): Uint8Array {
  return pack(entries);
}

export function unpackEntries(data: Uint8Array): SharedEntry[] {
  entriesSchema ??= makeEntriesSchema();
  const schema = entriesSchema;
  return parsed(data, (value) => schema.parse(value)) as SharedEntry[];
}

function pack(value: unknown): Uint8Array {
  return uninterrupted(() => zstdCompressSync(JSON.stringify(value), { params: compression() }));
}

/** A question reads thousands of details: these checks take a tenth of the time of a schema. */
function detailsOf(value: unknown): Detail[] {
  return listOf(value).map((detail) => {
    const [row, order, ...more] = listOf(detail);
    if (more.length > 0 || (order !== null && typeof order !== "string")) throw new Error("not a detail");
    return {
      row: row === null ? null : rowOf(listOf(row)),
      order: order === null ? null : new Uint8Array(Buffer.from(order, "base64")),
    };
  });
}

function rowOf(row: readonly unknown[]): DetailRow {
  const [role, time, tokens, stripped, user, hash, head, ...more] = row;
  const isRow =
    more.length === 0 &&
    [role, tokens, stripped, user, hash].every(isCount) &&
    (time === null || Number.isFinite(time)) &&
    typeof head === "string";
  if (!isRow) throw new Error("not the row of a message");
  return row as unknown as DetailRow;
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error("not a list");
  return value;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function parsed<T>(data: Uint8Array, read: (value: unknown) => T): T {
  try {
    const text = uninterrupted(() => zstdDecompressSync(data, { maxOutputLength: MAX_PACKED_BYTES })).toString("utf8");
    return read(JSON.parse(text));
  } catch (error) {
    throw new DamagedBlock(`a block of a shared segment cannot be read: ${String(error).slice(0, 200)}`);
  }
}
