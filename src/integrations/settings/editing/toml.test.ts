import assert from "node:assert/strict";
import { test } from "node:test";
import { rounds } from "../../../../test/support/program/limits.ts";
import { between, pick, type Random, seeded } from "../../../../test/support/random.ts";
import type { Json } from "../../../kernel/json.ts";
import { BadConfig } from "./editor.ts";
import { TOML_EDITOR as editor } from "./toml.ts";
import { scanToml } from "./toml_scan.ts";

const PATH = ["mcp_servers", "dex"];
const ENTRY = { command: "dex", args: ["serve"] };
const TABLE = '[mcp_servers.dex]\ncommand = "dex"\nargs = ["serve"]\n';

test("the table is added at the end and removed again, line endings kept", () => {
  const cases: [string, string][] = [
    ["", TABLE],
    ["a = 1\n", `a = 1\n\n${TABLE}`],
    ["a = 1", `a = 1\n\n${TABLE.trimEnd()}`],
    ["a = 1\r\n", `a = 1\r\n\r\n${TABLE.replaceAll("\n", "\r\n")}`],
    ["\n\n", `\n\n\n${TABLE}`],
    ["\ufeffa = 1\n", `\ufeffa = 1\n\n${TABLE}`],
  ];
  for (const [text, wanted] of cases) {
    const installed = editor.put(text, PATH, ENTRY);
    assert.equal(installed, wanted);
    assert.equal(editor.remove(installed, PATH, 1), text);
  }
});

test("an inline table gets the entry inside, since nothing may be added to it from outside", () => {
  assert.equal(
    editor.put('mcp_servers = { a = { command = "x" } } # mine\n', PATH, ENTRY),
    'mcp_servers = { a = { command = "x" }, dex = { command = "dex", args = ["serve"] } } # mine\n',
  );
  assert.equal(
    editor.put("mcp_servers = {}", PATH, ENTRY),
    'mcp_servers = { dex = { command = "dex", args = ["serve"] } }',
  );
});

