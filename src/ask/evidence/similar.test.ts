import assert from "node:assert/strict";
import { test } from "node:test";
import { type WordModel, weighQuestion } from "../question/question_words.ts";
import { coverageByMeaning, wordingOf } from "./similar.ts";

const VECTORS: Record<string, number[]> = {
  http: [1, 0],
  http3: [1, 0],
  hide: [1, 0],
  suppress: [0.6, 0.8],
  banana: [0, 1],
};
const model: WordModel = {
  strength: () => 1,
  embed: (text) => (VECTORS[text] ? Float32Array.from(VECTORS[text]) : undefined),
};
const covered = (query: string, text: string): number =>
  coverageByMeaning(
    weighQuestion(query, { texts: 10, having: new Map() }, { words: model, sentences: undefined }),
    wordingOf(text),
  );

test("a word of the same family counts fully, one of similar meaning in part, another not at all", () => {
  assert.equal(covered("expiry", "It expires."), 1);
  assert.equal(covered("hide", "We hide it."), 1);
  assert.ok(Math.abs(covered("hide", "We suppress it.") - 0.6) < 1e-6);
  assert.equal(covered("hide", "A banana."), 0);
  assert.equal(covered("port", "A portal."), 0);
});

test("a word counts fully in one piece and in two", () => {
  assert.equal(covered("type checking", "It skips typechecking."), 1);
  assert.equal(covered("lockfile", "The lock file is read."), 1);
});

test("a word with a digit is found as it is or in two pieces; no other word is similar to it", () => {
  assert.equal(covered("http3", "It speaks http and https."), 0);
  assert.equal(covered("sha256", "It uses sha512."), 0);
  assert.equal(covered("http3", "It speaks HTTP/3."), 1);
  assert.equal(covered("http3", "Turn on http3."), 1);
});
