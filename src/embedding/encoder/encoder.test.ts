import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type TestContext, test } from "node:test";
import {
  type EncoderShape,
  type EncoderWeights,
  packEncoder,
  randomEncoder,
  randomWeights,
  SMALL_ENCODER,
  WHOLE_ENCODER,
} from "../../../test/support/model/encoder.ts";
import { modelFile, SMALL_VOCAB, smallModel } from "../../../test/support/model/model.ts";
import { plainVector } from "../../../test/support/model/plain_encoder.ts";
import { rounds } from "../../../test/support/program/limits.ts";
import { between, randomText, seeded } from "../../../test/support/random.ts";
import { encoderPath, hasModel, modelPath } from "../locate.ts";
import { StaticEmbedder } from "../static.ts";
import { SentenceEncoder } from "./encoder.ts";

function openWords(context: TestContext, dims = SMALL_ENCODER.table_dims): StaticEmbedder {
  const words = new StaticEmbedder(modelFile(context, smallModel(dims)));
  context.after(() => words.close());
  return words;
}

function openSmall(context: TestContext): SentenceEncoder {
  return new SentenceEncoder(modelFile(context, randomEncoder(SMALL_ENCODER)), openWords(context));
}

/** A text of so many pieces: each word of the vocabulary is one. */
function textOf(pieces: number): string {
  const random = seeded(pieces);
  const words = SMALL_VOCAB.filter((piece) => /^[a-z]+$/.test(piece));
  return Array.from({ length: pieces }, () => words[between(random, 0, words.length - 1)]).join(" ");
}

/**
 * With some seeds, a number lies so near the middle of two steps that the plain program, which has more digits, rounds it
 * to the other one: about one text in a hundred. With the seeds of these tests none does.
 */
function checkAgainstPlain(
  context: TestContext,
  shape: EncoderShape,
  weights: EncoderWeights,
  texts: readonly string[],
): void {
  const words = openWords(context, shape.table_dims);
  const encoder = new SentenceEncoder(modelFile(context, packEncoder(shape, weights)), words);
  assert.deepEqual([encoder.name, encoder.dims], [shape.name, shape.dims]);
  for (const text of texts) {
    const vector = encoder.embed(text);
    const expected = plainVector(shape, weights, words, text);
    assert.ok(vector && expected);
    assert.equal(vector.length, shape.dims);
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
    const difference = Math.max(...vector.map((value, i) => Math.abs(value - (expected[i] ?? 0))));
    assert.ok(difference < 1e-4, `${difference} for ${text.slice(0, 60)}`);
  }
}

const LENGTHS = [1, 2, 3, 29, 127, 128, 500];

test("vectors are those of a plain program for the same network", (context) => {
  const texts = [...LENGTHS.map(textOf), "naïve Größe — “quoted” 数据库 httpServer’s café", "x", "ing er retryingName"];
  for (const seed of [4, 5, 6]) {
    checkAgainstPlain(context, SMALL_ENCODER, randomWeights(SMALL_ENCODER, seed), texts);
  }
});

test("the same for the sizes of the real encoder, and for other sizes", (context) => {
  checkAgainstPlain(context, WHOLE_ENCODER, randomWeights(WHOLE_ENCODER, 6), [1, 2, 29].map(textOf));
  const others: Partial<EncoderShape>[] = [
    { table_dims: 256, dims: 16, heads: 1, hidden: 16, layers: 1, positions: 16 },
    { table_dims: 48, dims: 48, heads: 3, hidden: 32, layers: 4, positions: 64, scale: 3 },
    { dims: 64, heads: 1, hidden: 160, layers: 1, positions: 32, scale: -0.1 },
  ];
  for (const other of others) {
    const shape = { ...SMALL_ENCODER, ...other };
    checkAgainstPlain(context, shape, randomWeights(shape, 8), [1, 5, 40].map(textOf));
  }
});

test("a network whose numbers are all zero gives the bias of its projection", (context) => {
  const weights = randomWeights(SMALL_ENCODER, 1);
  for (const layer of weights.layers) {
    layer.qkv.scales.fill(0);
    layer.qkv.bias.fill(0);
    layer.up.bias.fill(-1);
    layer.up.scales.fill(0);
    layer.afterProducts.gain.fill(0);
    layer.afterProducts.bias.fill(0);
  }
  checkAgainstPlain(context, SMALL_ENCODER, weights, [textOf(3)]);
  weights.projection.bias.fill(0);
  const path = modelFile(context, packEncoder(SMALL_ENCODER, weights));
  assert.equal(new SentenceEncoder(path, openWords(context)).embed("fix"), undefined, "no direction");
});