test("the entry is found in every notation", () => {
  const forms = [
    '[mcp_servers.dex]\ncommand = "dex"\nargs = ["serve"]\nenv = { A = "b" }\n',
    '[mcp_servers.dex]\ncommand = "dex"\nargs = [ # list\n  "serve", # one\n]\n\n[mcp_servers.dex.env]\nA = "b"\n',
    '[ mcp_servers . \'dex\' ]\ncommand = \'dex\'\n"args" = ["serve"]\nenv.A = "b"\n',
    '[mcp_servers]\ndex = { command = "dex", args = ["serve"], env = { A = "b" } }\n',
    '[mcp_servers]\ndex.command = "dex"\ndex.args = ["serve"]\ndex.env.A = "b"\n',
    'mcp_servers.dex.command = "dex"\nmcp_servers.dex.args = ["serve"]\nmcp_servers.dex.env = { A = "b" }\n',
    'mcp_servers = { dex = { command = "d\\u0065x", args = ["serve"], env.A = """\nb""" } }\n',
  ];
  for (const form of forms) {
    const text = `# top\nx = 1\n${form.startsWith("mcp") ? form : `\n${form}`}\n[last]\ny = '''\n[mcp_servers.dex]\n'''\n`;
    assert.deepEqual(editor.read(text, PATH), { ...ENTRY, env: { A: "b" } }, form);
    const without = editor.remove(text, PATH, 1);
    assert.equal(editor.read(without, PATH), undefined, form);
    assert.match(without, /^# top\nx = 1\n/);
    assert.match(without, /\[last\]\ny = '''\n\[mcp_servers\.dex\]\n'''\n$/);
    assert.deepEqual(editor.read(editor.change(text, PATH, { command: "/n" }), [...PATH, "command"]), "/n", form);
  }
});

test("sub-tables are removed with the table; comments of the next one stay", () => {
  const text =
    '[mcp_servers.a]\ncommand = "a"\n\n[mcp_servers.dex]\ncommand = "dex"\n# inside\nargs = ["serve"]\n\n' +
    '# about b\n[mcp_servers.b]\ncommand = "b"\n\n[mcp_servers.dex.env]\nX = "1"\n';
  assert.equal(
    editor.remove(text, PATH, 1),
    '[mcp_servers.a]\ncommand = "a"\n\n# about b\n[mcp_servers.b]\ncommand = "b"\n',
  );
});

test("names that only look alike are left alone", () => {
  const text =
    '[mcp_servers.dexter]\ncommand = "x"\n[mcp_servers."dex.y"]\ncommand = "y"\n[other.mcp_servers.dex]\nz = 1\n';
  assert.equal(editor.read(text, PATH), undefined);
  assert.equal(editor.remove(text, PATH, 1), text);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  editor.read("[mcp_servers.__proto__]\npolluted = true\n__proto__.polluted = true\n", PATH);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test("invalid text is rejected with its line", () => {
  const cases: [string, RegExp][] = [
    ["a = 1\nb =\n", /a value expected in line 2/],
    ["[a\nb = 1\n", /"\]" expected in line 1/],
    ['a = "x\n', /an unclosed string in line 1/],
    ['a = """x\n', /an unclosed string/],
    ["a = [1, 2\n", /"\]" expected/],
    ["a = 1 b = 2\n", /unexpected text in line 1/],
    ["= 1\n", /a key expected/],
    ["[[mcp_servers]]\nname = 1\n", /something other than a table at "mcp_servers"/],
    ["mcp_servers = 3\n", /something other than a table/],
    [`a = ${"[".repeat(5000)}`, /nested too deep/],
  ];
  for (const [text, message] of cases) {
    assert.throws(
      () => editor.put(text, PATH, ENTRY),
      (error) => error instanceof BadConfig && message.test(error.message),
      text.slice(0, 40),
    );
  }
});

const STRINGS = [
  '"a # b"',
  "'c [x]'",
  '"""m\n[mcp_servers.dex]\n"q" \\" """',
  "'''\n# no comment\n'''",
  '"\\\\"',
  '""',
  '"""x"""""',
];
const KEYS = ["a", "b-c", '"d.e"', "'f g'", "mcp", "_1"];

function randomValue(random: Random, depth: number): string {
  const kind = depth > 2 ? 0 : between(random, 0, 4);
  if (kind === 1) {
    const items = Array.from({ length: between(random, 0, 3) }, () => randomValue(random, depth + 1));
    return pick(random, [`[${items.join(", ")}]`, `[ # list ]\n  ${items.map((item) => `${item}, # it\n`).join("")}]`]);
  }
  if (kind === 2) {
    const pairs = KEYS.slice(0, between(random, 0, 3)).map((key) => `${key} = ${randomValue(random, depth + 1)}`);
    return `{ ${pairs.join(", ")} }`;
  }
  return pick(random, [
    ...STRINGS,
    "1_000",
    "-0.5e3",
    "true",
    "1979-05-27T07:32:00Z",
    "1979-05-27 07:32:00",
    "inf",
    "0xff",
  ]);
}

function randomFile(random: Random): string {
  const pair = (key: string): string =>
    `${pick(random, ["", "", "  "])}${key}${pick(random, ["", ".x", ' . "y"'])} = ${randomValue(random, 0)}${pick(random, ["", "  # note", "\t"])}\n`;
  const some = (): string =>
    KEYS.slice(0, between(random, 0, 4))
      .map(pair)
      .join("");
  const tables = [
    "[t]",
    '[mcp_servers."o x"] # o',
    "[mcp_servers.other.env]",
    "[[list]]",
    "[[list]]",
    "[ z . 'q' ]",
    "[mcp_servers]",
  ]
    .slice(0, between(random, 0, 7))
    .map((header) => `${pick(random, ["", "\n", "# [mcp_servers.dex]\n"])}${header}\n${some()}`);
  const head =
    random() < 0.15 && !tables.some((table) => table.includes("mcp_servers"))
      ? 'mcp_servers = { n = { a = "}" } }\n'
      : "";
  let text = pick(random, ["", "# top\n", "\n"]) + head + some() + tables.join("");
  if (random() < 0.2) text = text.trimEnd();
  if (random() < 0.25) text = text.replaceAll("\n", "\r\n");
  return text;
}

/** The file without the entry: every statement unchanged. */
function others(text: string): Json[] {
  return scanToml(text)
    .filter(({ path }) => !(path[0] === "mcp_servers" && path[1] === "dex"))
    .map(({ path, kind, value }) => [kind, path.join("\0"), path[0] === "mcp_servers" ? "" : (value?.value ?? "")]);
}

test("in any file, only the table is added and removed", () => {
  const random = seeded(11);
  for (let round = 0; round < rounds(400, 1500); round += 1) {
    const text = randomFile(random);
    const installed = editor.put(text, PATH, ENTRY);
    assert.deepEqual(editor.read(installed, PATH), ENTRY, JSON.stringify(text));
    assert.deepEqual(others(installed), others(text), JSON.stringify(text));
    assert.equal(editor.put(installed, PATH, ENTRY), installed, JSON.stringify(text));
    assert.equal(editor.remove(installed, PATH, 1), text, JSON.stringify(text));
    // Text that someone else added later stays, too.
    const grown = `${installed}${installed.endsWith("\n") ? "" : "\n"}[later]\nx = 1\n`;
    const left = editor.remove(grown, PATH, 1);
    assert.deepEqual(others(left), others(grown), JSON.stringify(text));
  }
});
