import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { issueText } from "./issue_text.ts";

/** Matches the wording of the validator's own messages. */
const VALIDATORS_WORDS = /invalid|expected|too (big|small)|unrecognized|received|<=|>=|zod/i;

const said = (schema: z.ZodType, value: unknown): string => {
  const { error } = schema.safeParse(value, { reportInput: true });
  return issueText(error?.issues[0]);
};

test("every kind of issue becomes a plain phrase", () => {
  const cases: [z.ZodType, unknown, string][] = [
    [z.string(), 5, "must be text"],
    [z.number(), "x", "must be a number"],
    [z.int(), "x", "must be a number"],
    [z.int(), 2.5, "must be a whole number"],
    [z.boolean(), "x", "must be true or false"],
    [z.array(z.string()), "x", "must be a list"],
    [z.strictObject({}), "x", "must be an object"],
    [z.record(z.string(), z.string()), "x", "must be an object"],
    [z.symbol(), "x", "must be of another type"],
    [z.int("must be a whole number").max(10_000), 100_001, "must be at most 10,000"],
    [z.number().max(2), 3, "must be at most 2"],
    [z.number().max(0.5), 3, "must be at most 0.5"],
    [z.number().lt(5), 5, "must be less than 5"],
    [z.int("must be a whole number").min(0, "must not be negative"), -1, "must not be negative"],
    [z.number().min(0), -1, "must not be negative"],
    [z.int("must be a whole number").min(1), 0, "must be at least 1"],
    [z.number().gt(1), 1, "must be more than 1"],
    [z.string().max(3), "long", "must have at most 3 characters"],
    [z.string().min(1), "", "must not be empty"],
    [z.string().min(4), "a", "must have at least 4 characters"],
    [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 entry"],
    [z.array(z.string()).min(1, "needs at least one id"), [], "needs at least one id"],
    [z.array(z.string()).min(2), [], "must have at least 2 entries"],
    [z.enum(["used", "dismissed"]), "x", "must be one of used, dismissed"],
    [z.literal("all"), "x", "must be all"],
    [z.number().multipleOf(5), 3, "must be a multiple of 5"],
    [z.strictObject({ a: z.string().optional() }), { b: 1 }, 'has an unknown field "b"'],
    [z.union([z.number(), z.literal("all")]), "x", "must be a number, or must be all"],
    [z.url(), "x", "is not an address (https://…)"],
    [z.string().regex(/^a$/), "b", "is not in the form it needs"],
    [z.string().regex(/^a$/, "is not a name"), "b", "is not a name"],
    [z.string().refine(() => false, "must hold water."), "b", "must hold water"],
    [z.string().refine(() => false), "b", "is not valid"],
    [z.record(z.string().max(1), z.string()), { long: "x" }, "has an entry that is not valid"],
    [z.map(z.string(), z.number()), new Map([["a", "b"]]), "must be a number"],
    [z.never(), "x", "must be of another type"],
  ];
  for (const [schema, value, expected] of cases) assert.equal(said(schema, value), expected);
  assert.equal(issueText(undefined), "is not valid");
  for (const [, , text] of cases.filter(([, , each]) => !each.includes('"'))) {
    assert.doesNotMatch(text.replace("is not valid", ""), VALIDATORS_WORDS);
  }
});
