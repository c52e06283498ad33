/** Whatever is wrong with an input, people and agents get a plain sentence that names the field. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inputError } from "../../src/cli/arguments.ts";
import { flagsOf, shownDefault } from "../../src/cli/flags.ts";
import { operationHelp } from "../../src/cli/help/command_help.ts";
import { argumentError } from "../../src/mcp/tools/arguments.ts";
import { inputSchema } from "../../src/mcp/tools/schemas.ts";
import { OPERATIONS } from "../../src/operations/registry.ts";

const operations = await Promise.all(Object.values(OPERATIONS).map((load) => load()));

/** No sentence of dex has these; the validator's messages consist of them. */
const VALIDATORS_WORDS =
  /\b(Invalid (input|option|string|key|element|type|union|value|date|url|email|uuid)|[Ee]xpected (one of|number|string|array|object|boolean|int|record|to be|never)|Too (big|small)|Unrecognized key|received (undefined|string|number|array|object|null|NaN))|[<>]=\s*\d|\bundefined\b|\[object/;

const WRONG: readonly unknown[] = [
  undefined,
  null,
  "",
  "no such value",
  "x".repeat(300_000),
  -1,
  0,
  2.5,
  100_001,
  Number.MAX_SAFE_INTEGER,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  {},
  { unknown: 1 },
  { message_index: "x", file: 5 },
  [],
  [5],
  ["x".repeat(20_000)],
  Array.from({ length: 1001 }, () => "x"),
  [{}],
];

test("no schema's refusal reaches a person or an agent in the validator's own words", () => {
  let refused = 0;
  for (const operation of operations) {
    const schema = inputSchema(operation);
    for (const field of [...Object.keys(operation.input.shape), "no_such_field"]) {
      for (const value of WRONG) {
        const { error } = operation.input.safeParse({ [field]: value }, { reportInput: true });
        // Fields that are missing come first: only what this value did wrong is looked at, too.
        const own = error && { ...error, issues: error.issues.filter(({ path }) => path[0] === field) };
        for (const each of [error, own]) {
          if (!each || each.issues.length === 0) continue;
          refused += 1;
          const texts = [
            inputError(operation, each as typeof error & object),
            argumentError(operation.name, schema, each as typeof error & object),
          ];
          for (const { message, hint } of texts) {
            const text = `${message}\n${hint ?? ""}`;
            assert.doesNotMatch(text, VALIDATORS_WORDS, `${operation.verb} ${field}: ${text}`);
            assert.match(message, /\.$/, `${operation.verb} ${field}: ${message}`);
            assert.ok(text.length < 1500, `${operation.verb} ${field}: ${text.length} characters`);
          }
        }
      }
    }
  }
  assert.ok(refused > 2000, String(refused));
});

test("a number that is only too large is not called no number: the limit is named", () => {
  for (const operation of operations) {
    for (const [field, schema] of Object.entries(operation.input.shape)) {
      const { error } = schema.safeParse(9_000_000_000_000_000, { reportInput: true });
      const issue = error?.issues[0];
      if (issue?.code !== "too_big") continue;
      const { error: whole } = operation.input.safeParse({ [field]: 9_000_000_000_000_000 }, { reportInput: true });
      const own = whole && { ...whole, issues: whole.issues.filter(({ path }) => path[0] === field) };
      if (!own) continue;
      assert.match(
        inputError(operation, own as typeof whole).message,
        /at most [\d,]+\.$/,
        `${operation.verb} ${field}`,
      );
    }
  }
});

test("help shows defaults as they would be typed, and none that is empty", () => {
  for (const operation of operations) {
    const help = operationHelp(operation, 80);
    assert.doesNotMatch(help, /\(default (\s*|\[object.*|undefined|null)\)/, operation.verb);
    for (const flag of flagsOf(operation)) {
      assert.notEqual(flag.description, "", `${operation.verb} --${flag.name} says nothing`);
      assert.notEqual(shownDefault(flag), "", `${operation.verb} --${flag.name}`);
    }
  }
});

test("a mistyped choice is answered with the nearest one", () => {
  const code = operations.find(({ verb }) => verb === "code");
  assert.ok(code);
  const hintFor = (action: string): string | undefined => {
    const { error } = code.input.safeParse({ action, target: "x" }, { reportInput: true });
    return error && inputError(code, error).hint;
  };
  assert.equal(hintFor("caller"), "Did you mean callers?");
  assert.equal(hintFor("reference"), "Did you mean references?");
  assert.match(hintFor("xyzzy") ?? "", /--help/);
});
