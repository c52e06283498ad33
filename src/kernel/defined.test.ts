import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "./defined.ts";

test("undefined fields are left out, all others keep their order and their names", () => {
  const given = JSON.parse('{"b":1,"__proto__":{"x":1},"a":null,"c":""}');
  const copy = defined({ ...given, d: undefined });
  assert.equal(JSON.stringify(copy), JSON.stringify(given));
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  assert.ok(!("d" in copy));
});
