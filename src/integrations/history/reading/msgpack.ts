/**
 * MessagePack, in which some programs store values in their databases, read into the forms of JSON.
 *
 * The bytes come from a foreign file, so every amount in them has a limit: how deep values are nested, and how many there
 * are. A length is never trusted before the bytes that it counts are there.
 */
import type { Json } from "../../../kernel/json.ts";

/**
 * The JSON form of a value of a program's own type. `decode` reads MessagePack inside its payload, within the limits of
 * the whole; it returns undefined if the payload is not MessagePack.
 */
type Extension = (type: number, payload: Uint8Array, decode: (bytes: Uint8Array) => Json | undefined) => Json;

const MAX_DEPTH = 100;
const MAX_VALUES = 4_000_000;

/** Undefined if the bytes are not exactly one value, or exceed the limits. */
export function decodeMsgpack(bytes: Uint8Array, extension: Extension = () => null): Json | undefined {
  return new Decoder(extension).whole(bytes, 0);
}

class Malformed extends Error {}

class Decoder {
  readonly #extension: Extension;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #values = 0;
  #isKey = false;

  constructor(extension: Extension) {
    this.#extension = extension;
  }

  whole(bytes: Uint8Array, depth: number): Json | undefined {
    const [outer, at] = [this.#bytes, this.#at];
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = 0;
    try {
      const value = this.#value(depth);
      return this.#at === this.#bytes.length ? value : undefined;
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      return undefined;
    } finally {
      this.#bytes = outer;
      this.#at = at;
    }
  }

  #value(depth: number): Json {
    this.#values += 1;
    if (depth > MAX_DEPTH || this.#values > MAX_VALUES) throw new Malformed();
    const head = this.#unsigned(1);
    if (head < 0x80) return head;
    if (head < 0x90) return this.#map(head & 0x0f, depth);
    if (head < 0xa0) return this.#array(head & 0x0f, depth);
    if (head < 0xc0) return this.#text(head & 0x1f);
    if (head >= 0xe0) return head - 0x100;
    return this.#tagged(head, depth);
  }

  #tagged(head: number, depth: number): Json {
    switch (head) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return { bytes: this.#take(this.#unsigned(1 << (head - 0xc4))).length };
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.#extended(this.#unsigned(1 << (head - 0xc7)), depth);
      case 0xca:
        return finite(this.#take(4).readFloatBE());
      case 0xcb:
        return finite(this.#take(8).readDoubleBE());
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(1 << (head - 0xcc));
      case 0xcf:
        return Number(this.#take(8).readBigUInt64BE());
      case 0xd0:
      case 0xd1:
      case 0xd2:
        return this.#signed(1 << (head - 0xd0));
      case 0xd3:
        return Number(this.#take(8).readBigInt64BE());
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#extended(1 << (head - 0xd4), depth);
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(1 << (head - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#unsigned(2 << (head - 0xdc)), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(2 << (head - 0xde)), depth);
      default:
        throw new Malformed();
    }
  }

  #array(length: number, depth: number): Json[] {
    const values: Json[] = [];
    for (let left = length; left > 0; left -= 1) values.push(this.#value(depth + 1));
    return values;
  }

  #map(length: number, depth: number): Json {
    // As text, a map in a key of a map in a key would double with each level. No program has such keys.
    if (this.#isKey) throw new Malformed();
    const entries: [string, Json][] = [];
    for (let left = length; left > 0; left -= 1) entries.push([this.#key(depth + 1), this.#value(depth + 1)]);
    return Object.fromEntries(entries);
  }

  #key(depth: number): string {
    this.#isKey = true;
    try {
      const key = this.#value(depth);
      return typeof key === "string" ? key : JSON.stringify(key);
    } finally {
      this.#isKey = false;
    }
  }

  #extended(length: number, depth: number): Json {
    const type = this.#signed(1);
    return this.#extension(type, this.#take(length), (bytes) => this.whole(bytes, depth + 1));
  }

  #text(length: number): string {
    return this.#take(length).toString("utf8");
  }

  #unsigned(size: number): number {
    return this.#take(size).readUIntBE(0, size);
  }

  #signed(size: number): number {
    return this.#take(size).readIntBE(0, size);
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Malformed();
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

/** JSON has no other numbers. */
function finite(value: number): Json {
  return Number.isFinite(value) ? value : null;
}
