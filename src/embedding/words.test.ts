import assert from "node:assert/strict";
import { test } from "node:test";
import { wordsOf } from "../../test/support/model/words.ts";
import { rounds } from "../../test/support/program/limits.ts";
import { between, pick, seeded } from "../../test/support/random.ts";
import { MAX_WORD_BYTES } from "../loops/embedder_loop.ts";

const CASES: [string, string][] = [
  ["getUserById", "get user by id"],
  ["HTTPServer parseXMLDoc2JSON", "http server parse xml doc 2 json"],
  ["snake_case kebab-case src/auth/login.ts", "snake case kebab case src auth login ts"],
  ["sha256 v1.20.3", "sha 256 v 1 20 3"],
  ["don't it's we'll THEY'RE I’ve I'd I'm", "don it we they i i i"],
  ["don'tX it's_a it's2 it's中 'sup rock'n'roll", "don x it s a it s 2 it s sup rock n roll"],
  ["I'VEgot", "i v egot"],
  ["naïve Café ÅNGSTRÖM", "nai ve cafe a ngstro m"],
  ["ﬁx ½ Ⅷ ＡＢ１２ x²", "fix 1 2 viii ab 12 x 2"],
  ["ABé", "a be"],
  ["数据库 ошибка 🙂 — “quoted”…", "quoted"],
  ["𝐀𝐛 𝟙𝟚", "ab 12"],
  ["it＇s it'_ it's＿", "it it it s"],
  ["", ""],
];

test("words are split, folded and without contractions", () => {
  for (const [text, words] of CASES) assert.equal(wordsOf(text).join(" "), words, text);
});

test("a word keeps its first letters only, and the words after it are found", () => {
  const long = "a".repeat(1_000_000);
  assert.deepEqual(wordsOf(`${long} end`), ["a".repeat(MAX_WORD_BYTES), "end"]);
  assert.deepEqual(wordsOf(`${"7".repeat(1_000_000)}é`), ["7".repeat(MAX_WORD_BYTES), "e"]);
});

/** The same rules as regular expressions over the whole text: slower, but obviously correct. */
function wordsByExpressions(text: string): string[] {
  const split = text
    .normalize("NFKD")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .replace(/['\u2019](?:s|t|re|ve|ll|d|m)(?![\p{L}\p{N}_])/gu, " ");
  return split.match(/[a-z]+|[0-9]+/g) ?? [];
}

test("any text gives the words that the rules give", () => {
  const random = seeded(3);
  const parts = [..."aAbBzZ019_'’stdmreveLl.- \n\u0301é中ﬁ½²①Ａ１＇＿\u212bſ…™㍿한İﷺ\ud800\udc00𝐀🙂\u0000\u0007\u00b4"];
  parts.push("'s", "'ve", "'LL", "HTTPServer", "aB", "’t");
  for (let round = 0; round < rounds(5_000, 20_000); round += 1) {
    const text = Array.from({ length: between(random, 1, 14) }, () => pick(random, parts)).join("");
    assert.deepEqual(wordsOf(text), wordsByExpressions(text), JSON.stringify(text));
  }
});
