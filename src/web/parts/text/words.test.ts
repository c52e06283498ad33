import assert from "node:assert/strict";
import { test } from "node:test";
import { wordPattern } from "./words.ts";

function marked(text: string, ...words: string[]): string[] {
  const pattern = wordPattern(words);
  return pattern ? text.split(pattern).filter((_, at) => at % 2 === 1) : [];
}

test("a word is marked where its beginning matches", () => {
  assert.deepEqual(marked("Flaky tests, a flake, unflaky", "flakes", "test"), ["Flaky", "tests", "flake"]);
  assert.deepEqual(marked("the cache caches cached", "caching"), ["cache", "caches", "cached"]);
});

test("a word of any punctuation is marked", () => {
  const odd = [
    "019eef3d-abd1-72e1",
    "a/b.ts",
    "pre-commit",
    "x{2}",
    "[a]",
    "$0",
    "a|b",
    "C++",
    "\\d",
    "-",
    "#",
    "&",
    "~",
  ];
  for (const word of odd) assert.deepEqual(marked(`see ${word} here`, word), [word], word);
});

test("a word is marked within a run of a script that has no spaces", () => {
  assert.deepEqual(marked("データベースの接続プールがタイムアウトする", "接続", "タイムアウト"), [
    "接続",
    "タイムアウト",
  ]);
  assert.deepEqual(marked("เชื่อมต่อฐานข้อมูล", "ฐาน"), ["ฐาน"]);
});

test("without words nothing is marked", () => {
  assert.equal(wordPattern([]), undefined);
  assert.equal(wordPattern([" "]), undefined);
});
