import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "jsonc-parser";
import { between, pick, type Random, seeded } from "../../../../test/support/random.ts";
import { BadConfig } from "./editor.ts";
import { checkFormat, JSONC_EDITOR as editor } from "./jsonc.ts";

const PATH = ["mcpServers", "dex"];
const ENTRY = { type: "stdio", command: "dex", args: ["serve"] };

/** Like uninstall: a parent that did not exist before is removed, too. */
function thereAndBack(text: string): { installed: string; back: string } {
  const installed = editor.put(text, PATH, ENTRY);
  return { installed, back: editor.remove(installed, PATH, editor.read(text, ["mcpServers"]) === undefined ? 1 : 0) };
}

test("an entry is added in the file's own style", () => {
  const text =
    '{\r\n\t"theme": "dark", // mine\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "x" } // keep\r\n\t}\r\n}';
  const { installed, back } = thereAndBack(text);
  assert.equal(
    installed,
    '{\r\n\t"theme": "dark", // mine\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "x" }, // keep\r\n' +
      '\t\t"dex": {\r\n\t\t\t"type": "stdio",\r\n\t\t\t"command": "dex",\r\n\t\t\t"args": ["serve"]\r\n\t\t}\r\n\t}\r\n}',
  );
  assert.equal(back, text);
});

test("one line stays one line", () => {
  assert.equal(
    editor.put('{"a":1}', PATH, ENTRY),
    '{"a":1,"mcpServers":{"dex":{"type":"stdio","command":"dex","args":["serve"]}}}',
  );
});

test("comments around the entry survive its removal", () => {
  const text =
    '{\n  "mcpServers": {\n    "a": {}, // about a\n    /* next */ "dex": { "command": "dex" }, "b": {}\n  }\n}\n';
  assert.equal(
    editor.remove(text, PATH, 0),
    '{\n  "mcpServers": {\n    "a": {}, // about a\n    /* next */ "b": {}\n  }\n}\n',
  );
  const last = '{ "mcpServers": { "a": {}, // about a\n "dex": {} } }';
  assert.deepEqual(parse(editor.remove(last, PATH, 0)), { mcpServers: { a: {} } });
});

test("a parent is removed only if it is empty, without comments, and removable", () => {
  const text = '{\n  "x": 1,\n  "mcpServers": {\n    "dex": {}\n  }\n}\n';
  assert.equal(editor.remove(text, PATH, 1), '{\n  "x": 1\n}\n');
  assert.equal(editor.remove(text, PATH, 0), '{\n  "x": 1,\n  "mcpServers": {}\n}\n');
  const commented = '{\n  "mcpServers": {\n    // servers\n    "dex": {}\n  }\n}\n';
  assert.equal(editor.remove(commented, PATH, 1), '{\n  "mcpServers": {\n    // servers\n  }\n}\n');
});

test("only the named fields change", () => {
  const text = '{ "mcpServers": { "dex": { "command": "/old/node", "args": ["x", "serve"], "env": { "A": "b" } } } }';
  assert.equal(
    editor.change(text, PATH, { command: "dex", args: ["serve"] }),
    '{ "mcpServers": { "dex": { "command": "dex", "args": ["serve"], "env": { "A": "b" } } } }',
  );
});

test("of a duplicate key the last one counts", () => {
  assert.equal(editor.read('{"mcpServers":{"a":1},"mcpServers":{"b":2}}', ["mcpServers", "b"]), 2);
});

test("invalid text is rejected with its line", () => {
  const cases: [string, RegExp][] = [
    ['{\n  "a": 1\n  "b": 2\n}', /not valid JSON: comma expected in line 3/],
    ["[]", /does not hold a JSON object/],
    ['{"mcpServers": []}', /an array at "mcpServers"/],
    ['{"mcpServers": null}', /null at "mcpServers"/],
    ['{"a": "unfinished', /not valid JSON/],
  ];
  for (const [text, message] of cases) {
    assert.throws(
      () => editor.put(text, PATH, ENTRY),
      (error) => error instanceof BadConfig && message.test(error.message),
      text,
    );
  }
});

