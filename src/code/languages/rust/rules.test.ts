import assert from "node:assert/strict";
import { test } from "node:test";
import { endOfRules, exposeRules } from "./rules.ts";

test("the rules of a macro are read the same whatever was read before", () => {
  const text = "macro_rules! make { ($t:ty) => { impl Show for $t { fn show(&self) {} } } }\n";
  const before = exposeRules(text);
  assert.notEqual(before, text);
  const long = `${" ".repeat(500)}${text}`;
  assert.equal(endOfRules(long, 500), long.length - 1);
  assert.equal(exposeRules(text), before);
});
