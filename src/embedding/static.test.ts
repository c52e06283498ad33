import assert from "node:assert/strict";
import { test } from "node:test";
import { dot8 } from "../../test/support/dot8.ts";
import { modelFile, SMALL_VOCAB, smallModel } from "../../test/support/model/model.ts";
import { wordsOf } from "../../test/support/model/words.ts";
import { rounds } from "../../test/support/program/limits.ts";
import { randomText, seeded } from "../../test/support/random.ts";
import { packModel } from "../../training/pack.ts";
import { EmbedderLoop } from "../loops/embedder_loop.ts";
import { CodeBuffer, quantise } from "../vectors/quantise.ts";
import { StaticEmbedder, WINDOW_WORDS } from "./static.ts";
import { CHARACTER_RULES } from "./words.ts";

/** Rows that are easy to add by hand. */
function handMade(): Uint8Array {
  const vocab = ["[PAD]", "user", "name", "us", "##er", "##s", "long"];
  const rows = Int8Array.from([9, 9, 9, 100, 0, 0, 0, 100, 0, 50, 50, 0, 0, 0, 100, 0, -100, 0, 127, 127, 127]);
  return packModel({ name: "by-hand", dims: 3, vocab, rows, scales: Float32Array.of(0, 1, 0.5, 1, 1, 2, 1) });
}

function near(actual: Float32Array | undefined, expected: readonly number[]): void {
  assert.ok(actual);
  const length = Math.hypot(...expected);
  for (const [i, value] of expected.entries()) assert.ok(Math.abs((actual[i] ?? 0) - value / length) < 1e-6);
}

test("a text's vector is the sum of its pieces' scaled rows, of length one", (context) => {
  const embedder = new StaticEmbedder(modelFile(context, handMade()));
  assert.equal(embedder.name, "by-hand");
  assert.equal(embedder.dims, 3);
  near(embedder.embed("user"), [100, 0, 0]);
  near(embedder.embed("userName user"), [200, 50, 0]);
  // The longest piece that fits, not the first: user + ##s, not us + ##er + ##s.
  near(embedder.embed("users"), [100, -200, 0]);
  near(embedder.embed("uss"), [50, 50 - 200, 0]);
  // A letter that starts no piece is skipped; the rest counts as inside the word.
  near(embedder.embed("xer"), [0, 0, 100]);
  embedder.close();
});

test("a text of unknown words has no vector", (context) => {
  const embedder = new StaticEmbedder(modelFile(context, handMade()));
  for (const text of ["", "   ", "zzz", "数据库", "[PAD]"]) {
    assert.equal(embedder.embed(text), undefined);
    assert.equal(embedder.encode(text, 4, new CodeBuffer(3)), 0);
  }
  embedder.close();
});

test("random letters are unknown, a word in two pieces is known", (context) => {
  const embedder = new StaticEmbedder(modelFile(context, handMade()));
  assert.ok(embedder.knows("user"));
  assert.ok(embedder.knows("ussererssers name"));
  assert.ok(!embedder.knows("ussererssers"));
  assert.ok(!embedder.knows("xyz"));
});

test("a word gives at most twelve pieces", (context) => {
  const embedder = new StaticEmbedder(modelFile(context, smallModel()));
  assert.deepEqual(embedder.embed("zq".repeat(6)), embedder.embed("zq".repeat(500_000)));
  embedder.close();
});

test("windows have 120 words each, the last one the rest, and no more than requested", (context) => {
  const embedder = new StaticEmbedder(modelFile(context, smallModel()));
  const words = Array.from({ length: 2 * WINDOW_WORDS + 10 }, (_, i) => SMALL_VOCAB[1 + (i % 36)] ?? "");
  const text = words.join(" ");
  const windows = [0, 1, 2].map((i) => words.slice(i * WINDOW_WORDS, (i + 1) * WINDOW_WORDS).join(" "));
  const codes = new CodeBuffer(embedder.dims, 1);
  assert.equal(embedder.encode(text, 9, codes), 3);
  assert.equal(embedder.encode(text, 2, new CodeBuffer(embedder.dims, 1)), 2);
  for (const [i, window] of windows.entries()) {
    const row = codes.rows.subarray(i * 32, (i + 1) * 32);
    const alone = new CodeBuffer(embedder.dims, 1);
    assert.equal(embedder.encode(window, 9, alone), 1);
    assert.deepEqual([row, codes.inverses[i]], [alone.rows.subarray(0, 32), alone.inverses[0]]);
    const vector = embedder.embed(window) ?? [];
    const exact = row.reduce((sum, value, k) => sum + value * (vector[k] ?? 0), 0) * (codes.inverses[i] ?? 0);
    assert.ok(exact > 0.9999, "the code points where the vector does");
    const self = dot8(row, 0, row, 0, 32) * (codes.inverses[i] ?? 0) ** 2;
    assert.ok(Math.abs(self - 1) < 1e-6);
  }
  embedder.close();
});