/** Objects as people leave them: comments, commas, blanks in any position where JSON with comments allows them. */
function randomObject(random: Random, depth: number): string {
  const eol = pick(random, ["\n", "\n", "\r\n"]);
  const space = (): string =>
    Array.from({ length: between(random, 0, 2) }, () =>
      pick(random, [" ", "\t", eol, `// c "x": 1, }${eol}`, "/* , { */", "  "]),
    ).join("");
  const value = (): string => {
    if (depth > 0 && random() < 0.4) return randomObject(random, depth - 1);
    return pick(random, ["1", "true", "null", '"a // b"', '["x", /* y */ 2]', '"é\\u0041"', "[]"]);
  };
  const keys = ["a", "b c", "mcpServers", "ü"].slice(0, between(random, 0, 4));
  const pairs = keys.map((key) => {
    const held = key === "mcpServers" ? randomObject(random, 1) : value();
    return `${space()}${JSON.stringify(key)}${space()}:${space()}${held}${space()}`;
  });
  const trailing = pairs.length > 0 && random() < 0.2 ? `,${space()}` : "";
  return `{${pairs.join(",")}${trailing}${pairs.length === 0 ? space() : ""}}`;
}

test("whatever the file looks like, only the entry comes and goes", () => {
  const random = seeded(7);
  let exact = 0;
  const rounds = 2000;
  for (let round = 0; round < rounds; round += 1) {
    const text = pick(random, ["", "\ufeff"]) + randomObject(random, 2) + pick(random, ["", "\n", " // end"]);
    const body = text.replace("\ufeff", "");
    const { installed, back } = thereAndBack(text);
    const before = parse(body) as Record<string, unknown>;
    const servers = (before.mcpServers ?? {}) as Record<string, unknown>;
    assert.deepEqual(
      parse(installed.replace("\ufeff", ""), [], { allowTrailingComma: true }),
      { ...before, mcpServers: { ...servers, dex: ENTRY } },
      JSON.stringify(text),
    );
    assert.deepEqual({ ...Object(editor.read(installed, PATH)) }, ENTRY);
    assert.deepEqual(parse(back.replace("\ufeff", ""), [], { allowTrailingComma: true }), before, JSON.stringify(text));
    // Comments stay unchanged.
    const comments = (of: string): string[] => of.match(/\/\/ c "x": 1, \}|\/\* , \{ \*\//g) ?? [];
    assert.deepEqual(comments(back), comments(text), JSON.stringify(text));
    if (back === text) exact += 1;
    // Without a backup the white space of empty braces is unknown.
    else assert.equal(back.replace(/\s/g, ""), text.replace(/\s/g, ""));
  }
  assert.ok(exact > rounds * 0.8, `${exact} of ${rounds} came back to the byte`);
});

test("comments and trailing commas are rejected where the agent rejects them", () => {
  for (const text of ['{ "a": 1, }', '{ "a": [1,] }', '{ // mine\n "a": 1 }', '{ "a": 1 } x']) {
    assert.throws(
      () => checkFormat(text, "json", "Claude Code"),
      /is not valid JSON for Claude Code: .* in line 1/,
      text,
    );
  }
  for (const text of ["", "\ufeff{}", '{ "a": [1, { "b": null }] }\n']) checkFormat(text, "json", "Claude Code");
  const commented = '{ // mine\n "a": 1 }';
  checkFormat(commented, "json_with_comments", "Gemini CLI");
  assert.throws(
    () => checkFormat('{ "a": 1, }', "json_with_comments", "Gemini CLI"),
    /is not valid JSON for Gemini CLI/,
  );
  checkFormat('{ // mine\n "a": 1, }', "jsonc", "Cursor");
});
