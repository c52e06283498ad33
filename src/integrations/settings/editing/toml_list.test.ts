import assert from "node:assert/strict";
import { test } from "node:test";
import { BadConfig } from "./editor.ts";
import { TOML_LIST_EDITOR as editor } from "./toml_list.ts";
import { scanToml } from "./toml_scan.ts";

const PATH = ["hooks"];
const ITEM = { event: "UserPromptSubmit", command: "'/my apps/dex' hook kimi", timeout: 5 };
/** Numbers stay text. */
const READ = { ...ITEM, timeout: "5" };
const TABLE = `[[hooks]]\nevent = "UserPromptSubmit"\ncommand = "'/my apps/dex' hook kimi"\ntimeout = 5\n`;

/** Lists as people and programs write them, and the number of their items. */
const TEXTS: [string, number][] = [
  ["", 0],
  ["a = 1", 0],
  ["# only a comment\r\n", 0],
  ["\ufeff[a]\nb = '''\n[[hooks]]\n'''\n", 0],
  ["[[other]]\na = 1\n", 0],
  ["[[hooks]]\nevent = 'Stop' # mine\ncommand = \"bell\"\n# end\n", 1],
  ["[[hooks]]\nevent = 'Stop'\n[hooks.env]\nA = 'b'\n\n[models]\nx = { y = 1 }\n\n[[hooks]]\nevent = 'End'", 2],
  ["hooks = []\n[a]\n", 0],
  ["hooks = [{ event = 'Stop', command = 'x' }] # inline\n", 1],
  ["hooks = [\n  { event = 'Stop' }, # one\n  { event = 'End' }, # two\n]\n", 2],
];

test("an item is added after the others and removed again, to the byte", () => {
  for (const [text, count] of TEXTS) {
    const before = editor.read(text, PATH) ?? [];
    assert.equal(before.length, count, text);
    const added = editor.add(text, PATH, ITEM);
    assert.deepEqual(editor.read(added, PATH), [...before, READ], added);
    assert.equal(editor.remove(added, PATH, count), text);
    const twice = editor.add(added, PATH, { ...ITEM, event: "SessionEnd" });
    assert.deepEqual(editor.read(twice, PATH)?.at(-1), { ...READ, event: "SessionEnd" });
    assert.equal(editor.remove(editor.remove(twice, PATH, count + 1), PATH, count), text);
    assert.equal(editor.remove(text, PATH, count), text, "there is no such item");
  }
  assert.equal(editor.add("a = 1\n", PATH, ITEM), `a = 1\n\n${TABLE}`);
  assert.equal(editor.add("a = 1\r\n", PATH, ITEM), `a = 1\r\n\r\n${TABLE.replaceAll("\n", "\r\n")}`);
});

test("removing an item keeps the others, all other tables, and the comments", () => {
  for (const [text, count] of TEXTS) {
    for (let at = 0; at < count; at += 1) {
      const items = editor.read(text, PATH) ?? [];
      const without = editor.remove(text, PATH, at);
      assert.deepEqual(editor.read(without, PATH) ?? [], items.toSpliced(at, 1), text);
      const others = ({ path }: { path: string[] }): boolean => path[0] !== "hooks";
      assert.equal(scanToml(without).filter(others).length, scanToml(text).filter(others).length, text);
    }
  }
  const mixed = "[[hooks]]\na = 1 # a\n# about b\n[[hooks]]\nb = 1\n# about c\n[[hooks]]\nc = 1\n";
  assert.equal(editor.remove(mixed, PATH, 1), "[[hooks]]\na = 1 # a\n# about b\n# about c\n[[hooks]]\nc = 1\n");
});

test("anything but a list of tables is left alone", () => {
  for (const text of ["[hooks]\na = 1\n", "hooks = 3", "hooks = { a = 1 }", "hooks.a = 1", "[hooks.a]\n"]) {
    assert.throws(() => editor.add(text, PATH, ITEM), BadConfig, text);
  }
  assert.throws(() => editor.add("[[hooks]\n", PATH, ITEM), /is not valid TOML: .* in line 1/);
});
