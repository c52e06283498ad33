/**
 * How calls and answers travel between a member's dex and the gateway: the length of a header (four bytes), the header as
 * JSON, and then the bytes of all binary values in their order. In the header, a binary value is `[0, length]`, an object
 * or list is `[1, value]`, and everything else stands for itself.
 */
import { asArray, asNumber, asObject, asString, type Json, parseJson } from "../../kernel/json.ts";
import type { Row } from "../postgres/statements.ts";

export const CALL_PATH = "/v1/call/";
export const HEALTH_PATH = "/v1/health";
export const CONTENT_TYPE = "application/vnd.dex.call";
/** Marks an answer of dex's gateway, as opposed to one of a proxy in front of it. */
export const GATEWAY_HEADER = "dex-gateway";

/** The server accepts 32 MiB of data and 8 MiB of a directory. */
export const MAX_CALL_BYTES: number = 41 << 20;
export const MAX_ANSWER_BYTES: number = 128 << 20;
const MAX_HEADER_BYTES = 16 << 20;

/** A value that is a part of a call or a row. */
export type Value = string | number | boolean | null | Uint8Array | object;

/** The bytes are not a message in this form. */
export class MalformedMessage extends Error {}

/** Collects the values of one message. */
export class Packer {
  readonly #pieces: Uint8Array[] = [];

  add(value: unknown): Json {
    if (value instanceof Uint8Array) {
      this.#pieces.push(value);
      return [0, value.length];
    }
    if (typeof value === "object" && value !== null) return [1, value as Json];
    return (value ?? null) as Json;
  }

  /** The message, in pieces. */
  finish(header: Json): Uint8Array[] {
    const text = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    return [length, text, ...this.#pieces];
  }
}

/** The header and a reader of its values, which must be read in their order. */
class Unpacker {
  readonly header: Json;
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer) {
    if (bytes.length < 4) throw new MalformedMessage("a message without a header");
    const length = bytes.readUInt32LE();
    if (length > MAX_HEADER_BYTES || length > bytes.length - 4) throw new MalformedMessage("a header without an end");
    const header = parseJson(bytes.toString("utf8", 4, 4 + length));
    if (header === undefined) throw new MalformedMessage("a header that is not JSON");
    this.header = header;
    this.#bytes = bytes;
    this.#at = 4 + length;
  }

  value(packed: Json): Value {
    if (!Array.isArray(packed)) {
      if (typeof packed === "object" && packed !== null) throw new MalformedMessage("an object without its mark");
      return packed;
    }
    const [kind, value] = packed;
    if (packed.length !== 2 || value === undefined) throw new MalformedMessage("a value without its mark");
    if (kind === 1 && typeof value === "object" && value !== null) return value;
    const isLength = kind === 0 && typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
    if (!isLength || value > this.#bytes.length - this.#at) throw new MalformedMessage("a value of unknown form");
    this.#at += value;
    return this.#bytes.subarray(this.#at - value, this.#at);
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new MalformedMessage("bytes that no value has");
  }
}

export function packCall(parameters: readonly Value[]): Uint8Array[] {
  const packer = new Packer();
  return packer.finish(parameters.map((value) => packer.add(value)));
}

export function unpackCall(bytes: Buffer): Value[] {
  const unpacker = new Unpacker(bytes);
  if (!Array.isArray(unpacker.header)) throw new MalformedMessage("a call without parameters");
  const values = unpacker.header.map((each) => unpacker.value(each));
  unpacker.end();
  return values;
}

/** Rows of one answer, packed as they come. */
export class AnswerPacker {
  readonly #packer = new Packer();
  #columns: string[] | undefined;
  readonly #rows: Json[] = [];

  /** Returns the approximate size of the row in bytes. */
  add(row: Row): number {
    this.#columns ??= Object.keys(row);
    let bytes = 0;
    const values = this.#columns.map((column) => {
      const value = row[column];
      bytes += sizeOf(value);
      return this.#packer.add(value);
    });
    this.#rows.push(values);
    return bytes;
  }

  get rows(): number {
    return this.#rows.length;
  }

  finish(): Uint8Array[] {
    return this.#packer.finish({ columns: this.#columns ?? [], rows: this.#rows });
  }
}

function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array || typeof value === "string") return value.length + 8;
  return typeof value === "object" && value !== null ? JSON.stringify(value).length : 8;
}

export function unpackAnswer(bytes: Buffer): Row[] {
  const unpacker = new Unpacker(bytes);
  const { columns, rows } = asObject(unpacker.header);
  const names = asArray(columns).map((name) => asString(name) ?? "");
  const unpacked = asArray(rows).map((row): Row => {
    const values = asArray(row);
    if (values.length !== names.length) throw new MalformedMessage("a row without some of its columns");
    return Object.fromEntries(names.map((name, i) => [name, unpacker.value(values[i] as Json)]));
  });
  unpacker.end();
  return unpacked;
}

/** The reason of a refusal: a code of dex's functions (`DX…`) or of PostgreSQL, or a word of the gateway. */
export function packRefusal(code: string, retrySeconds?: number): string {
  return JSON.stringify({ error: { code, ...(retrySeconds === undefined ? {} : { retry_seconds: retrySeconds }) } });
}

export function unpackRefusal(bytes: Buffer): { code: string; retrySeconds: number } {
  const error = asObject(asObject(parseJson(bytes.toString("utf8"))).error);
  return { code: asString(error.code) ?? "", retrySeconds: asNumber(error.retry_seconds) ?? 0 };
}