test("rows read one by one or all at once give the same vectors", (context) => {
  const path = modelFile(context, smallModel(32, manyPieces()));
  const lazy = new StaticEmbedder(path);
  const whole = new StaticEmbedder(path);
  whole.warm();
  const random = seeded(11);
  for (let round = 0; round < rounds(80, 300); round += 1) {
    const text = Array.from({ length: 30 }, () => `word${Math.floor(random() * 676)}`.replace(/\d+/, letters)).join(
      " ",
    );
    assert.deepEqual(lazy.embed(text), whole.embed(text));
  }
  lazy.close();
});

function letters(number: string): string {
  return String.fromCharCode(97 + Math.floor(Number(number) / 26), 97 + (Number(number) % 26));
}

function manyPieces(): string[] {
  return Array.from({ length: 676 }, (_, i) => `word${letters(String(i))}`);
}

/** Every word is a piece: `wordaa` to `wordzz`. */
function wordsModel(dims: number, scale: (random: () => number) => number) {
  const random = seeded(23);
  const vocab = manyPieces();
  const rows = Int8Array.from({ length: vocab.length * dims }, () => Math.floor(random() * 255) - 127);
  const scales = Float32Array.from(vocab, () => scale(random));
  return { vocab, rows, scales, file: packModel({ name: "words", dims, vocab, rows, scales }) };
}

test("sums of whole numbers of a unit, and any others, are those of one row after the other", (context) => {
  const cases: [dims: number, scale: (random: () => number) => number][] = [
    [40, (random) => Math.ceil(random() * 2000) / 2 ** 22],
    [32, (random) => (Math.ceil(random() * 2000) * 2 ** Math.floor(random() * 6)) / 2 ** 22],
    [40, () => 0],
    // Their last bits are too far apart.
    [32, (random) => random()],
    [32, (random) => (random() < 0.5 ? -1 : 1) / 1024],
  ];
  for (const [dims, scale] of cases) {
    const { vocab, rows, scales, file } = wordsModel(dims, scale);
    const embedder = new StaticEmbedder(modelFile(context, file));
    const random = seeded(29);
    for (const count of [1, 3, 50, WINDOW_WORDS]) {
      // Few different ones are often repeated.
      const ids = Array.from({ length: count }, () => Math.floor(random() * (count === 50 ? 2 : vocab.length)));
      const sum = new Float64Array(dims);
      for (const id of ids) {
        for (let k = 0; k < dims; k += 1) sum[k] = (sum[k] ?? 0) + (rows[id * dims + k] ?? 0) * (scales[id] ?? 0);
      }
      const text = ids.map((id) => vocab[id]).join(" ");
      if (sum.every((value) => value === 0)) assert.equal(embedder.embed(text), undefined);
      else near(embedder.embed(text), [...sum]);
    }
    embedder.close();
  }
});

test("a sum becomes the row that `quantise` makes of it", () => {
  const random = seeded(31);
  for (const dims of [1, 2, 31, 256]) {
    const loop = new EmbedderLoop({ modelBytes: 0, count: 0, dims, maxIds: 0 }, CHARACTER_RULES);
    const odd = [0, 127, -127, 63.5, -63.5, 0.5, -0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MIN_VALUE];
    for (let round = 0; round < 200; round += 1) {
      for (let k = 0; k < dims; k += 1) {
        loop.sum[k] =
          round % 4 === 0 && random() < 0.1 ? (odd[Math.floor(random() * odd.length)] ?? 0) : random() - 0.5;
        if (round % 4 === 1) loop.sum[k] = Math.round(random() * 254 - 127) / 2;
      }
      const row = new Int8Array(dims);
      const inverse = quantise(loop.sum, dims, row, 0);
      assert.equal(loop.run.quantise(), inverse);
      if (inverse > 0) assert.deepEqual(loop.row, row);
    }
  }
});

