import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { lazySchema, made } from "./lazy_schema.ts";

/** zod as the build of the frequent verbs sees it, and how many schemas were made. */
function lazyZod(): { lazy: typeof z; count: () => number } {
  let count = 0;
  const lazy = new Proxy(z, {
    get:
      (all, name) =>
      (...args: unknown[]) =>
        lazySchema(() => {
          count += 1;
          return (all as unknown as Record<PropertyKey, (...of: unknown[]) => unknown>)[name]?.(...made(args));
        }),
  });
  return { lazy, count: () => count };
}

function declare(all: typeof z) {
  const name = all.string().min(2).max(5).optional().describe("A name");
  const shared = { name, kind: all.enum(["one", "two"]).default("one") };
  return all.strictObject({
    ...shared,
    count: all.int("must be whole").min(0).default(3),
    rows: all.array(all.object({ text: all.string().nullable() })).optional(),
    by: all.record(all.string(), all.union([all.number(), all.literal("all")])).optional(),
  });
}

const INPUTS: unknown[] = [
  {},
  { name: "abc", kind: "two" },
  { name: "a" },
  { kind: "three" },
  { count: 1.5 },
  { count: -1 },
  { rows: [{ text: null }, { text: "x" }] },
  { rows: [{}] },
  { by: { a: 1, b: "all" } },
  { by: { a: "none" } },
  { other: true },
  "text",
];

test("a schema that is made late checks as one that is made at once", () => {
  const [late, atOnce] = [declare(lazyZod().lazy), declare(z)];
  for (const input of INPUTS) {
    const [one, other] = [late, atOnce].map((schema) => schema.safeParse(input));
    assert.deepEqual([one?.success, one?.data], [other?.success, other?.data]);
    assert.deepEqual(one?.error?.issues, other?.error?.issues);
  }
  assert.deepEqual(z.toJSONSchema(late, { io: "input" }), z.toJSONSchema(atOnce, { io: "input" }));
});

test("a schema can be extended, asked for its parts and recognised by its class", () => {
  const late = declare(lazyZod().lazy).extend({ more: z.boolean() });
  assert.ok(late instanceof z.ZodObject);
  assert.deepEqual(Object.keys(late.shape), ["name", "kind", "count", "rows", "by", "more"]);
  assert.equal(late.parse({ more: true }).kind, "one");
});

test("declaring makes no schema, and each is made once", () => {
  const { lazy, count } = lazyZod();
  const late = declare(lazy);
  assert.equal(count(), 0);
  late.parse({});
  const first = count();
  assert.ok(first > 5);
  late.parse({});
  assert.equal(count(), first);
});
