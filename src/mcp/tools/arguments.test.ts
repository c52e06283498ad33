import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import type { JsonObject } from "../../kernel/json.ts";
import { argumentError } from "./arguments.ts";

const input = z.strictObject({
  query: z.string().describe("Words to look for"),
  limit: z.number().int().max(100).optional().describe("Maximum results"),
});
const schema = z.toJSONSchema(input) as JsonObject;

function errorOf(given: unknown): { code: string; message: string; hint: string | undefined } {
  const { error } = input.safeParse(given, { reportInput: true });
  assert.ok(error);
  const { code, message, hint } = argumentError("dex_search", schema, error);
  return { code, message, hint };
}

test("a misspelt parameter is named first, with the one that was meant", () => {
  assert.deepEqual(errorOf({ qurey: "x" }), {
    code: "unknown_parameter",
    message: 'dex_search has no parameter "qurey".',
    hint: "Did you mean query?",
  });
  assert.equal(errorOf({ query: "x", zebra: 1 }).hint, "It takes query, limit.");
  const long = errorOf({ query: "x", ["y".repeat(1000)]: 1 });
  assert.ok(long.message.length < 120, "a long name is truncated");
});

test("the error for a missing or wrong parameter carries the parameter's description", () => {
  assert.deepEqual(errorOf({}), {
    code: "missing_parameter",
    message: "dex_search needs query.",
    hint: "query: Words to look for.",
  });
  const many = errorOf({ query: "x", limit: 500 });
  assert.equal(many.code, "bad_parameter");
  assert.match(many.message, /^limit: .*100/);
  assert.equal(many.hint, "limit: Maximum results.");
});
