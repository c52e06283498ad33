import assert from "node:assert/strict";
import { test } from "node:test";
import { isSlowPattern } from "./slow_patterns.ts";

test("expressions that backtrack without end are slow, usual ones are not", () => {
  for (const source of ["(a+)+$", "^(\\w+\\s?)*$", "id-(z|zz)*q"]) {
    assert.equal(isSlowPattern(source), true, source);
  }
  for (const source of ["ACME-\\d{4,8}", "customer \\w+", "\\b[A-Z]{2}\\d{20}\\b", "(?:foo|bar)[-_ ]?\\d+", "\\s+$"]) {
    assert.equal(isSlowPattern(source), false, source);
  }
});
