import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { assertLinear } from "../../test/support/cost.ts";
import { rounds } from "../../test/support/program/limits.ts";
import { between, pick, randomText, seeded } from "../../test/support/random.ts";
import { BUDGET_MARGIN, estimateTokens } from "../tokens/estimate.ts";
import { cutToBudget } from "./budget.ts";

const piece = (text: string, index = 0): { text: string; index: number } => ({ text, index });
const LINES = Array.from({ length: 200 }, (_, i) => `line ${i} says something of its own`).join("\n");

describe("cutToBudget", () => {
  test("all of it when it fits", () => {
    const pieces = [piece("one", 0), piece("two", 1)];
    const cut = cutToBudget(pieces, 100);
    assert.deepEqual(cut.kept, pieces);
    assert.deepEqual([cut.truncated, cut.cut_messages, cut.cut_tokens, cut.too_small], [false, 0, 0, false]);
    assert.deepEqual(cutToBudget([], 0).truncated, false);
    assert.deepEqual(cutToBudget([], 0).too_small, false);
  });

  test("whole messages first, then whole lines of the next, and reports the rest", () => {
    const cut = cutToBudget([piece("A short one.", 0), piece(LINES, 1), piece("Never reached.", 2)], 400);
    assert.equal(cut.kept.length, 2);
    assert.equal(cut.kept[0]?.text, "A short one.");
    const [, shown = "", lines, tokens] =
      /^([\s\S]*)\n\[… cut: (\d+) lines, about (\S+) tokens\]$/.exec(cut.kept[1]?.text ?? "") ?? [];
    assert.ok(LINES.startsWith(`${shown}\n`));
    assert.equal(shown.split("\n").length + Number(lines), 200);
    assert.match(tokens ?? "", /^1\.\dk$/);
    assert.equal(cut.kept[1]?.index, 1);
    assert.equal(cut.truncated, true);
    assert.equal(cut.cut_messages, 2);
    assert.ok(cut.cut_tokens > 1000);
    assert.ok(cut.tokens * BUDGET_MARGIN <= 400);
    assert.ok(cut.tokens * BUDGET_MARGIN > 300);
    const rest = { messages: 1, tokens: estimateTokens("Never reached.") };
    assert.deepEqual(cutToBudget([piece("A short one.", 0), piece(LINES, 1)], 400, 0, rest), cut, "its size is enough");
  });

  test("one endless line is cut between words, a line without words between characters", () => {
    const words = cutToBudget([piece("word ".repeat(5000))], 100).kept[0]?.text ?? "";
    assert.match(words, /^(word )*word\n\[… cut: 1 line, /);
    const long = `a first line\n${"word ".repeat(5000)}`;
    assert.ok((cutToBudget([piece(long)], 100).kept[0]?.text.length ?? 0) > 150);
    for (const solid of ["🙂".repeat(5000), "数".repeat(5000), "x".repeat(50_000)]) {
      const shown = cutToBudget([piece(solid)], 100).kept[0]?.text ?? "";
      assert.ok(shown.isWellFormed() && shown.length > 50, shown);
    }
  });

  test("too small for anything says so", () => {
    for (const max of [0, 1, 5, -10]) {
      const cut = cutToBudget([piece(LINES), piece(LINES)], max);
      assert.deepEqual(cut.kept, []);
      assert.equal(cut.too_small, true);
      assert.equal(cut.truncated, true);
      assert.equal(cut.cut_messages, 2);
    }
  });

  test("a known size is used for omitted messages, and corrected on shortened ones", () => {
    const cut = cutToBudget(
      [
        { text: LINES, tokens: 1600 },
        { text: "", tokens: 5000 },
      ],
      200,
    );
    assert.ok(cut.cut_tokens > 6000);
    assert.ok((cut.kept[0]?.tokens ?? 0) < 200);
  });

  test("a real tokenizer never counts more than the budget, and most of it is used", () => {
    const random = seeded(11);
    for (let round = 0; round < rounds(80, 300); round += 1) {
      const pieces = Array.from({ length: between(random, 1, 12) }, () =>
        piece(randomText(random, pick(random, [0, 3, 30, 300, 1500]))),
      );
      const max = between(random, 1, pick(random, [50, 500, 5000]));
      const cut = cutToBudget(pieces, max);
      const joined = cut.kept.map(({ text }) => text).join("\n");
      const apart = cut.kept.reduce((sum, { text }) => sum + countTokens(text), 0);
      assert.ok(countTokens(joined) <= max, `${countTokens(joined)} of ${max} in round ${round}`);
      assert.ok(apart <= max, `${apart} of ${max} in round ${round}`);
      assert.ok(cut.tokens * BUDGET_MARGIN <= max || cut.kept.length === 0);
      if (!cut.truncated || max < 100) continue;
      assert.ok(cut.tokens * BUDGET_MARGIN > max * 0.6, `${cut.tokens} used of ${max}`);
    }
  });

  test("long texts are cut in linear time", () => {
    assertLinear("lines", 1000, (count) => void cutToBudget([piece(`${LINES}\n`.repeat(count))], count * 100));
    const blank = `${" ".repeat(100)}\n`;
    assertLinear("blank lines", 20_000, (count) => void cutToBudget([piece(blank.repeat(count))], count * 2.5));
    assert.ok(estimateTokens(LINES) > 0);
  });
});
