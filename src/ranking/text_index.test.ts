/** Ranking depends on its port alone: here the segments are in plain arrays, without a database. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { between, seeded } from "../../test/support/random.ts";
import { codeWords, signCode } from "../vectors/quantise.ts";
import { JoinedSource } from "./joined_source.ts";
import type { Catalogue, SegmentSource } from "./ports.ts";
import type { QueryVector, VectorModel } from "./query.ts";
import { bestScores } from "./scores/best_scores.ts";
import { ScoreKeeper } from "./scores/score_keeper.ts";
import { markDeleted, type Segment, TITLE_SLOT, wordsOfLength } from "./segment.ts";
import { compareTerms, type TermBlock } from "./terms/blocks.ts";
import { type NewDocument, SegmentBuilder } from "./terms/builder.ts";
import { TextIndex } from "./text_index.ts";
import { type VectorBlock, vectorsPerGroup } from "./vector_blocks.ts";

const MODEL: VectorModel = { name: "test", dims: 8 };
/** Has embedded only conversation 1. */
const SLOW_MODEL: VectorModel = { name: "slow", dims: 8 };

/** A store of arrays only: one segment for each list of texts. */
class ArraySource implements SegmentSource {
  changes = 1;
  readonly #segments: Segment[] = [];
  readonly #blocks: TermBlock[][] = [];
  readonly #vectors: VectorBlock[] = [];
  readonly #groups: Int8Array[] = [];

  /** `terms` of a text are words here; each counts once. */
  add(texts: readonly (Omit<NewDocument, "terms" | "length"> & { words: readonly string[] })[]): void {
    const builder = new SegmentBuilder();
    const names = [...new Set(texts.flatMap(({ words }) => words))];
    for (const { words, ...text } of texts) {
      const terms = Uint32Array.from(words.flatMap((word) => [names.indexOf(word), 4]));
      builder.add({ ...text, length: words.length, terms }, names);
    }
    const blocks: TermBlock[] = [];
    const data = builder.write((block) => blocks.push(block));
    const words = data.lengths.reduce((sum, code) => sum + wordsOfLength(code), 0);
    this.#segments.push({ ...data, id: this.#segments.length, words, dead: undefined, gone: 0, goneWords: 0 });
    this.#blocks.push(blocks);
    const { owners, rows } = builder.vectors(MODEL.dims);
    const codes = new Uint32Array(owners.length * codeWords(MODEL.dims));
    for (let i = 0; i < owners.length; i += 1) {
      signCode(rows.subarray(i * MODEL.dims, (i + 1) * MODEL.dims), codes, i * codeWords(MODEL.dims));
    }
    this.#vectors.push({ owners, codes, base: this.#groups.length });
    const step = vectorsPerGroup(MODEL.dims) * MODEL.dims;
    for (let at = 0; at < rows.length; at += step) this.#groups.push(rows.slice(at, at + step));
    this.changes += 1;
  }

