import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../test/support/cost.ts";
import { errorWords, namedWords, WantedError } from "./same_error.ts";
import { errorLines } from "./signature.ts";

function wanted(pasted: string): WantedError {
  const [line] = errorLines(pasted);
  assert.ok(line);
  const named = namedWords(line.signature);
  return new WantedError(
    line,
    errorWords(line.signature).map((word) => ({ word, weight: named.has(word) ? 1 : 2 })),
  );
}

function gradeIn(text: string, pasted: string): number {
  return wanted(pasted).find(text)?.grade ?? 0;
}

const LOG = `$ npm test
src/app.ts(12,7): error TS2307: Cannot find module './shell.js' or its corresponding type declarations.
Error: connect ECONNREFUSED 127.0.0.1:5432
all done`;

test("the same error without its prefix, in part, with another one's prefix, from another machine", () => {
  assert.equal(gradeIn(LOG, "Error: connect ECONNREFUSED 127.0.0.1:5432"), 4);
  assert.equal(gradeIn(LOG, "connect ECONNREFUSED 127.0.0.1:5432"), 4);
  assert.equal(gradeIn(LOG, "connect ECONNREFUSED 10.0.0.7:6543"), 3);
  assert.equal(gradeIn(LOG, "Cannot find module './shell.js' or its"), 4);
  assert.equal(gradeIn(LOG, "lib/other.ts(99,1): error TS2307: Cannot find module './shell.js' or its"), 2);
  assert.equal(gradeIn("Cannot find module 'left-pad'", "[web.1] 12:00 Error: Cannot find module 'left-pad'"), 2);
});

test("quotation marks do not make another error", () => {
  assert.equal(gradeIn("error: Cannot find module '@web/core' from '/a/b.ts'", "Cannot find module @web/core"), 2);
  assert.equal(gradeIn("Cannot find module '@web/core'", "Cannot find module @web/core"), 3);
  assert.equal(gradeIn('ImportError: cannot import name "url_quote"', "cannot import name 'url_quote'"), 3);
});

test("another name in the same sentence is similar; a few common words are not", () => {
  assert.equal(gradeIn(LOG, "Cannot find module 'chalk' or its corresponding type declarations."), 1);
  assert.equal(gradeIn(LOG, "Cannot find the giraffe in module nine of the paper kingdom"), 0);
  assert.equal(gradeIn("x = undefined;", "17 | : undefined;"), 0);
  assert.equal(gradeIn("", "Cannot find module"), 0);
});

test("the found line is the one of the text, without the lines around it", () => {
  assert.equal(wanted("connect ECONNREFUSED 1.2.3.4:1").find(LOG)?.line, "Error: connect ECONNREFUSED 127.0.0.1:5432");
});

test("long lines and texts with many candidates take linear time", () => {
  const error = wanted("Cannot find module './shell.js' or its corresponding type declarations.");
  for (const piece of ["cannot find module ", "module\n", "a/", "error: ", "'x ", "((((", "module.exports/"])
    assertLinear(JSON.stringify(piece), 2000, (count) => void error.find(piece.repeat(count)));
});

test("a short line of Chinese or Japanese is a whole sentence, and error lines of other languages are found in output", () => {
  assert.equal(gradeIn("panic: 数据库连接超时: dial tcp 10.0.0.5:3306: i/o timeout", "数据库连接超时"), 4);
  assert.equal(gradeIn("テストは成功しました", "テスト"), 0);
  const pasted = "$ python -m bot\nПодготовка\nОшибка подключения к базе данных: превышено время (5 с)\n";
  assert.deepEqual(
    errorLines(pasted).map(({ line }) => line),
    ["Ошибка подключения к базе данных: превышено время (5 с)"],
  );
  assert.equal(gradeIn("Ошибка подключения к базе данных: превышено время (10 с)", pasted), 3);
});
