import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedMatching } from "../../kernel/bounded_matching.ts";
import { neededIn, parsePattern } from "./pattern.ts";
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

test("every match of a pattern contains the text of one of its branches", () => {
  const literals = (source: string): string[] | undefined => neededIn(source)?.flatMap((each) => each.literals);
  assert.deepEqual(literals(String.raw`func \(s \*Store\) \w+`), ["func (s *Store) "]);
  assert.deepEqual(literals("colou?r(ed)?s"), ["colo"]);
  assert.deepEqual(literals("abc|abd"), ["abc", "abd"]);
  assert.deepEqual(literals(String.raw`(?:abc\|x|(p|q)def[|]ghij)`), ["abc|x", "def", "ghij"]);
  assert.equal(literals("abc|x"), undefined);
  assert.equal(literals("(abc|abd)+"), undefined);
  assert.deepEqual(literals("(abc|abd)+xyz{2,3}w"), ["xyz"]);
  assert.equal(literals("[abc]+.*"), undefined);
  assert.equal(literals(String.raw`\u0041bcdef`), undefined);
  assert.deepEqual(neededIn(String.raw`func \(s \*Store\) \w+ of every kind`)?.[0]?.words, [
    "s",
    "Store",
    "of",
    "every",
  ]);
  const words = neededIn("ein Text über Läden und so weiter")?.[0]?.words;
  assert.deepEqual(words, ["Text", "und", "so"], "parts of words with other letters are no words");
  assert.deepEqual(parsePattern("(?i)Foobar").needed?.[0]?.literals, ["Foobar"]);
  assert.equal(parsePattern("(?i)Straße").needed, undefined, "case beyond ASCII is not looked for in bytes");
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

test("a pattern that needs too much memory loses that text only", () => {
  const groups = 400;
  const nested = new RegExp(`^(?:${"(".repeat(groups)}.${")".repeat(groups)}|(\\n))*Q`, "u");
  const matching = new BoundedMatching(nested, 60_000);
  assert.deepEqual(matching.matching(["Q", "ab\n".repeat(30_000), "aQ"]), [0, 2]);
  assert.equal(matching.skipped, 1);
});

test("in a pattern, every letter belongs to a word", () => {
  const matches = (pattern: string, text: string): boolean => parsePattern(pattern).regexp.test(text);
  assert.ok(matches(String.raw`\bключ\b`, "новый ключ, старый"));
  assert.ok(!matches(String.raw`\bключ\b`, "включить"));
  assert.ok(matches(String.raw`^\w+$`, "Größe_2"));
  assert.ok(matches(String.raw`^[\w-]+$`, "Größe-予約"));
  assert.ok(!matches(String.raw`\W`, "Größe"));
  assert.ok(matches(String.raw`r\B\w`, "Größe"));
  assert.ok(matches("gro\u0308ße", "größe"), "a decomposed letter is the same letter");
  assert.ok(matches(String.raw`[^\]]\w\\b`, String.raw`aä\b`));
});
