import assert from "node:assert/strict";
import { test } from "node:test";
import { CodeFixture } from "../../../test/support/code.ts";
import { addMacroCalls } from "../parsing/file/c/macro_calls.ts";
import { withoutAttributes } from "./c/macros.ts";
import { separateSignatures } from "./ecmascript/signatures.ts";
import { exposeRules } from "./rust/rules.ts";

/** A file of the largest size that dex reads. */
const full = (text: string): string => text.repeat(Math.ceil(1_000_000 / text.length));

/** With a loop that looks at the rest of the text for each of them, each of these takes minutes. */
test("a text that opens and never closes is read once", () => {
  for (const piece of ["macro_rules! a { ", '"\\', 'r#"', "/* ", "$(", "macro_rules! a { () => { fn x() {} } }\n"]) {
    const text = `macro_rules! a { () => { pub fn x() {} ${full(piece)}`;
    assert.equal(exposeRules(text).length, text.length, piece);
  }
  for (const piece of [" <\n", " <<<<<<<\n", "  <T>(a: T): B<C>\n", "// a\n", "\n", " "])
    assert.equal(separateSignatures(`x>\n${full(piece)}`).length, full(piece).length + 3, piece);
  const comments = `macro_rules! a { () => { ${"/* a */ ".repeat(2000)} 1 } }`;
  assert.equal(exposeRules(comments), comments);
  for (const piece of [
    "LIB_API ",
    "class LIB_API B ",
    "int x GUARDED(y) ",
    ">LIB_API ",
    "/* ",
    "/*/",
    '"\\',
    "#define A \\\n",
  ]) {
    const text = `#define A \\\n${full(piece)}\\\n x`;
    assert.equal(withoutAttributes(text).length, text.length, piece);
    addMacroCalls({ calls: [], entities: [] } as unknown as Parameters<typeof addMacroCalls>[0], text);
  }
});

test("a call signature with type parameters ends the member before it, a comparison does not", () => {
  const signatures = "interface A {\n  <T>(a: T): B<T>\n  // more\n  <T extends () => void>(a: T): C\n}\n";
  assert.equal(
    separateSignatures(signatures),
    "interface A {\n  <T>(a: T): B<T>\n  // more\n ;<T extends () => void>(a: T): C\n}\n",
  );
  for (const other of [
    "if (a\n  < b) c();\n",
    "const a = (\n  <T>(b: T) => b\n);\n",
    "f(\n  <T>(b: T) => b,\n  <T>(c: T) => c,\n);\n",
  ])
    assert.equal(separateSignatures(other), other);
});

test("a file with the name of a member that every object has is not read as code", async () => {
  const names = ["constructor", "a.constructor", "__proto__", "a.__proto__", "toString"];
  const files = Object.fromEntries(names.map((name) => [`x/${name}`, "words\n"]));
  const fixture = new CodeFixture({ ...files, "a.ts": "export const a = 1;\n" });
  try {
    assert.equal((await fixture.index()).totals.files, 1);
  } finally {
    fixture.dispose();
  }
});
