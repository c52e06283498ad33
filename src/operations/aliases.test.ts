import assert from "node:assert/strict";
import test from "node:test";
import * as z from "zod";
import { aliasesOf, withoutAliases } from "./aliases.ts";
import { OPERATIONS } from "./registry.ts";
import { projectFolderField } from "./shared/fields.ts";

const operation = {
  input: z.strictObject({ project: projectFolderField, max_tokens: z.number() }),
  aliases: { max_tokens: ["target"] },
};

test("an alias is read as its field", () => {
  assert.deepEqual(withoutAliases(operation, { repository: "/a", target: 5 }), { project: "/a", max_tokens: 5 });
  assert.deepEqual(withoutAliases(operation, { project: "/a" }), { project: "/a" });
  assert.equal(withoutAliases(operation, "text"), "text");
});

test("a value given under two names is not dropped: the schema rejects it", () => {
  const both = withoutAliases(operation, { target: 5, max_tokens: 6 });
  assert.deepEqual(both, { target: 5, max_tokens: 6 });
  assert.equal(operation.input.safeParse(both).success, false);
});

test("a filter of conversations by project is not a folder and has no such alias", () => {
  const input = z.strictObject({ project: z.string().optional() });
  assert.deepEqual([...aliasesOf({ input })], []);
});

test("the aliases of every operation name a field, and no alias is a field", async () => {
  for (const [verb, load] of Object.entries(OPERATIONS)) {
    const each = await load();
    const fields = Object.keys(each.input.shape);
    for (const [alias, field] of aliasesOf(each)) {
      assert.ok(fields.includes(field), `${verb}: ${field}`);
      assert.ok(!fields.includes(alias), `${verb}: ${alias}`);
    }
  }
});
