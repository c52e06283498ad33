import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { leastCpu } from "../../test/support/cost.ts";
import { seeded } from "../../test/support/random.ts";
import { TOKEN_DATA_SAMPLES } from "../../test/support/tokens/data_samples.ts";
import { LANGUAGE_SAMPLES } from "../../test/support/tokens/languages.ts";
import { TOKEN_SAMPLES, type TokenSample } from "../../test/support/tokens/samples.ts";
import { TokenSums } from "../../test/support/tokens/sums.ts";
import { cellCounter } from "./automaton.ts";
import { CELL_GROUPS, CELLS, type CellGroup } from "./cells.ts";
import { BUDGET_MARGIN, estimateTokens } from "./estimate.ts";
import { CELL_WEIGHTS, KIND_FACTORS } from "./weights.ts";

const SAMPLES: readonly TokenSample[] = [...TOKEN_SAMPLES, ...TOKEN_DATA_SAMPLES];
const LANGUAGES = Object.entries(LANGUAGE_SAMPLES);

describe("estimateTokens against o200k", () => {
  test("within 5% for a conversation and 2% over all", () => {
    assert.ok(SAMPLES.length >= 25);
    const sums = new TokenSums();
    for (const { conversation, text, kind } of SAMPLES)
      sums.add(conversation, countTokens(text), estimateTokens(text, kind));
    assert.ok(sums.meanError() < 0.05, `mean ${sums.meanError()}`);
    assert.ok(sums.totalError() < 0.02, `total ${sums.totalError()}`);
  });

  for (const { conversation, name, kind, text } of SAMPLES) {
    test(`${conversation}: ${name}, within 10%`, () => {
      const real = countTokens(text);
      const estimated = estimateTokens(text, kind);
      assert.ok(Math.abs(estimated - real) <= 0.1 * real, `${estimated} for ${real}`);
    });
  }

  for (const [language, text] of LANGUAGES) {
    test(`${language}, within 15%`, () => {
      const real = countTokens(text);
      const estimated = estimateTokens(text);
      assert.ok(Math.abs(estimated - real) <= 0.15 * real, `${estimated} for ${real}`);
    });
  }

  test("languages together, within 5%", () => {
    const sums = new TokenSums();
    for (const [, text] of LANGUAGES) sums.add("all", countTokens(text), estimateTokens(text));
    assert.ok(sums.totalError() < 0.05, `total ${sums.totalError()}`);
  });

  test("titles and other scraps, within two tokens", () => {
    const scraps = [
      "Fix login redirect loop",
      "x",
      "Add retries",
      "a b c d e",
      "日本語",
      "   ",
      "\n",
      "{}",
      "ok 👍",
      "/src/a.ts:12",
    ];
    for (const text of scraps) {
      const off = estimateTokens(text) - countTokens(text);
      assert.ok(Math.abs(off) <= 2, `${JSON.stringify(text)} is off by ${off}`);
    }
  });

  test("rules, padding and blank lines cost far less than their length", () => {
    for (const text of ["=".repeat(120), "─".repeat(160), `a${" ".repeat(300)}b`, "\n".repeat(60), "- ".repeat(100)]) {
      const real = countTokens(text);
      assert.ok(
        Math.abs(estimateTokens(text) - real) <= 0.3 * real + 6,
        `${JSON.stringify(text.slice(0, 4))}: ${real}`,
      );
    }
  });
});

describe("estimateTokens", () => {
  test("nothing costs nothing, anything costs at least one", () => {
    assert.equal(estimateTokens(""), 0);
    for (let unit = 0; unit < 0x10000; unit += 7) assert.ok(estimateTokens(String.fromCharCode(unit)) >= 1);
  });

  test("any text has a whole, finite estimate, lone surrogates and control characters too", () => {
    const random = seeded(11);
    for (let i = 0; i < 300; i++) {
      const units = Array.from({ length: Math.floor(random() * 200) }, () => Math.floor(random() ** 3 * 0x10000));
      const text = String.fromCharCode(...units);
      const tokens = estimateTokens(text, "tool_result");
      assert.ok(Number.isSafeInteger(tokens) && tokens >= Math.sign(text.length) && tokens <= 4 * text.length + 1);
    }
  });

  test("adds up what calibration counts", () => {
    const countCells = cellCounter();
    const weights = Object.keys(CELL_GROUPS).flatMap((group) => CELL_WEIGHTS[group as CellGroup]);
    assert.equal(weights.length, CELLS);
    for (const [text, kind] of [
      ...SAMPLES.map((s) => [s.text, s.kind] as const),
      ...LANGUAGES.map((l) => [l[1], "text"] as const),
    ]) {
      const counts = new Float64Array(CELLS);
      countCells(text, counts);
      const sum = counts.reduce((total, count, cell) => total + count * (weights[cell] ?? Number.NaN), 0);
      assert.equal(estimateTokens(text, kind), Math.round((sum * KIND_FACTORS[kind]) / 100));
    }
  });

  test("a long text costs what its parts cost", () => {
    const part = SAMPLES.map(({ text }) => text).join("\n");
    const times = Math.ceil(300_000 / part.length);
    const whole = estimateTokens(part.repeat(times));
    assert.ok(Math.abs(whole / (times * estimateTokens(part)) - 1) < 0.001);
  });

  test("far faster than the tokenizer it stands for: it runs over every byte at sync", () => {
    const text = SAMPLES.map((sample) => sample.text).join("\n");
    const tenTimes = (count: () => void): number =>
      leastCpu(() => {
        for (let run = 0; run < 10; run++) count();
      });
    const tokenizer = tenTimes(() => countTokens(text));
    const estimate = tenTimes(() => estimateTokens(text));
    // About fifty times where it was made; `npm run bench:tokens` prints MB/s.
    assert.ok(estimate * 10 < tokenizer, `${estimate} µs against the tokenizer's ${tokenizer} µs`);
  });
});

test("a budget filled by the estimate, less its margin, holds", () => {
  let cuts = 0;
  let over = 0;
  const lines = SAMPLES.flatMap(({ text, kind }) => text.split("\n").map((line) => ({ line: `${line}\n`, kind })));
  for (const budget of [100, 300, 1_000]) {
    for (let start = 0; start < lines.length; start += 7) {
      let cut = "";
      for (let i = start; i < lines.length; i++) {
        const longer = cut + (lines[i]?.line ?? "");
        if (estimateTokens(longer) * BUDGET_MARGIN > budget) break;
        cut = longer;
      }
      cuts += 1;
      if (countTokens(cut) > budget) over += 1;
    }
  }
  assert.ok(cuts > 200);
  assert.ok(over <= 0.02 * cuts, `${over} of ${cuts} cuts are over their budget`);
});
