import assert from "node:assert/strict";
import { test } from "node:test";
import { unitsOf } from "../units/units.ts";

const units = (text: string): string[] =>
  unitsOf(text).map(({ kind, text: said, head }) => `${kind}: ${head ? `${head.split("\n")[0]} ` : ""}${said}`);

test("tables of reStructuredText are rows with their head", () => {
  const grid =
    "+------+-------+\n| Sail | Use   |\n+======+=======+\n| Jib  | Light |\n|      | wind. |\n+------+-------+";
  const simple = "====  =====\nSail  Use\n====  =====\nJib   Light\n      wind.\n====  =====";
  const list = ".. list-table::\n   :header-rows: 1\n\n   * - Sail\n     - Use\n   * - Jib\n     - Light\n       wind.";
  const values = '.. csv-table::\n   :header: "Sail", "Use"\n\n   Jib, "Light wind."';
  for (const text of [grid, simple, list, values])
    assert.deepEqual(units(`${text}\n\nAfter it.`), [
      "row: | Sail | Use | | Jib | Light wind. |",
      "sentence: After it.",
    ]);
});

test("terms with descriptions are items: indented below, or after a colon", () => {
  assert.deepEqual(
    units("jib\n    The small sail in front.\n\n    It can be furled.\n\nspinnaker\n    A large sail for it.\n"),
    ["item: - jib: The small sail in front.", "sentence: It can be furled.", "item: - spinnaker: A large sail for it."],
  );
  assert.deepEqual(units("Jib\n: The small sail.\n\nSpinnaker\n\n: The large one.\n: For light wind."), [
    "item: - Jib: The small sail.",
    "item: - Spinnaker: The large one.",
    "item: - Spinnaker: For light wind.",
  ]);
  // A line that is only wrapped.
  assert.deepEqual(units("The jib is in front of\n  the mast."), ["sentence: The jib is in front of the mast."]);
});

test("directives say what their names mean", () => {
  assert.deepEqual(
    units(".. versionadded:: 2.1\n\n.. deprecated:: 3.0 Use the jib.\n\n.. note:: Reef early\n   and often."),
    [
      "sentence: Added in version 2.1.",
      "sentence: Deprecated since version 3.0: Use the jib.",
      "sentence: Reef early and often.",
    ],
  );
});

test("AsciiDoc: tables, with cells on lines of their own", () => {
  const table = '[cols="1,2",options="header"]\n|===\n|Sail |Use\n\n|`jib`\n|Light\nwind.\n\n|`main` a|Always.\n|===';
  assert.deepEqual(units(table), [
    "row: | Sail | Use | | `jib` | Light wind. |",
    "row: | Sail | Use | | `main` | Always. |",
  ]);
  assert.deepEqual(units(".Sails\n|===\n2+|Both |x\n|a |b |c\n|==="), [
    "sentence: Sails:",
    "row: | Both |  | x |",
    "row: | a | b | c |",
  ]);
});

test("AsciiDoc: the text of boxes and side bars, nested items, callouts, longer listings", () => {
  assert.deepEqual(units("[NOTE]\n====\nReef early.\n\nReally.\n====\n\n****\nA side bar.\n****"), [
    "sentence: Reef early.",
    "sentence: Really.",
    "sentence: A side bar.",
  ]);
  assert.deepEqual(units("* sails\n** jib\n. first\n<1> The mast."), [
    "item: * sails",
    "item: - jib",
    "item: - first",
    "item: 1. The mast.",
  ]);
  assert.deepEqual(units("* Hoist it:\n+\n--------\nhoist --now\n--------\n+\nThen wait."), [
    "item: * Hoist it:",
    "code: ```\nhoist --now\n```",
    "sentence: Then wait.",
  ]);
  assert.deepEqual(units("ifdef::sea[]\n--salt:: More salt.\nendif::sea[]\n"), ["item: --salt:: More salt."]);
});

test("Markdown: boxes and tabs of site generators show their titles and text", () => {
  assert.deepEqual(units(":::tip[Sail fast]\nUse the jib.\n:::\n\n:::note\nReef.\n:::"), [
    "sentence: Sail fast:",
    "sentence: Use the jib.",
    "sentence: Reef.",
  ]);
  assert.deepEqual(units('!!! warning "At night"\n    Use lights.\n\n=== "Sea"\n\n    Salt water.'), [
    "sentence: At night:",
    "sentence: Use lights.",
    "sentence: Sea:",
    "sentence: Salt water.",
  ]);
});

test("MDX: components are not text, but their titles and rows are", () => {
  const tabs = '<Tabs>\n<TabItem value="a" label="Sea">\n\nSalt water.\n\n</TabItem>\n</Tabs>\n{/* hidden\n note */}';
  assert.deepEqual(units(tabs), ["sentence: Sea:", "sentence: Salt water."]);
  const rows = "<Options\n  content={[\n    { name: 'jib', type: 'Sail', description: 'In front.' },\n  ]}\n/>";
  assert.deepEqual(units(rows), ["item: - jib (Sail): In front."]);
});

test("MDX: indented content of a component is not code; tags of templates are not text", () => {
  const steps =
    '<Steps>\n  <Step title="Hoist">\n    Pull the rope.\n\n    ```sh\n    hoist\n    ```\n  </Step>\n</Steps>';
  assert.deepEqual(units(steps), ["sentence: Hoist:", "sentence: Pull the rope.", "code: ```sh\nhoist\n```"]);
  assert.deepEqual(units('<Tab label="Sea">Salt water.</Tab>'), ["sentence: Sea: Salt water."]);
  assert.deepEqual(units('{% tab title="Sea" %}\nSalt water.\n{% endtab %}\n{{< hint >}}\nReef.\n{{< /hint >}}'), [
    "sentence: Sea:",
    "sentence: Salt water.",
    "sentence: Reef.",
  ]);
});

test("tables and terms in HTML within Markdown", () => {
  const table = "<table>\n<tr><th>Sail</th><th>Use</th></tr>\n<tr>\n<td>jib</td>\n<td>Light wind</td>\n</tr>\n</table>";
  assert.deepEqual(units(table), ["row: | Sail | Use | | jib | Light wind |"]);
  assert.deepEqual(units("<dl>\n<dt>jib</dt>\n<dd>In front.</dd>\n</dl>"), ["item: - jib: In front."]);
  const marked = '<table>\n<tr><td><a href="#jib"><code>jib</code></a></td><td>Light <b>wind</b>.</td></tr>\n</table>';
  assert.deepEqual(units(marked), ["row: | `jib` | Light wind. |"]);
});

test("markup inside code stays unchanged", () => {
  const code = "```md\n:::note\n|===\n|a\n|===\n```";
  assert.deepEqual(units(code), [`code: ${code}`]);
});
