import assert from "node:assert/strict";
import { test } from "node:test";
import { writtenTerms } from "../../text/terms/forms.ts";
import { WordOrder } from "../../text/terms/word_order.ts";
import { type Standing, WordComparison } from "./words_together.ts";

const orders = new WordOrder();

function standing(words: string, text: string): Standing {
  const asked = words.split(" ").flatMap(writtenTerms);
  const comparison = new WordComparison(asked.map((each) => ({ ...each, rarity: 1 })));
  return comparison.standingIn(orders.of(text) ?? new Uint16Array());
}

function share(words: string, text: string): number {
  return standing(words, text).together;
}

test("neighbouring words of the query count when they stand together in its order", () => {
  const terms = "force push rejected";
  assert.equal(share(terms, "the force push was rejected"), 1);
  assert.equal(share(terms, "force push, and then nothing else was ever rejected"), 0.5);
  assert.equal(share(terms, "rejected: push with force"), 0, "the other way round");
  assert.equal(share(terms, "force of the strong wind, then a push"), 0, "too far apart");
  assert.equal(share("force", "force"), 0, "one word has no neighbour");
});

test("the words inside an identifier stand together", () => {
  assert.equal(share("force push", "call forcePush here"), 1);
});

test("words in one place count together, in any order", () => {
  assert.equal(standing("force push rejected", "rejected: push with force").near, 1);
  assert.equal(standing("force push", `force ${"of the wind ".repeat(9)} push`).near, 0.5);
});

test("the form that was typed counts, other forms of its stem do not", () => {
  assert.equal(standing("migrating tables", "we are migrating tables").written, 1);
  assert.equal(standing("migrating tables", "the migrations of tables").written, 0.5);
  assert.equal(standing("migrating tables", "Migrating all Tables").written, 1, "case is not a form");
});

test("an order of words is limited, and a text of one word has none", () => {
  assert.equal(orders.of("word"), undefined);
  assert.equal(orders.of("word ".repeat(5000))?.length, 1000);
});
