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

/** Made when the first block is read: most commands read none, and making them takes as long as a search. */
let made: ReturnType<typeof makeSchemas> | undefined;

function schemas(): ReturnType<typeof makeSchemas> {
  made ??= makeSchemas();
  return made;
}

function makeSchemas() {
  const count = z.number().int().nonnegative();
  const row = z.tuple([count, z.number().nullable(), count, count, count, count, z.string()]);
  const details = z.array(z.tuple([row.nullable(), z.string().nullable()]));
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
  return { details, entries };
}

export function packDetails(details: readonly Detail[]): Uint8Array {
  return pack(details.map(({ row, order }) => [row, order && Buffer.from(order).toString("base64")]));
}

export function unpackDetails(data: Uint8Array): Detail[] {
  return parsed(schemas().details, data).map(([row, order]) => ({
    row,
    order: order === null ? null : new Uint8Array(Buffer.from(order, "base64")),
  }));
}

export function packEntries(entries: readonly SharedEntry[]): Uint8Array {
  return pack(entries);
}

export function unpackEntries(data: Uint8Array): SharedEntry[] {
  return parsed(schemas().entries, data) as SharedEntry[];
}

function pack(value: unknown): Uint8Array {
  return uninterrupted(() => zstdCompressSync(JSON.stringify(value), { params: compression() }));
}

function parsed<T>(schema: z.ZodType<T>, data: Uint8Array): T {
  try {
    const text = uninterrupted(() => zstdDecompressSync(data, { maxOutputLength: MAX_PACKED_BYTES })).toString("utf8");
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new DamagedBlock(`a block of a shared segment cannot be read: ${String(error).slice(0, 200)}`);
  }
}
