/** Writes MessagePack, for tests. */

/** A value of a program's own type. */
export class Extended {
  readonly type: number;
  readonly payload: Uint8Array;

  constructor(type: number, payload: Uint8Array) {
    this.type = type;
    this.payload = payload;
  }
}

/** Uses the shortest form of each value. */
export function msgpack(value: unknown): Buffer {
  if (value === null || value === undefined) return Buffer.of(0xc0);
  if (typeof value === "boolean") return Buffer.of(value ? 0xc3 : 0xc2);
  if (typeof value === "number" || typeof value === "bigint") return numberBytes(value);
  if (typeof value === "string") {
    const bytes = Buffer.from(value);
    return Buffer.concat([head(bytes.length, 0xa0, 32, [0xd9, 0xda, 0xdb]), bytes]);
  }
  if (value instanceof Extended) return extendedBytes(value);
  if (value instanceof Uint8Array) return Buffer.concat([head(value.length, 0, 0, [0xc4, 0xc5, 0xc6]), value]);
  if (Array.isArray(value))
    return Buffer.concat([head(value.length, 0x90, 16, [0, 0xdc, 0xdd]), ...value.map(msgpack)]);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Buffer.concat([
    head(entries.length, 0x80, 16, [0, 0xde, 0xdf]),
    ...entries.flatMap(([key, each]) => [msgpack(key), msgpack(each)]),
  ]);
}

/** `tags`: of lengths of one, two and four bytes; 0 if the form has no such length. */
function head(length: number, base: number, limit: number, tags: readonly [number, number, number]): Buffer {
  if (length < limit) return Buffer.of(base | length);
  const size = length < 0x100 && tags[0] !== 0 ? 1 : length < 0x10000 ? 2 : 4;
  const bytes = Buffer.alloc(1 + size);
  bytes[0] = tags[size >> 1] ?? 0;
  bytes.writeUIntBE(length, 1, size);
  return bytes;
}

function numberBytes(value: number | bigint): Buffer {
  const number = Number(value);
  if (typeof value === "number" && !Number.isInteger(value)) {
    const bytes = Buffer.alloc(9, 0xcb);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (number >= -32 && number < 128) return Buffer.of(number & 0xff);
  const isNegative = number < 0;
  const size = [1, 2, 4].find((bytes) => (isNegative ? number >= -(2 ** (8 * bytes - 1)) : number < 2 ** (8 * bytes)));
  const bytes = Buffer.alloc(1 + (size ?? 8));
  bytes[0] = (isNegative ? 0xd0 : 0xcc) + Math.log2(size ?? 8);
  if (size === undefined && isNegative) bytes.writeBigInt64BE(BigInt(value), 1);
  else if (size === undefined) bytes.writeBigUInt64BE(BigInt(value), 1);
  else if (isNegative) bytes.writeIntBE(number, 1, size);
  else bytes.writeUIntBE(number, 1, size);
  return bytes;
}

function extendedBytes({ type, payload }: Extended): Buffer {
  const fixed = [1, 2, 4, 8, 16].indexOf(payload.length);
  const start = fixed >= 0 ? Buffer.of(0xd4 + fixed) : head(payload.length, 0, 0, [0xc7, 0xc8, 0xc9]);
  return Buffer.concat([start, Buffer.of(type & 0xff), payload]);
}
