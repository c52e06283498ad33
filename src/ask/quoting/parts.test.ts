import assert from "node:assert/strict";
import { test } from "node:test";
import { completed } from "./parts.ts";
import { unitsOf } from "./units/units.ts";

function rowsOf(part: string, before: readonly string[]): string[] {
  return unitsOf(completed(part, before)).map(({ kind, text }) => `${kind}: ${text}`);
}

test("a part that starts within an HTML table has its rows", () => {
  const before = ["<table>", "<tr>", "<td>--port</td><td>Where it listens.</td>", "</tr>", "<tr>"];
  const part =
    "<td>--jobs</td><td>How many run at once.</td>\n</tr>\n<tr><td>--quiet</td><td>Prints nothing.</td></tr>";
  assert.deepEqual(rowsOf(part, before), [
    "row: | --jobs | How many run at once. |",
    "row: | --quiet | Prints nothing. |",
  ]);
  assert.deepEqual(rowsOf(`${part}\n</table>\n\nThat is all.`, before).at(-1), "sentence: That is all.");
});

test("a part that starts within a cell keeps the cell", () => {
  const [first] = rowsOf("Starts <code>8</code> workers.</td></tr>\n</table>", ["<table>", "<tr><td>--jobs</td><td>"]);
  assert.match(first ?? "", /^row: .*Starts .*8.* workers\./);
});

test("a table that a part ends within, and one that was closed before, change nothing else", () => {
  assert.deepEqual(rowsOf("Options:\n\n<table>\n<tr><td>--all</td><td>Shows all.</td></tr>", []), [
    "sentence: Options:",
    "row: | --all | Shows all. |",
  ]);
  assert.equal(completed("Text.", ["<table><tr><td>a</td></tr></table>"]), "Text.");
  assert.equal(completed("Text.", ["A `<table>` has rows.", "```html", "<table>", "```"]), "Text.");
});

test("a part that starts within a Markdown table has its head", () => {
  const before = ["Limits:", "", "| name | default |", "| --- | --- |", "| body | 1 MiB |"];
  const [unit] = unitsOf(completed("| head | 16 KiB |", before));
  assert.deepEqual(
    [unit?.kind, unit?.text, unit?.head],
    ["row", "| head | 16 KiB |", "| name | default |\n| --- | --- |"],
  );
  assert.equal(completed("| head | 16 KiB |", [...before, ""]), "| head | 16 KiB |");
});

test("a part that starts within code is code", () => {
  assert.equal(completed("b();", ["```js", "a();"]), "```js\nb();\n```");
});