test("a long text has the words of its parts, wherever it is cut", (context) => {
  const embedder = new StaticEmbedder(modelFile(context, smallModel()));
  const random = seeded(37);
  const words = Array.from({ length: 30_000 }, () => SMALL_VOCAB[1 + Math.floor(random() * 36)] ?? "");
  const text = words.join(" it's, ");
  const codes = new CodeBuffer(embedder.dims, 1);
  const expected = new CodeBuffer(embedder.dims, 1);
  const all = wordsOf(text);
  const windows = Math.ceil(all.length / WINDOW_WORDS);
  embedder.encode(text, windows, codes);
  for (let from = 0; from < all.length; from += WINDOW_WORDS) {
    embedder.encode(all.slice(from, from + WINDOW_WORDS).join(" "), 1, expected);
  }
  assert.equal(codes.count, expected.count);
  assert.deepEqual(
    codes.rows.subarray(0, codes.count * codes.dims),
    expected.rows.subarray(0, codes.count * codes.dims),
  );
  embedder.close();
});

test("any text is embedded or has no vector", (context) => {
  const embedder = new StaticEmbedder(modelFile(context, smallModel()));
  const random = seeded(5);
  const texts = [
    "\u0000\u0001\u001b[31m",
    "\ud800",
    "\udfff\ud800x",
    "数据库".repeat(100_000),
    "👩‍💻".repeat(50_000),
    "ﷺ".repeat(50_000),
    `${"é".repeat(200_000)}a`,
    "x".repeat(1_000_000),
    "aB".repeat(500_000),
    "'s".repeat(300_000),
    "0".repeat(1_000_000),
  ];
  for (let round = 0; round < rounds(120, 500); round += 1) {
    texts.push(Array.from({ length: 40 }, () => String.fromCharCode(Math.floor(random() * 65_536))).join(""));
    texts.push(randomText(random, 60));
  }
  for (const text of texts) {
    const vector = embedder.embed(text);
    if (vector) assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
    const codes = new CodeBuffer(embedder.dims, 1);
    embedder.encode(text, 3, codes);
    assert.ok(codes.inverses.subarray(0, codes.count).every((inverse) => Number.isFinite(inverse) && inverse > 0));
  }
  embedder.close();
});

test("a file that is not a model, truncated or of another format is refused by name", (context) => {
  const good = smallModel();
  const other = good.slice();
  other[4] = 9;
  const cases: [Uint8Array, RegExp][] = [
    [new Uint8Array(0), /truncated/],
    [new Uint8Array(4096).fill(65), /truncated/],
    [good.subarray(0, good.length - 1), /truncated/],
    [other, /format 9/],
  ];
  for (const [bytes, message] of cases) {
    const path = modelFile(context, bytes);
    assert.throws(() => new StaticEmbedder(path), { name: "DexError", code: "bad_model", message });
  }
  assert.throws(() => new StaticEmbedder("/nowhere/model.bin"), { code: "no_embedding_model", message: /nowhere/ });
});

test("a damaged head is refused or harmless", (context) => {
  const good = smallModel();
  for (let at = 0; at < 56; at += 1) {
    const bytes = good.slice();
    bytes[at] = (bytes[at] ?? 0) ^ 0x55;
    const path = modelFile(context, bytes);
    try {
      const embedder = new StaticEmbedder(path);
      const vector = embedder.embed("fix the retry budget of the httpServer");
      if (vector) assert.ok(vector.every(Number.isFinite));
      embedder.close();
    } catch (error) {
      assert.ok(error instanceof Error && error.name === "DexError", String(error));
    }
  }
});

test("weights that do not fit together are not packed", () => {
  const weights = { name: "x", dims: 2, vocab: ["a", "b"], rows: new Int8Array(4), scales: new Float32Array(2) };
  assert.throws(() => packModel({ ...weights, dims: 3 }), /4 numbers for 2 rows of 3/);
  assert.throws(() => packModel({ ...weights, vocab: ["a", "a"] }), /twice/);
  assert.throws(() => packModel({ ...weights, vocab: ["a", "é"] }), /ASCII/);
  assert.throws(() => packModel({ ...weights, scales: Float32Array.of(1, Number.NaN) }), /not a number/);
});
