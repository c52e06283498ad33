import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATIONS } from "../../operations/registry.ts";
import { flagsOf } from "../flags.ts";
import { plainInput } from "./input_table.ts";
import { makeInputTable } from "./make_input_table.ts";

/** Values of every kind for each field: right ones, wrong ones, and those at the limits. */
const VALUES = [
  ...["", "x", "stripped", "hybrid", "project", "y".repeat(100), "y".repeat(101), "y".repeat(501)],
  ...[0, 1, -1, 1.5, 10_000, 10_001, 1e300, Number.NaN, true, false, null],
  ...[[], ["a", "b"], [1], Array(1001).fill("x"), {}, { message_index: 3 }],
];

test("a plain input equals the schema's result, and an invalid one is never plain", async () => {
  const table = await makeInputTable(Object.keys(OPERATIONS));
  let plain = 0;
  for (const [verb, row] of Object.entries(table)) {
    const operation = await OPERATIONS[verb]?.();
    assert.ok(operation);
    assert.deepEqual(row.flags, flagsOf(operation));
    const required = Object.fromEntries(
      Object.entries(row.fields).flatMap(([name, field]) =>
        field?.required ? [[name, field.type === "list" ? ["a"] : (field.choices?.[0] ?? "abc")]] : [],
      ),
    );
    const inputs = Object.keys(row.fields).flatMap((name) => VALUES.map((value) => ({ ...required, [name]: value })));
    for (const input of [{}, required, { ...required, unknown: 1 }, ...inputs]) {
      const found = plainInput(row, input);
      if (found === undefined) continue;
      plain += 1;
      const parsed = operation.input.safeParse(input);
      assert.ok(parsed.success, `${verb} ${JSON.stringify(input)} is not valid`);
      assert.deepEqual(Object.entries(found), Object.entries(parsed.data), verb);
    }
  }
  assert.ok(plain > 1000, `${plain} inputs were plain`);
});

test("the frequent verbs are in the table, and one with a rule about several fields is not", async () => {
  const table = await makeInputTable(["search", "stats", "list", "show", "usage", "save", "pin"]);
  assert.deepEqual(Object.keys(table).slice(0, 5), ["search", "stats", "list", "show", "usage"]);
  const { search, show, save } = table;
  assert.ok(search && plainInput(search, { query: "retry", limit: 3 }));
  assert.equal(plainInput(search, {}), undefined, "the query is required");
  assert.ok(show && plainInput(show, { ids: ["a"] }));
  assert.equal(plainInput(show, { ids: ["a"], expand: { message_index: 1 } }), undefined, "not plain");
  assert.equal(save, undefined);
});