test("a text without known pieces has no vector", (context) => {
  const encoder = openSmall(context);
  for (const text of ["", "  \n", "数据库", "—", "🙂"]) assert.equal(encoder.embed(text), undefined);
  assert.ok(encoder.embed("fix 数据库"));
});

test("only the first 128 pieces count, and their order does", (context) => {
  const encoder = openSmall(context);
  const text = textOf(128);
  assert.deepEqual(encoder.embed(`${text} the retry budget`), encoder.embed(text));
  assert.deepEqual(encoder.embed(`${textOf(127)} zzzz`), encoder.embed(`${textOf(127)} z`), "the last word is cut");
  assert.notDeepEqual(encoder.embed("fix the test"), encoder.embed("test the fix"));
});

test("a text has the same vector each time, whatever was embedded before", (context) => {
  const texts = [...LENGTHS.map(textOf), "fix", "retry", "the user name"];
  const encoder = openSmall(context);
  const alone = texts.map((text) => openSmall(context).embed(text));
  const random = seeded(9);
  for (let round = 0; round < 40; round += 1) {
    const at = between(random, 0, texts.length - 1);
    assert.deepEqual(encoder.embed(texts[at] ?? ""), alone[at]);
  }
  const words = openWords(context);
  const path = modelFile(context, randomEncoder(SMALL_ENCODER));
  const beside = new SentenceEncoder(path, words);
  const sum = words.embed("fix the test");
  assert.deepEqual(beside.embed("fix"), encoder.embed("fix"));
  assert.deepEqual(words.embed("fix the test"), sum, "the static model gives what it gave before");
});

test("every machine computes the same vector, to the last bit", (context) => {
  const hashes = [SMALL_ENCODER, WHOLE_ENCODER].map((shape) => {
    const encoder = new SentenceEncoder(modelFile(context, randomEncoder(shape)), openWords(context, shape.table_dims));
    const hash = createHash("sha256");
    for (const length of LENGTHS) hash.update(encoder.embed(textOf(length)) ?? "");
    return hash.digest("hex").slice(0, 16);
  });
  assert.deepEqual(hashes, ["0f196ac9d5fa6881", "863b2ce8c875df54"]);
});

test("any text is embedded or has no vector", (context) => {
  const encoder = openSmall(context);
  const random = seeded(6);
  const texts = [
    "\u0000\u001b[31m",
    "\ud800",
    "\udfff\ud800x",
    "é".repeat(50_000),
    "x".repeat(300_000),
    "'s".repeat(9999),
  ];
  for (let round = 0; round < rounds(60, 400); round += 1) {
    texts.push(Array.from({ length: 40 }, () => String.fromCharCode(Math.floor(random() * 65_536))).join(""));
    texts.push(randomText(random, 60));
  }
  for (const text of texts) {
    const vector = encoder.embed(text);
    if (vector) assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
  }
});

test("a file that is damaged, of absurd sizes or for another static model is refused by name", (context) => {
  const words = openWords(context);
  const good = randomEncoder(SMALL_ENCODER);
  const weights = randomWeights(SMALL_ENCODER, 3);
  const withHeader = (change: object): Uint8Array => packEncoder({ ...SMALL_ENCODER, ...change }, weights);
  const withFloat = (value: number): Uint8Array => {
    const changed = structuredClone(weights);
    changed.layers[1]?.down.bias.set([value], 7);
    return packEncoder(SMALL_ENCODER, changed);
  };
  const wrongMagic = good.slice();
  wrongMagic[6] = 0x32;
  const endlessHeader = good.slice();
  endlessHeader.fill(0xff, 8, 12);
  const cases: [string, Uint8Array, RegExp][] = [
    ["empty", new Uint8Array(0), /truncated/],
    ["only its start", good.subarray(0, 12), /truncated/],
    ["truncated", good.subarray(0, good.length - 1), /truncated/],
    ["too long", Buffer.concat([good, new Uint8Array(1)]), /truncated/],
    ["another format", wrongMagic, /truncated/],
    ["a header without end", endlessHeader, /truncated/],
    ["the static model itself", smallModel(), /truncated/],
    ["an infinite number", withFloat(Number.POSITIVE_INFINITY), /truncated/],
    ["not a number", withFloat(Number.NaN), /truncated/],
    ["another table", withHeader({ table: "other" }), /needs the word vectors other .*not small-test/],
    [
      "another dimension",
      randomEncoder({ ...SMALL_ENCODER, table_dims: 64 }),
      /with 64 dimensions, not small-test with 16/,
    ],
  ];
  for (const [field, values] of Object.entries({
    name: ["", 7, "x".repeat(1000)],
    table: ["", null],
    table_dims: [0, -16, 15, 32, 1e9, "16", null],
    dims: [0, -32, 31, 1e9, 2 ** 53, "32", 32.5, null],
    heads: [0, 3, 4, 33, -1, []],
    hidden: [0, 63, 2 ** 31, 128],
    layers: [0, 1, 3, 1e6, -2],
    positions: [0, 112, 127, 2 ** 32],
    scale: ["1", null, {}],
  })) {
    for (const value of values) cases.push([`${field} ${value}`, withHeader({ [field]: value }), /truncated/]);
  }
  for (const [what, bytes, message] of cases) {
    const path = modelFile(context, bytes);
    assert.throws(() => new SentenceEncoder(path, words), { name: "DexError", code: "bad_model", message }, what);
  }
  assert.throws(() => new SentenceEncoder("/nowhere/encoder.bin", words), {
    code: "no_embedding_model",
    message: /nowhere/,
  });
});

