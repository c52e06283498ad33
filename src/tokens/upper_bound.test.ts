import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { atMostTokens } from "./upper_bound.ts";

const root = join(import.meta.dirname, "../..");

test("a text has no more tokens than that, and not many less", () => {
  const texts = [
    ...globSync("{docs,src/store}/**/*.{md,ts}", { cwd: root }).map((path) => readFileSync(join(root, path), "utf8")),
    "3f2a9c1b-77aa-4c1e-9d10-0b3c1a529f0e 019cbebc33b878a6 5d15e345cdfc1e306d1281bf2eb30bf118819a9b ".repeat(20),
    "Die Beträge werden als ganze Cent gehalten, weil Gleitkommazahlen nicht aufgehen. ".repeat(10),
    "金額は整数のセントで保持します。Сумма хранится в целых копейках. ".repeat(10),
    "| 0.97 | 0.981 | 1,024 of 2,048 | 12 13 14   15 |\n".repeat(10),
    "getUserById parseHTTPResponse MAX_RETRY_COUNT snake_case_name src/a/b.test.ts:12:3\n".repeat(10),
  ];
  assert.ok(texts.length > 20);
  for (const text of texts) {
    const slice = text.slice(0, 20_000);
    const [most, real] = [atMostTokens(slice), countTokens(slice)];
    assert.ok(most >= real, `${most} of ${real}: ${slice.slice(0, 60)}`);
    assert.ok(most <= real * 2.2 + 10, `${most} of ${real}: ${slice.slice(0, 60)}`);
  }
});
