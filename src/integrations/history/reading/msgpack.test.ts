/** MessagePack from foreign files: every form of the format, and bytes that are damaged or hostile. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { rounds } from "../../../../test/support/program/limits.ts";
import { between, seeded } from "../../../../test/support/random.ts";
import { Extended, msgpack } from "../../../../test/support/sources/msgpack.ts";
import { decodeMsgpack } from "./msgpack.ts";

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("every form of MessagePack", () => {
  const FORMS: readonly [string, unknown][] = [
    ["00", 0],
    ["7f", 127],
    ["e0", -32],
    ["ff", -1],
    ["cc ff", 255],
    ["cd ffff", 65535],
    ["ce ffffffff", 4294967295],
    ["cf 0000000100000000", 4294967296],
    ["d0 80", -128],
    ["d1 8000", -32768],
    ["d2 80000000", -2147483648],
    ["d3 ffffffff00000000", -4294967296],
    ["ca 3fc00000", 1.5],
    ["cb 3ff8000000000000", 1.5],
    ["cb 7ff0000000000000", null],
    ["c0", null],
    ["c2", false],
    ["c3", true],
    ["a0", ""],
    ["a3 c3a961", "éa"],
    ["d9 01 61", "a"],
    ["da 0001 61", "a"],
    ["db 00000001 61", "a"],
    ["c4 02 0102", { bytes: 2 }],
    ["c5 0002 0102", { bytes: 2 }],
    ["c6 00000002 0102", { bytes: 2 }],
    ["92 01 c0", [1, null]],
    ["dc 0001 01", [1]],
    ["dd 00000001 01", [1]],
    ["81 a161 90", { a: [] }],
    ["de 0001 01 02", { "1": 2 }],
    ["df 00000001 a161 02", { a: 2 }],
    ["d4 05 01", [5, 1]],
    ["d5 05 0102", [5, 2]],
    ["d6 05 01020304", [5, 4]],
    ["d7 ff 0102030405060708", [-1, 8]],
    ["d8 05 0102030405060708090a0b0c0d0e0f10", [5, 16]],
    ["c7 00 05", [5, 0]],
    ["c8 0003 05 010203", [5, 3]],
    ["c9 00000003 05 010203", [5, 3]],
  ];
  for (const [bytes, expected] of FORMS) {
    it(bytes, () =>
      assert.deepEqual(
        decodeMsgpack(hex(bytes), (type, { length }) => [type, length]),
        expected,
      ),
    );
  }

  it("a key that would be a prototype is a field", () => {
    const read = decodeMsgpack(hex("81 a9 5f5f70726f746f5f5f 81 a161 01"));
    assert.deepEqual(Object.entries(read as object), [["__proto__", { a: 1 }]]);
    assert.equal((read as { a?: number }).a, undefined);
  });

  it("values inside a value of another type", () => {
    const bytes = msgpack([new Extended(5, msgpack({ a: new Extended(5, msgpack("b")) }))]);
    assert.deepEqual(
      decodeMsgpack(bytes, (_type, payload, decode) => decode(payload) ?? "?"),
      [{ a: "b" }],
    );
  });
});

describe("bytes that are not MessagePack, or too much of it", () => {
  it("bytes that end early, go on, or have a form that does not exist", () => {
    const broken = ["", "c1", "01 01", "92 01", "d9 05 61", "81 a161", "cf 00", "c7 05 01 01", "db ffffffff 61"];
    for (const bytes of broken) assert.equal(decodeMsgpack(hex(bytes)), undefined, bytes);
  });

  it("a count without its values takes no memory", () => {
    for (const bytes of ["dd ffffffff", "df ffffffff", "c6 ffffffff", "dd ffffffff dd ffffffff dd ffffffff"]) {
      assert.equal(decodeMsgpack(hex(bytes)), undefined, bytes);
    }
  });

  it("nested without end, also through values of other types", () => {
    assert.equal(decodeMsgpack(Buffer.alloc(1_000_000, 0x91)), undefined);
    let nested: Buffer = msgpack("deep");
    for (let depth = 0; depth < 200; depth += 1) nested = msgpack(new Extended(5, nested));
    let reached = 0;
    const read = decodeMsgpack(nested, (_type, payload, decode) => {
      reached += 1;
      return decode(payload) ?? null;
    });
    assert.equal(read, null);
    assert.ok(reached < 150, String(reached));
  });

  it("maps in the keys of maps, as text twice as long with each level", () => {
    for (const depth of [2, 60]) {
      const nested = Buffer.concat([Buffer.alloc(depth, 0x81), hex("01"), Buffer.alloc(depth, 0xc0)]);
      assert.equal(decodeMsgpack(nested), undefined);
      const inside = msgpack(new Extended(5, nested));
      assert.deepEqual(
        decodeMsgpack(inside, (_type, payload, decode) => decode(payload) ?? "?"),
        "?",
      );
    }
    assert.deepEqual(decodeMsgpack(hex("82 92 01 a161 81 a162 01 02 03")), { '[1,"a"]': { b: 1 }, "2": 3 });
  });

  it("millions of values in a few bytes each", () => {
    assert.equal(decodeMsgpack(Buffer.concat([hex("dd 00a00000"), Buffer.alloc(0xa00000, 0xc0)])), undefined);
  });

  it("damaged at random: the same bytes give the same value, and none is an error", () => {
    const random = seeded(20261119);
    const value = {
      list: [1, -70_000, 2.5, "text", null, true, Buffer.of(1, 2)],
      inner: new Extended(5, msgpack({ a: [] })),
    };
    const intact = msgpack([value, value, "x".repeat(300)]);
    const extension = (_type: number, payload: Uint8Array, decode: (bytes: Uint8Array) => unknown): string =>
      JSON.stringify(decode(payload) ?? "?");
    for (let round = rounds(3000, 200_000); round > 0; round -= 1) {
      const bytes = Buffer.from(intact.subarray(0, random() < 0.3 ? between(random, 0, intact.length) : intact.length));
      for (let flips = between(random, 0, 4); flips > 0 && bytes.length > 0; flips -= 1) {
        bytes[between(random, 0, bytes.length - 1)] = between(random, 0, 255);
      }
      const read = decodeMsgpack(bytes, extension);
      assert.doesNotThrow(() => JSON.stringify(read));
      assert.deepEqual(decodeMsgpack(bytes, extension), read);
    }
  });

  it("what is written is read", () => {
    const random = seeded(7);
    const any = (depth: number): unknown => {
      const kind = between(random, 0, depth > 4 ? 4 : 6);
      if (kind === 0) return null;
      if (kind === 1) return random() < 0.5;
      if (kind === 2) return Math.trunc((random() - 0.5) * 2 ** between(random, 1, 53)) + 0;
      if (kind === 3) return random() / 3;
      if (kind === 4) return "é".repeat(between(random, 0, 200));
      const length = between(random, 0, 20);
      if (kind === 5) return Array.from({ length }, () => any(depth + 1));
      return Object.fromEntries(Array.from({ length }, (_, at) => [`k${at}`, any(depth + 1)]));
    };
    for (let round = rounds(100, 3000); round > 0; round -= 1) {
      const value = any(0);
      assert.deepEqual(decodeMsgpack(msgpack(value)), value === 0 ? 0 : value);
    }
  });
});
