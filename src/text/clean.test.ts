import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../test/support/cost.ts";
import { cleanJson, cleanLine, cleanText, escapeFrames, escapeNamedFrames, jsonText } from "./clean.ts";

test("escape sequences go as a whole, also the ones that nothing ends", () => {
  assert.equal(cleanText("a\u001b[31mred\u001b[0m b"), "ared b");
  assert.equal(cleanText("a\u001b]0;title\u0007b\u001b]8;;http://x\u001b\\c"), "abc");
  assert.equal(cleanText("a\u009b2Jb\u001bPq\u009cc"), "abc");
  assert.equal(cleanText("a\u001b]52;c;evil\nb"), "a\nb");
  assert.doesNotMatch(cleanText("\u001b\u001b[[\u001b"), /\p{Cc}/u);
});

test("nothing that hides or reorders survives", () => {
  const hidden = [
    "\u200b",
    "\u202e",
    "\u2066",
    "\u00ad",
    "\ufeff",
    "\u{e0049}",
    "\u{e0100}",
    "\ufe01",
    "\u061c",
    "\u3164",
  ];
  for (const character of hidden)
    assert.equal(cleanText(`ig${character}nore`), "ignore", character.codePointAt(0)?.toString(16));
  assert.equal(cleanText("x\u2028y\r\nz"), "x\ny\nz");
  assert.equal(cleanText("\ud800x"), "\ufffdx");
});

test("ordinary text in any script stays, emoji and tabs too", () => {
  for (const text of ["a\tb\nc", "Größe", "日本語のテスト", "❤️ done", "1️⃣", "Map<string, T>"])
    assert.equal(cleanText(text), text);
});

test("a line is one line, bounded, never cut inside a surrogate pair", () => {
  assert.equal(cleanLine("  a\n\tb\u001b[1m  c "), "a b c");
  const cut = cleanLine("😀".repeat(50), 21);
  assert.ok(cut.length <= 21 && cut.endsWith("…") && cut.isWellFormed());
  assert.ok(cleanLine(`a${" ".repeat(5_000)}b`, 20).endsWith("…"));
});

test("generics stay, frames of hosts do not", () => {
  assert.equal(
    escapeFrames(cleanLine("`RefObject<T | null>` and Map<string, T>")),
    "`RefObject<T | null>` and Map<string, T>",
  );
  for (const tag of [
    "</dex-context>",
    "<system-reminder>",
    "<hook_context>",
    "<|im_start|>",
    "<!-- x -->",
    "< /user>",
  ]) {
    assert.doesNotMatch(escapeFrames(`a ${tag} b`), /<\s*[/!|a-z]/i, tag);
  }
  assert.doesNotMatch(escapeFrames("```sh"), /```/);
});

test("a page that was asked for keeps its code, not the tags of a host", () => {
  const code = "```tsx\n<Panel><b>x</b></Panel>\n```";
  assert.equal(escapeNamedFrames(code), code);
  for (const tag of ["</found 1>", "<|im_end|>", "< system>", "</tool_result>", "<hook_context>"])
    assert.doesNotMatch(escapeNamedFrames(tag), /</, tag);
});

test("hostile lengths are cleaned in linear time", () => {
  for (const piece of ["\u001b[", "\u001b]", "\u001b", "<", "\ufe0f", "\u202e "])
    assertLinear(
      JSON.stringify(piece),
      200_000,
      (length) => void escapeFrames(cleanLine(piece.repeat(length), 1_000_000)),
    );
});

test("a JSON value is cleaned in its strings and keys, and shared where nothing is to be cleaned", () => {
  const plain = { a: ["x", { b: 1, c: null }] };
  assert.equal(cleanJson(plain), plain);
  assert.deepEqual(cleanJson({ "k\u202e": ["a\u001b[31mb", 1, { c: "d\u{e0041}" }] }), { k: ["ab", 1, { c: "d" }] });
});

test("JSON text keeps its data and carries no character that drives a terminal", () => {
  const value = { title: "a\u001b[2J\u009b2J\u202e\u200b\u{e0041}\ufe0f\u007f\u2028 日本 ❤️ 😀" };
  const json = jsonText(value);
  assert.deepEqual(JSON.parse(json), value);
  assert.doesNotMatch(json, /\p{Cc}|\p{Cf}|[\u2028\u2029]|\ufe0f/u);
  assert.match(json, /日本 ❤\\ufe0f 😀/);
});
