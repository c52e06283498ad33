import assert from "node:assert/strict";
import { test } from "node:test";
import { Analyser, SMALL_CAPACITY } from "./analyser.ts";
import { namesIn } from "./names.ts";

test("snake_case, dotted names, versions and flags are names", () => {
  const { snake, joined } = namesIn(
    "Run a.b.getUser(), set max_tokens in src/text/word_order.test.ts; v1.24.3 --no-verify",
  );
  assert.deepEqual(snake, ["max_tokens", "word_order"]);
  assert.deepEqual(joined, ["a.b.getUser", "word_order.test.ts", "v1.24.3", "--no-verify"]);
});

test("sentences, numbers, ranges and dashes have none", () => {
  const none = { snake: [], joined: [] };
  for (const text of [
    "Done. Next one.",
    "3.14 and 2.5",
    "wait...what",
    "well-known -- a dash",
    "a ---rule---",
    "-x -5",
    "__init__",
    "",
  ]) {
    assert.deepEqual(namesIn(text), none, text);
  }
});

test("a name ends at a character that is not part of it, and is none inside a word of another script", () => {
  assert.deepEqual(namesIn("“foo_bar”—--dry-run=yes, --json.").snake, ["foo_bar"]);
  assert.deepEqual(namesIn("(--dry-run=yes) --json.").joined, ["--dry-run", "--json"]);
  assert.deepEqual(namesIn("été.x foo_bär x--flag").joined, []);
  assert.deepEqual(namesIn("foo_bär").snake, []);
  assert.deepEqual(namesIn(`${"long_".repeat(20)}name`).snake, []);
});

test("an analyser with names has the names of a text as terms besides its words", () => {
  const text = "x.getUser --dry-run my_name été.x 1.2.3 ..a.b Foo.Bar foo.bar";
  const { snake, joined } = namesIn(text);
  const names = [...new Set([...snake, ...joined].map((name) => name.toLowerCase()))];
  const plain = new Analyser(SMALL_CAPACITY).words(text);
  const withNames = new Analyser(SMALL_CAPACITY, true).words(text);
  assert.deepEqual(new Set(withNames), new Set([...plain, ...names]));
  assert.ok(names.includes("foo.bar") && names.includes("--dry-run") && names.includes("1.2.3"));
});
