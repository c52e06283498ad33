import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedMatching } from "./bounded_matching.ts";
import { parsePattern, requiredLiteral } from "./pattern.ts";
import { WholeMatcher } from "./whole.ts";

function isIn(typed: string, text: string, anyCase = false): boolean {
  const matcher = new WholeMatcher({ text: typed, anyCase });
  const raw = Buffer.from(JSON.stringify({ text }), "utf8").toString("latin1");
  const found = matcher.isIn(text);
  if (found) assert.ok(matcher.mayBeIn(raw), `${typed} in ${raw}`);
  return found;
}

test("a name is found whole, with its case", () => {
  assert.ok(isIn("toHaveURL", "await expect(page).toHaveURL(/x/)"));
  assert.ok(!isIn("toHaveURL", "toHaveUrl, toHaveURLs, to have a url"));
  assert.ok(isIn("user_id", "x.user_id = 1"));
  assert.ok(!isIn("user_id", "my_user_id user_ids"));
  assert.ok(isIn("--no-verify", "git commit --no-verify"));
  assert.ok(isIn('say "hi"\\n', 'they say "hi"\\n here'));
});

test("white space is equal to any other, case counts unless it is to be ignored, and scripts without spaces have no words", () => {
  assert.ok(isIn("rate limit", "The  Rate\n\tlimit was hit", true));
  assert.ok(!isIn("rate limit", "The Rate limit was hit"));
  assert.ok(!isIn("rate limit", "limit the rate, rate limits", true));
  assert.ok(isIn("認証", "ログイン認証エラー"));
  assert.ok(isIn("API", "このAPIを使う"));
  assert.ok(isIn("déjà vu", "un DÉJÀ VU", true));
});

test("the literal of a pattern is in every match", () => {
  assert.equal(requiredLiteral(String.raw`func \(s \*Store\) \w+`), "func (s *Store) ");
  assert.equal(requiredLiteral("colou?r(ed)?s"), "colo");
  assert.equal(requiredLiteral("abc|abd"), undefined);
  assert.equal(requiredLiteral("(abc|abd)+xyz{2,3}w"), "xyz");
  assert.equal(requiredLiteral("[abc]+.*"), undefined);
  assert.equal(requiredLiteral(String.raw`\u0041bcdef`), undefined);
  assert.deepEqual(parsePattern(String.raw`func \(s \*Store\) \w+`).words, ["s", "Store"]);
  assert.equal(parsePattern("(?i)Foobar").literal, undefined);
  assert.throws(() => parsePattern("(a"), { code: "bad_pattern" });
});

test("a pattern that backtracks without end loses that text only", () => {
  const matching = new BoundedMatching(/(a+)+$/m, 2000);
  const hostile = `${"a".repeat(60)}!`;
  assert.deepEqual(matching.matching(["aaa", hostile, "b\na"]), [0, 2]);
  assert.equal(matching.skipped, 1);
  const over = new BoundedMatching(/(a+)+$/m, 0);
  assert.deepEqual(over.matching(["aaa"]), []);
  assert.ok(over.isOver);
});