  delete(no: number): void {
    for (const segment of this.#segments)
      Object.assign(
        segment,
        markDeleted(segment, (owner) => owner === no),
      );
    this.changes += 1;
  }

  version(): number {
    return this.changes;
  }

  segments(): Segment[] {
    return this.#segments;
  }

  termBlock(segment: number, term: string): Uint8Array | undefined {
    return this.#blocks[segment]?.findLast(({ first }) => compareTerms(first, term) <= 0)?.data;
  }

  termBlocks(segment: number): Uint8Array[] {
    return (this.#blocks[segment] ?? []).map(({ data }) => data);
  }

  vectorCount(model: VectorModel): number {
    return this.#segments.reduce((sum, { id }) => sum + (this.vectorBlocks(id, model)[0]?.owners.length ?? 0), 0);
  }

  vectorBlocks(segment: number, { name }: VectorModel): VectorBlock[] {
    const blocks = this.#vectors.slice(segment, segment + 1);
    if (name === MODEL.name) return blocks;
    if (name !== SLOW_MODEL.name) return [];
    return blocks.map(({ owners, codes, base }) => {
      const count = segment === 0 ? owners.findIndex((owner) => owner > 0) : 0;
      return { owners: owners.slice(0, count), codes: codes.slice(0, count * codeWords(MODEL.dims)), base };
    });
  }

  vectorGroup(group: number): Int8Array {
    return this.#groups[group] as Int8Array;
  }

  vectorGroups(groups: readonly number[]): (readonly [number, Int8Array])[] {
    return groups.map((group) => [group, this.vectorGroup(group)] as const);
  }
}

function catalogue(owners: readonly number[], partial = false): Catalogue<{ only?: number[] }> {
  return {
    ...(partial ? { only: () => new Set(owners) } : {}),
    extent: () => ({ count: owners.length, largest: Math.max(0, ...owners) }),
    ownerOf: (no) => (owners.includes(no) ? { updated: no, id: `id${no}` } : undefined),
    passing: ({ only }) => only,
    boosts: ({ paths = [] }) => new Map(paths.map((path) => [Number(path), 5])),
  };
}

function threeConversations(): ArraySource {
  const source = new ArraySource();
  source.add([
    { no: 1, slot: 0, role: 0, words: ["login", "fails"], vectors: Int8Array.of(100, 9, 0, 0, 0, 0, 0, 0) },
    { no: 1, slot: 1, role: 1, words: ["token", "expired", "login"] },
    { no: 2, slot: 0, role: 0, words: ["deploy", "fails"], vectors: Int8Array.of(0, 0, 100, 0, 0, 0, 0, 9) },
  ]);
  source.add([
    { no: 3, slot: 0, role: 0, words: ["signin", "broken"], vectors: Int8Array.of(90, 30, 0, 0, 0, 0, 0, 0) },
    { no: 2, slot: TITLE_SLOT, role: 0, words: ["deploy"] },
  ]);
  return source;
}

function vector(...values: number[]): QueryVector {
  const row = Int8Array.from(values);
  const bits = new Uint32Array(codeWords(MODEL.dims));
  signCode(row, bits, 0);
  return {
    model: MODEL,
    row,
    inverse: 1 / Math.hypot(...values),
    bits,
    share: 0.5,
    scale: { unrelated: 0.2, found: 0.35 },
  };
}

test("owners with a match come by score, and conditions, filters and boosts hold", () => {
  const index = new TextIndex(threeConversations(), catalogue([1, 2, 3]));
  const found = (query: object, filter = {}): number[] =>
    index.search({ terms: ["login", "fails"], ...query }, filter, 10, 0).hits.map(({ no }) => no);
  assert.deepEqual(found({}), [1, 2]);
  assert.deepEqual(found({ paths: ["2"] }), [2, 1]);
  assert.deepEqual(found({ excluded: ["login"] }), [2]);
  assert.deepEqual(found({ required: ["token"] }), [1]);
  assert.deepEqual(found({ role: "assistant" }), [1]);
  assert.deepEqual(found({}, { only: [2] }), [2]);
  const [title] = index.search({ terms: ["deploy"] }, {}, 10, 0).hits;
  assert.deepEqual(
    title?.parts.map((part) => part.index),
    [null, 0],
    "the shorter title scores higher than the message",
  );
});

test("the result of a filter is computed again when the index has changed", () => {
  const source = threeConversations();
  let asked = 0;
  let passing = [2];
  const look = (): number[] => {
    asked += 1;
    return passing;
  };
  const index = new TextIndex(source, { ...catalogue([1, 2, 3, 4]), passing: look });
  const found = (query: object): number[] =>
    index.search({ terms: ["fails"], ...query }, {}, 10, 0).hits.map(({ no }) => no);
  assert.deepEqual(found({}), [2]);
  assert.deepEqual(found({ role: "user", excluded: ["login"] }), [2]);
  assert.deepEqual(found({ role: "assistant" }), []);
  assert.equal(asked, 1);
  passing = [1, 4];
  source.add([{ no: 4, slot: 0, role: 0, words: ["nothing", "fails"] }]);
  assert.deepEqual(found({}).sort(), [1, 4]);
});

test("a score is the sum of its terms' shares", () => {
  const index = new TextIndex(threeConversations(), catalogue([1, 2, 3]));
  const query = { terms: ["login", "fails"] };
  const [best] = index.searchMessages(query, {}, 1);
  const shares = index.explain(query, 1, 0);
  assert.deepEqual(shares.map(({ term }) => term).sort(), ["fails", "login"]);
  assert.equal(
    best?.score,
    shares.reduce((sum, { share }) => sum + share, 0),
  );
});

test("a near vector finds a text without the words; a far one is dropped with its cosine", () => {
  const index = new TextIndex(threeConversations(), catalogue([1, 2, 3]));
  const near = index.search({ terms: ["login"], vector: vector(100, 20, 0, 0, 0, 0, 0, 0) }, {}, 10, 0);
  assert.deepEqual(
    near.hits.map(({ no }) => no),
    [1, 3],
  );
  assert.equal(near.vectors, 3);
  assert.deepEqual(
    near.dropped.map(({ no }) => no),
    [2],
  );
});

test("a second model's vectors count once for each owner, and texts that it has not embedded are found by the first", () => {
  const index = new TextIndex(threeConversations(), catalogue([1, 2, 3]));
  const first = vector(100, 20, 0, 0, 0, 0, 0, 0);
  const second = { ...vector(95, 15, 0, 0, 0, 0, 0, 0), model: SLOW_MODEL, firstShare: 0.2, conversationWeight: 0.3 };
  const { hits } = index.search({ terms: ["login"], vector: first, second }, {}, 10, 0);
  assert.deepEqual(
    hits.map(({ no, evidence }) => [no, evidence.map(({ name, value }) => [name, value])]),
    [
      [1, [["meaning", 1]]],
      [3, []],
    ],
  );
  for (const { score, boost, parts, evidence } of hits) {
    const sum = parts.reduce((total, { weighted }) => total + weighted, 0) * boost;
    assert.ok(Math.abs(evidence.reduce((total, { weighted }) => total + weighted, sum) - score) < 1e-9);
  }
  const messages = index.searchMessages({ terms: ["deploy"], second: { ...second, share: 0.25 } }, {}, 10);
  assert.deepEqual(
    messages.map(({ no, index: slot }) => [no, slot]),
    [
      [2, 0],
      [1, 0],
    ],
  );
  const found = index.search({ terms: ["zebra"], second }, {}, 10, 0).hits;
  assert.deepEqual(
    found.map(({ no }) => no),
    [1],
    "a near vector of the second model finds a text without the words",
  );
  const none = { ...second, model: { name: "none", dims: 8 } };
  assert.deepEqual(
    index.search({ terms: ["login"], vector: first, second: none }, {}, 10, 0).hits,
    index.search({ terms: ["login"], vector: first }, {}, 10, 0).hits,
  );
});

test("deleted texts and owners outside a partial catalogue count nowhere", () => {
  const source = threeConversations();
  const all = new TextIndex(source, catalogue([1, 2, 3]));
  assert.equal(all.search({ terms: ["deploy"] }, {}, 10, 0).total, 1);
  const partial = new TextIndex(source, catalogue([1], true));
  assert.equal(partial.search({ terms: ["deploy"] }, {}, 10, 0).total, 0);
  assert.deepEqual(partial.nearTerms("deplo"), []);
  assert.deepEqual(
    all.nearTerms("deplo").map(({ term }) => term),
    ["deploy"],
  );
  // Two edits of a short word are another word.
  assert.deepEqual(all.nearTerms("depl"), []);
  source.delete(2);
  assert.equal(all.search({ terms: ["deploy"] }, {}, 10, 0).total, 0);
  assert.deepEqual(all.nearTerms("deplo"), []);
});

test("a near word comes from the same text however the index came about", () => {
  // The owners of the two indexes have each other's numbers, and so each other's order.
  const long = ["deploy", "the", "login", "page", "again"];
  const grown = new ArraySource();
  grown.add([{ no: 1, slot: 4, role: 0, words: ["deploy", "it"] }]);
  grown.add([{ no: 2, slot: 7, role: 0, words: ["deploy", "it"] }]);
  grown.add([{ no: 3, slot: 0, role: 0, words: long }]);
  const rebuilt = new ArraySource();
  rebuilt.add([
    { no: 1, slot: 0, role: 0, words: long },
    { no: 2, slot: 7, role: 0, words: ["deploy", "it"] },
    { no: 3, slot: 4, role: 0, words: ["deploy", "it"] },
  ]);
  const updated = (times: readonly number[]): Catalogue<object> => ({
    ...catalogue([1, 2, 3]),
    ownerOf: (no) => ({ updated: times[no] as number, id: `at-${times[no]}` }),
  });
  const before = new TextIndex(grown, updated([0, 10, 20, 30])).nearTerms("deplo");
  const after = new TextIndex(rebuilt, updated([0, 30, 20, 10])).nearTerms("deplo");
  assert.deepEqual(
    [...before, ...after].map(({ term, index }) => [term, index]),
    [
      ["deploy", 7],
      ["deploy", 7],
    ],
    "the later of the two shortest texts",
  );
});

test("the score of the last of the best is that of a full sort", () => {
  const next = seeded(5);
  const keepers = [new ScoreKeeper(500), new ScoreKeeper(300)];
  const scores = keepers.flatMap((keeper) =>
    Array.from(keeper.values.keys(), (document) => {
      const score = between(next, 1, 400);
      keeper.add(document, score);
      return score;
    }),
  );
  scores.sort((a, b) => b - a);
  for (const limit of [1, 2, 7, 200, 800]) {
    assert.deepEqual(bestScores(keepers, limit), { total: 800, least: scores[limit - 1] });
  }
  assert.equal(bestScores(keepers, 801).least, Number.NEGATIVE_INFINITY);
});

test("two sources joined score like one with both, vectors included", () => {
  const alone = new TextIndex(threeConversations(), catalogue([1, 2, 3]));
  const [home, team] = [new ArraySource(), new ArraySource()];
  home.add([
    { no: 1, slot: 0, role: 0, words: ["login", "fails"], vectors: Int8Array.of(100, 9, 0, 0, 0, 0, 0, 0) },
    { no: 1, slot: 1, role: 1, words: ["token", "expired", "login"] },
  ]);
  // Conversations 2 and 3 of the one index.
  team.add([
    { no: 1, slot: 0, role: 0, words: ["deploy", "fails"], vectors: Int8Array.of(0, 0, 100, 0, 0, 0, 0, 9) },
    { no: 2, slot: 0, role: 0, words: ["signin", "broken"], vectors: Int8Array.of(90, 30, 0, 0, 0, 0, 0, 0) },
  ]);
  team.add([{ no: 1, slot: TITLE_SLOT, role: 0, words: ["deploy"] }]);
  const source = new JoinedSource([
    { source: home, shift: () => 0 },
    { source: team, shift: () => 1 },
  ]);
  const joined = new TextIndex(source, catalogue([1, 2, 3]));
  for (const terms of [["login"], ["fails"], ["deploy", "login"], ["signin", "fails", "nothing"]]) {
    for (const query of [{ terms }, { terms, vector: vector(100, 20, 0, 0, 0, 0, 0, 0) }]) {
      const [a, b] = [joined.search(query, {}, 10, 0), alone.search(query, {}, 10, 0)];
      // A set, in the order of the documents.
      const ascending = { matching: [...a.matching].sort() };
      assert.deepEqual({ ...a, ...ascending }, { ...b, matching: [...b.matching].sort() }, terms.join(" "));
    }
  }
  const before = source.version();
  team.delete(1);
  assert.notEqual(source.version(), before);
  assert.deepEqual(joined.search({ terms: ["deploy"] }, {}, 10, 0).hits, []);
});
