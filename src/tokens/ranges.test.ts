import assert from "node:assert/strict";
import { test } from "node:test";
import { seeded } from "../../test/support/random.ts";
import { LANGUAGE_SAMPLES } from "../../test/support/tokens/languages.ts";
import { TOKEN_SAMPLES } from "../../test/support/tokens/samples.ts";
import { estimateTokens } from "./estimate.ts";
import { TokenRanges } from "./ranges.ts";

const TEXTS = [
  ...TOKEN_SAMPLES.map(({ text }) => text),
  ...Object.values(LANGUAGE_SAMPLES),
  "",
  "1234567890".repeat(50),
  "=".repeat(300),
  "aA".repeat(200),
  " \t\n".repeat(100),
];

test("any part of a text has the tokens that it has alone", () => {
  const random = seeded(7);
  const ranges = new TokenRanges();
  for (const text of TEXTS) {
    ranges.read(text);
    assert.equal(ranges.count(0, text.length), estimateTokens(text));
    for (let i = 0; i < 300; i += 1) {
      const start = Math.floor(random() * text.length);
      const end = start + Math.floor(random() * Math.min(text.length - start + 1, 2 ** Math.floor(random() * 14)));
      assert.equal(ranges.count(start, end), estimateTokens(text.slice(start, end)), text.slice(start, end));
    }
  }
});

test("any part of a long text has the same count as alone", () => {
  const ranges = new TokenRanges();
  const all = TEXTS.join("\n");
  for (const length of [70_000, 200_000, 1_100_000]) {
    const text = all.repeat(Math.ceil(length / all.length)).slice(0, length);
    ranges.read(text);
    for (const [start, end] of [
      [0, length],
      [17, length - 3],
      [length - 66_000, length],
      [5, 5],
    ] as const)
      assert.equal(ranges.count(start, end), estimateTokens(text.slice(start, end)));
  }
});
