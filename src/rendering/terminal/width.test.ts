import assert from "node:assert/strict";
import { test } from "node:test";
import { between, randomText, seeded } from "../../../test/support/random.ts";
import { type Terminal, table } from "./terminal.ts";
import { fit, fitEnd, textWidth, wrap, wrapLines } from "./width.ts";

test("wide characters and emoji take two columns, marks and zero-width characters none", () => {
  const widths: [string, number][] = [
    ["abc", 3],
    ["日本語", 6],
    ["한글", 4],
    ["ｆｕｌｌ", 8],
    ["⏳", 2],
    ["✅ done", 7],
    ["🚀", 2],
    ["❤", 1],
    ["❤️", 2],
    ["1️⃣", 2],
    ["👩‍💻", 2],
    ["👍🏽", 2],
    ["🇩🇪", 2],
    ["e\u0301", 1],
    ["a\u200bb\u202ec", 3],
    ["ก็", 1],
    ["→ …", 3],
  ];
  for (const [text, width] of widths) assert.equal(textWidth(text), width, text);
});

test("characters below the wide ones have the width that their properties say", () => {
  for (const [first, last] of [
    [0x20, 0x10ff],
    [0x2000, 0x2e7f],
  ] as const) {
    for (let code = first; code <= last; code += 1) {
      const character = String.fromCodePoint(code);
      const width = /\p{M}|\p{Cf}|\p{Cc}/u.test(character) ? 0 : /\p{Emoji_Presentation}/u.test(character) ? 2 : 1;
      assert.equal(textWidth(character), width, code.toString(16));
    }
  }
});

test("truncated and wrapped text never exceeds the width, and is truncated only where needed", () => {
  const random = seeded(11);
  for (let round = 0; round < 300; round += 1) {
    const text = randomText(random, between(random, 1, 40)).replace(/\s+/g, " ");
    const width = between(random, 2, 60);
    assert.ok(textWidth(fit(text, width)) <= width);
    if (textWidth(text) <= width) assert.equal(fit(text, width), text);
    const lines = wrap(text, width + 2, "  ").split("\n");
    for (const line of lines) assert.ok(textWidth(line) <= width + 2, line);
    assert.equal(
      lines
        .map((line) => line.trim())
        .join("")
        .replaceAll(" ", ""),
      text.replaceAll(" ", ""),
    );
  }
  assert.equal(fit("e\u0301e\u0301e\u0301", 2), "e\u0301…");
});

test("a table drops columns rather than exceed the width of the terminal", () => {
  const columns = [
    { title: "id" },
    { title: "agent", drop: 2 },
    { title: "title", flexible: true },
    { title: "tokens", align: "right", drop: 1 },
  ] as const;
  const rows = [
    ["5aebfe8a", "claude_code", "⏳ 日本語のタイトル that goes on and on", "213k"],
    ["030df228", "codex", "Short", "1"],
  ];
  const at = (width: number): string[] => {
    const terminal: Terminal = { width, color: false, now: 0 };
    return table(terminal, columns, rows).split("\n");
  };
  for (const width of [24, 30, 40, 60, 80, 120])
    for (const line of at(width)) assert.ok(textWidth(line) <= width, `${width}: ${line}`);
  assert.match(at(120)[0] ?? "", /id +agent +title +tokens/);
  assert.match(at(35)[0] ?? "", /^id +agent +title$/);
  assert.match(at(24)[0] ?? "", /^id +title$/);
});

test("a line that is too wide is wrapped between words and keeps its indentation and colour", () => {
  assert.equal(wrapLines("short\n  one two three four", 12), "short\n  one two\n  three four");
  assert.equal(
    wrapLines("see /a/very/long/path/that/does/not/fit now", 12),
    "see\n/a/very/long/path/that/does/not/fit\nnow",
  );
  assert.equal(
    wrapLines("\u001b[2mone two three\u001b[0m four", 8),
    "\u001b[2mone two\u001b[0m\n\u001b[2mthree\u001b[0m\nfour",
  );
});

test("the end of a path is kept", () => {
  assert.equal(fitEnd("/home/sam/code/notes-api", 12), "…e/notes-api");
  assert.equal(fitEnd("/home/sam", 12), "/home/sam");
});
