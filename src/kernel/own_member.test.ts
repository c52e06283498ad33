import assert from "node:assert/strict";
import { test } from "node:test";
import { ownMember } from "./own_member.ts";

test("a table has its own members alone", () => {
  const table: Readonly<Record<string, number>> = { one: 1 };
  assert.equal(ownMember(table, "one"), 1);
  for (const name of ["two", "constructor", "__proto__", "toString"]) assert.equal(ownMember(table, name), undefined);
});