test("random bytes in the header or the weights are refused or harmless", (context) => {
  const words = openWords(context);
  const good = randomEncoder(SMALL_ENCODER);
  const random = seeded(4);
  let opened = 0;
  for (let round = 0; round < rounds(300, 5000); round += 1) {
    const bytes = good.slice();
    const end = round % 3 === 0 ? bytes.length : 176;
    for (let i = between(random, 1, 6); i > 0; i -= 1) bytes[between(random, 0, end - 1)] = between(random, 0, 255);
    const path = modelFile(context, bytes);
    const before = process.memoryUsage().external;
    try {
      const encoder = new SentenceEncoder(path, words);
      const vector = encoder.embed("fix the retry budget of the httpServer");
      if (vector) assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
      opened += 1;
    } catch (error) {
      assert.ok(error instanceof Error && error.name === "DexError", String(error));
    }
    assert.ok(process.memoryUsage().external - before < 1 << 24, "no sizes of a file that is not as large");
  }
  assert.ok(opened > 0, "some changes are harmless");
});

/** A question, a sentence that answers it in other words, and one on another subject that shares words with it. */
const TRIPLES: readonly (readonly [string, string, string])[] = [
  [
    "How long does a login session stay valid?",
    "Users are signed out after thirty minutes without activity.",
    "The planning session took long because nobody had a valid agenda.",
  ],
  [
    "Why did the build become slow?",
    "Compilation now takes twice as much time since caching was switched off.",
    "The build status badge in the readme did become green again.",
  ],
  [
    "How do I undo the last commit?",
    "Run git reset with HEAD~1 to go back to the previous revision.",
    "The last commit of the year was about the colours of the icons.",
  ],
  [
    "Where are passwords kept?",
    "Credentials are hashed and stored in the accounts table of the database.",
    "Meeting notes are kept in the wiki, where anyone can read them.",
  ],
  [
    "What happens when the disk is full?",
    "Writes fail with an error as soon as no free space is left.",
    "The full name of the author is shown when the page opens.",
  ],
  [
    "Which port does the server listen on?",
    "It accepts connections at 8080 unless the environment says otherwise.",
    "Listen to the talk about which server vendors went out of business.",
  ],
  [
    "How can I make the query faster?",
    "Adding an index on the customer column cut the time of the lookup to milliseconds.",
    "I can make a screenshot of the query editor for the slides.",
  ],
  [
    "Who may delete a project?",
    "Only administrators have the permission to remove a repository.",
    "The project began in May as a small script to rename photos.",
  ],
  [
    "Why does the app crash at startup?",
    "A null pointer exception is thrown on launch if the configuration file is missing.",
    "The startup that made the app has moved to a larger office.",
  ],
  [
    "How often are backups made?",
    "A copy of all data is saved every night.",
    "The buttons are made of glass, and the icons are often round.",
  ],
  [
    "What do we do about failed requests?",
    "The client retries up to three times and waits longer after each attempt.",
    "Most requests of the team are about a better coffee machine.",
  ],
  [
    "How do I run the tests on my machine?",
    "Type npm test in a terminal to execute the whole suite locally.",
    "The coffee machine tests my patience whenever I run late.",
  ],
];

test("the encoder that is shipped prefers the answer to a sentence with the same words", {
  skip: hasModel() && encoderPath() ? false : "models/ has no encoder",
}, (context) => {
  const words = new StaticEmbedder(modelPath());
  context.after(() => words.close());
  const encoder = new SentenceEncoder(encoderPath() ?? "", words);
  const missed = TRIPLES.filter(([question, answer, other]) => {
    const vector = encoder.embed(question);
    const cosine = (text: string): number =>
      encoder.embed(text)?.reduce((sum, value, i) => sum + value * (vector?.[i] ?? 0), 0) ?? 0;
    return cosine(answer) <= cosine(other);
  });
  assert.ok(missed.length <= 1, missed.map(([question]) => question).join(" "));
});
