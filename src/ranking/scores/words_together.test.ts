import assert from "node:assert/strict";
import { test } from "node:test";
import { WordOrder } from "../../text/word_order.ts";
import { WordPairs } from "./words_together.ts";

const orders = new WordOrder();

function share(terms: readonly string[], text: string): number {
  return new WordPairs(terms).shareIn(orders.of(text) ?? new Uint16Array());
}

test("neighbouring words of the question count when they stand together in its order", () => {
  const terms = ["forc", "push", "reject"];
  assert.equal(share(terms, "the force push was rejected"), 1);
  assert.equal(share(terms, "force push, and then nothing else was ever rejected"), 0.5);
  assert.equal(share(terms, "rejected: push with force"), 0, "the other way round");
  assert.equal(share(terms, "force of the strong wind, then a push"), 0, "too far apart");
  assert.equal(share(["forc"], "force"), 0, "one word has no neighbour");
});

test("the words inside an identifier stand together", () => {
  assert.equal(share(["forc", "push"], "call forcePush here"), 1);
});

test("an order of words is limited, and a text of one word has none", () => {
  assert.equal(orders.of("word"), undefined);
  assert.equal(orders.of("word ".repeat(5000))?.length, 1000);
});
