/** Packs the details of a shared segment: the rows and word orders of runs of its documents. Hooks load this file. */
import { pack, unpack } from "./packed.ts";

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

export function packDetails(details: readonly Detail[]): Uint8Array {
  return pack(details.map(({ row, order }) => [row, order && Buffer.from(order).toString("base64")]));
}

export function unpackDetails(data: Uint8Array): Detail[] {
  return unpack(data, detailsOf);
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
    (time === null || isTime(time)) &&
    typeof head === "string";
  if (!isRow) throw new Error("not the row of a message");
  return row as unknown as DetailRow;
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error("not a list");
  return value;
}

/** Milliseconds that a Date can have. */
function isTime(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) <= 8.64e15;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
