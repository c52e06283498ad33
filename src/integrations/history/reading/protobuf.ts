/**
 * Reads Protocol Buffers without their definitions: fields by number, as bytes or numbers. Enough for the few fields
 * that dex needs from agents that store their messages in this form.
 */

/** A message inside a message is bytes until it is read as a message. */
export type ProtoValue = bigint | Uint8Array;

export class ProtoMessage {
  readonly #fields: ReadonlyMap<number, readonly ProtoValue[]>;

  private constructor(fields: ReadonlyMap<number, readonly ProtoValue[]>) {
    this.#fields = fields;
  }

  /** Undefined if the bytes are not a message. */
  static read(bytes: Uint8Array): ProtoMessage | undefined {
    const fields = readFields(bytes);
    return fields && new ProtoMessage(fields);
  }

  has(field: number): boolean {
    return this.#fields.has(field);
  }

  /** The numbers of the fields that are set, the one written last at the end: of alternatives, that one counts. */
  get numbers(): number[] {
    return [...this.#fields.keys()];
  }

  text(field: number): string | undefined {
    const value = this.#fields.get(field)?.at(-1);
    if (!(value instanceof Uint8Array)) return undefined;
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8");
  }

  number(field: number): number | undefined {
    const value = this.#fields.get(field)?.at(-1);
    return typeof value === "bigint" ? Number(BigInt.asIntN(64, value)) : undefined;
  }

  /** A field that holds a number with a fraction. */
  double(field: number): number | undefined {
    const value = this.#fields.get(field)?.at(-1);
    if (typeof value !== "bigint") return undefined;
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setBigUint64(0, value);
    const number = bytes.getFloat64(0);
    return Number.isFinite(number) ? number : undefined;
  }

  message(field: number): ProtoMessage | undefined {
    return this.messages(field).at(-1);
  }

  messages(field: number): ProtoMessage[] {
    const values = this.#fields.get(field) ?? [];
    return values.flatMap((value) => (value instanceof Uint8Array ? (ProtoMessage.read(value) ?? []) : []));
  }

  /** The text at a path of fields. */
  textAt(...path: readonly number[]): string | undefined {
    const last = path.at(-1);
    return last === undefined ? undefined : this.messageAt(...path.slice(0, -1))?.text(last);
  }

  messageAt(...path: readonly number[]): ProtoMessage | undefined {
    let found: ProtoMessage | undefined = this;
    for (const field of path) found = found?.message(field);
    return found;
  }

  /** The texts of all fields, inner messages included, in order. */
  texts(depth = 6): string[] {
    return [...this.#fields.values()].flat().flatMap((value) => {
      if (!(value instanceof Uint8Array)) return [];
      const inner = depth > 0 ? ProtoMessage.read(value) : undefined;
      const inside = inner && value.length > 0 ? inner.texts(depth - 1) : [];
      return inside.length > 0 ? inside : printable(value);
    });
  }
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

function printable(bytes: Uint8Array): string[] {
  try {
    const text = DECODER.decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters tell bytes from text
    return text === "" || /[\u0000-\u0008\u000e-\u001f]/.test(text) ? [] : [text];
  } catch {
    return [];
  }
}

function readFields(bytes: Uint8Array): Map<number, ProtoValue[]> | undefined {
  const fields = new Map<number, ProtoValue[]>();
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) {
    const key = varint(reader);
    if (key === undefined) return undefined;
    const field = Number(key >> 3n);
    const value = fieldValue(reader, Number(key & 7n));
    if (field === 0 || value === undefined) return undefined;
    const values = fields.get(field) ?? [];
    values.push(value);
    fields.delete(field);
    fields.set(field, values);
  }
  return fields;
}

interface Reader {
  bytes: Uint8Array;
  at: number;
}

function fieldValue(reader: Reader, wire: number): ProtoValue | undefined {
  switch (wire) {
    case 0:
      return varint(reader);
    case 1:
      return fixed(take(reader, 8));
    case 2: {
      const length = varint(reader);
      return length === undefined || length > BigInt(reader.bytes.length) ? undefined : take(reader, Number(length));
    }
    case 5:
      return fixed(take(reader, 4));
    default:
      return undefined;
  }
}

/** A number of a fixed length, its lowest byte first. */
function fixed(bytes: Uint8Array | undefined): bigint | undefined {
  return bytes?.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function take(reader: Reader, length: number): Uint8Array | undefined {
  const end = reader.at + length;
  if (end > reader.bytes.length) return undefined;
  const value = reader.bytes.subarray(reader.at, end);
  reader.at = end;
  return value;
}

const MAX_VARINT_BYTES = 10;

function varint(reader: Reader): bigint | undefined {
  let value = 0n;
  for (let count = 0; count < MAX_VARINT_BYTES; count += 1) {
    const byte = reader.bytes[reader.at];
    if (byte === undefined) return undefined;
    reader.at += 1;
    value |= BigInt(byte & 0x7f) << BigInt(7 * count);
    if (byte < 0x80) return value;
  }
  return undefined;
}
