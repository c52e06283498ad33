import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import type { JsonObject } from "../../kernel/json.ts";
import { argumentError } from "./arguments.ts";
import { withNearTypes, withoutBlanks } from "./near_types.ts";

const input = z.strictObject({
  query: z.string().describe("Words to look for"),
  limit: z.number().int().max(100).optional().describe("Maximum results"),
  role: z.enum(["user", "assistant"]).optional().describe("Only of this role"),
});
const schema = z.toJSONSchema(input) as JsonObject;

function errorOf(given: unknown): { code: string; message: string; hint: string | undefined } {
  const { error } = input.safeParse(given, { reportInput: true });
  assert.ok(error);
  const { code, message, hint } = argumentError("dex_search", schema, error);
  return { code, message, hint };
}

test("a misspelt parameter is named first, with the correct name", () => {
  assert.deepEqual(errorOf({ qurey: "x" }), {
    code: "unknown_parameter",
    message: 'dex_search has no parameter "qurey".',
    hint: "Did you mean query?",
  });
  assert.equal(errorOf({ query: "x", zebra: 1 }).hint, "It takes query, limit, role.");
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

test("a misspelt choice is answered with the nearest one, and with all of them", () => {
  assert.deepEqual(errorOf({ query: "x", role: "Users" }), {
    code: "bad_parameter",
    message: 'role cannot be "Users".',
    hint: "Did you mean user? It takes user, assistant.",
  });
  assert.equal(errorOf({ query: "x", role: "zebra" }).hint, "It takes user, assistant.");
  assert.match(errorOf({ query: "x", role: 5 }).message, /^role: must be one of user, assistant\.$/);
});

test("a parameter under the name that others use is answered with the name here", () => {
  assert.equal(errorOf({ query: "x", count: 5 }).hint, "Did you mean limit?");
  assert.equal(errorOf({ q: "x" }).hint, "Did you mean query?");
});

test("a name that is like no other stands for the one parameter that the call lacks", () => {
  assert.equal(errorOf({ zebra: "x" }).hint, "Did you mean query?");
  assert.equal(errorOf({ limt: 5 }).hint, "Did you mean limit?");
});

test("a value of a near type is read as the type of its parameter, if it can be read in one way only", () => {
  const lists = input.extend({ ids: z.array(z.string()).optional(), regex: z.boolean().optional() });
  const read = (given: Record<string, unknown>): unknown => {
    const { error } = lists.safeParse(given, { reportInput: true });
    return error && withNearTypes(given, error);
  };
  assert.deepEqual(read({ query: 5, limit: "7", regex: "true" }), { query: "5", limit: 7, regex: true });
  assert.deepEqual(read({ query: "x", ids: "abcd" }), { query: "x", ids: ["abcd"] });
  assert.deepEqual(read({ query: [1, 5] }), { query: "1,5" });
  assert.deepEqual(read({ query: "x", ids: '["abcd","efgh"]' }), { query: "x", ids: ["abcd", "efgh"] });
  for (const given of [
    { limit: "five" },
    { limit: "" },
    { regex: "yes" },
    { ids: "" },
    { ids: 5 },
    { query: null },
    { query: ["x"] },
  ]) {
    assert.equal(read({ query: "x", ...given }), undefined, JSON.stringify(given));
  }
});

test("an optional parameter that is null or empty counts as not given; dex names a required one", () => {
  const schema = z.strictObject({ query: z.string(), from: z.string().optional(), limit: z.number().default(10) });
  assert.deepEqual(withoutBlanks({ query: "a", from: "", limit: null }, schema), { query: "a" });
  assert.deepEqual(withoutBlanks({ query: "", from: "7d" }, schema), { query: "", from: "7d" });
  assert.deepEqual(withoutBlanks({ query: "a", other: "" }, schema), { query: "a", other: "" });
  assert.equal(withoutBlanks("text", schema), "text");
});
