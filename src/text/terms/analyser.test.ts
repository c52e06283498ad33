import assert from "node:assert/strict";
import { test } from "node:test";
import { Analyser, SMALL_CAPACITY } from "./analyser.ts";

const words = (text: string): string[] => new Analyser(SMALL_CAPACITY).words(text);

test("identifiers, paths and versions fall into their parts", () => {
  assert.deepEqual(words("getUserById"), ["getuserbyid", "get", "user", "by", "id"]);
  assert.deepEqual(words("snake_case-and/path.ts v1.24.3"), ["snake", "case", "and", "path", "ts", "v1", "24", "3"]);
  assert.deepEqual(words("parseHTTPResponse"), ["parsehttprespons", "pars", "http", "respons"]);
  assert.deepEqual(words("deadbeef0123"), ["deadbeef0123"]);
});

test("endings and accents do not matter", () => {
  assert.deepEqual(words("migrations migrating migrated"), ["migrat"]);
  assert.deepEqual(words("naïve Café ÉCOLE"), words("naive cafe ecole"));
  assert.deepEqual(words("Δ ÑANDÚ"), words("δ ñandú"));
});

test("the forms of a Russian word are one term, and other words are others", () => {
  for (const forms of [
    "напоминание напоминания напоминаний напоминаниям напоминаниями",
    "вебхук вебхука вебхуков вебхуки",
    "очередь очереди очередей очередью",
    "ошибка ошибки ошибку ошибкой",
    "новый новая новые нового новому новыми",
    "ещё еще ЕЩЁ",
  ])
    assert.equal(words(forms).length, 1, `${forms}: ${words(forms)}`);
  assert.notDeepEqual(words("мой"), words("мои"));
  assert.notDeepEqual(words("сообщение"), words("сообщество"));
});

test("other shapes and spellings of a letter do not matter", () => {
  assert.deepEqual(words("ＣＳＶ ＬＯＧ＿ＬＥＶＥＬ"), words("CSV LOG_LEVEL"));
  assert.deepEqual(words("ﾛｸﾞ ﾒｰﾙ"), words("ログ メール"));
  assert.deepEqual(words("Größe Straße GRÖẞE"), words("Grösse Strasse GRÖSSE"));
  assert.deepEqual(words("ﬁle Łódź Søren"), words("file Lodz Soren"));
});

test("CJK text becomes pairs and single characters", () => {
  const terms = words("認証エラー");
  for (const pair of ["認証", "証エ", "エラ", "ラー"]) assert.ok(terms.includes(pair), pair);
  assert.ok(terms.includes("認"));
});

test("weights add up over the texts of a document, and the next document starts at zero", () => {
  const analyser = new Analyser(SMALL_CAPACITY);
  analyser.add("retry retry socket", 4);
  analyser.add("socket", 3);
  const { length, terms } = analyser.finish();
  assert.equal(length, 4);
  const found = new Map<string, number>();
  for (let i = 0; i < terms.length; i += 2) found.set(analyser.terms[terms[i] ?? 0] ?? "", terms[i + 1] ?? 0);
  assert.deepEqual(
    [...found],
    [
      ["retri", 8],
      ["socket", 7],
    ],
  );
  assert.equal(analyser.finish().length, 0);
});

test("a cleared cache gives the same terms", () => {
  const small = new Analyser(1 << 6);
  const large = new Analyser();
  for (let i = 0; i < 500; i += 1) {
    const text = `word${i} camelCase${i} ${i * 7919} naïve${i}`;
    assert.deepEqual(small.words(text), large.words(text));
    small.trim();
  }
});

test("a cache that grows, also within a text, forgets nothing and knows nothing twice", () => {
  const grown = new Analyser(undefined, true);
  const texts = Array.from(
    { length: 6000 },
    (_, i) => `word${i} camelCase${i} snake_case_${i} --long-flag${i} naïve${i}`,
  );
  const once = (analyser: Analyser): number => new Set(analyser.terms).size;
  grown.words(texts.join(" "));
  const known = grown.terms.length;
  assert.equal(once(grown), known);
  for (const text of texts) {
    assert.deepEqual(grown.words(text), new Analyser(1 << 6, true).words(text));
  }
  assert.equal(grown.terms.length, known);
});

test("a long text has the words and names of its lines, wherever it is cut", () => {
  for (const inner of ["_", ".", "-", "認", " "]) {
    const lines = Array.from({ length: 400 }, (_, i) => `--flag${i}${`${inner}part${i % 50}`.repeat(i * 2)}`);
    const whole = new Analyser(undefined, true).words(lines.join("\n"));
    const byLine = new Analyser(undefined, true);
    assert.deepEqual(whole, [...new Set(lines.flatMap((line) => byLine.words(line)))]);
  }
});

test("any text whatever is analysed", () => {
  const analyser = new Analyser(SMALL_CAPACITY);
  for (const text of ["", "\0\u0001\u{10ffff}", "\ud800 lone", "x".repeat(100_000), "🙂🙃 é\u0301", " \n\t"]) {
    assert.doesNotThrow(() => analyser.words(text));
  }
  assert.equal(analyser.words("y".repeat(500))[0]?.length, 64);
});
