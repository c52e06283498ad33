import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertLinear } from "../../../test/support/cost.ts";
import { rounds } from "../../../test/support/program/limits.ts";
import { between, pick, randomText, seeded } from "../../../test/support/random.ts";
import { makeSnippet } from "./snippet.ts";

const FILLER = "plain words about nothing in particular ".repeat(40);

describe("makeSnippet", () => {
  test("a short text is given whole, on one line", () => {
    assert.equal(makeSnippet("  one\n\n\ttwo  three ", ["two"]), "one two three");
    assert.equal(makeSnippet("", ["two"]), "");
  });

  test("the window lies where most terms stand together, not at the first of them", () => {
    const text = `token ${FILLER} the refresh token expires after an hour ${FILLER} token ${FILLER}`;
    const snippet = makeSnippet(text, ["refresh", "token", "expires"]);
    assert.match(snippet, /the refresh token expires after an hour/);
    assert.match(snippet, /^….*…$/);
    assert.ok(snippet.length <= 300);
  });

  test("cut between words, and no mark where nothing was cut", () => {
    const whole = new Set(`${FILLER}needle`.split(" "));
    for (const text of [`${FILLER}needle ${FILLER}`, `needle ${FILLER}`, `${FILLER}needle`]) {
      const snippet = makeSnippet(text, ["needle"]);
      assert.match(snippet, /needle/);
      for (const word of snippet.replaceAll("…", "").split(" ")) assert.ok(whole.has(word), word);
      assert.equal(snippet.startsWith("…"), !text.startsWith("needle"));
      assert.equal(snippet.endsWith("…"), !text.endsWith("needle"));
    }
  });

  test("the window is the same among symbols and emoji as among letters of other scripts", () => {
    for (const sign of ["\u{1f680}", "\u2713", "\u26a0\ufe0f", "\u2800", "\u{1f1e9}\u{1f1ea}"]) {
      const text = `${FILLER}${sign} Deploy${sign}s the needle ${sign}needle ${FILLER}`;
      const terms = ["needle", "deploy"];
      const [plain, foreign] = [text, `${text} ж`].map((each) => makeSnippet(each, terms));
      assert.equal(plain, foreign);
      assert.match(plain ?? "", /needle.*needle/u);
    }
  });

  test("word forms, accents, case and the words inside identifiers", () => {
    const cases: [string, string][] = [
      ["migrations", "we migrate nightly"],
      ["migrate", "Migrating the table"],
      ["authentication", "please authenticate"],
      ["retry", "three retries later"],
      ["resume", "his RÉSUMÉ here"],
      ["naïve", "a NAIVE view"],
      ["user", "calls getUserById twice"],
      ["server", "new HTTPServer()"],
      ["getUserById", "calls getUserById twice"],
      ["count", "the retry_count field"],
      ["src/auth.ts", "opened src/auth.ts again"],
      ["ошибка", "Ошибка сети"],
      ["API", "ＡＰＩ full width"],
    ];
    for (const [term, place] of cases) {
      const snippet = makeSnippet(`${FILLER}${place} ${FILLER}`, [term]);
      assert.ok(snippet.includes(place), `${term}: ${snippet}`);
    }
  });

  test("a term does not match in the middle of a word, nor by a stem of three letters", () => {
    for (const [term, place] of [
      ["port", "important"],
      ["uses", "used"],
    ] as const) {
      assert.ok(!makeSnippet(`${FILLER}${place} ${FILLER}`, [term]).includes(place));
    }
  });

  test("scripts without spaces", () => {
    const filler = "数据库很好用。".repeat(100);
    assert.match(makeSnippet(`${filler}迁移失败了${filler}`, ["迁移失败"]), /迁移失败了/);
    assert.match(makeSnippet(`${filler}迁移又失败了${filler}`, ["迁移失败"]), /迁移又失败了/);
    assert.match(makeSnippet(`${filler}用API调用${filler}`, ["api"]), /用API调用/);
    assert.match(makeSnippet(`${filler}ガラスの${filler}`, ["ガラス"]), /ガラスの/);
    assert.match(
      makeSnippet(`${"한국어 문장 ".repeat(80)}검색엔진에서 ${"한국어 문장 ".repeat(80)}`, ["엔진"]),
      /검색엔진에서/,
    );
  });

  test("without a match, the beginning", () => {
    assert.ok(makeSnippet(FILLER, ["absent"]).startsWith("plain words about"));
    assert.ok(makeSnippet(FILLER, []).endsWith("…"));
  });

  test("any text: within the length, a part of the text, no broken characters", () => {
    const random = seeded(7);
    for (let round = 0; round < rounds(100, 400); round += 1) {
      const text = randomText(random, between(random, 0, 300));
      const length = between(random, 20, 300);
      const snippet = makeSnippet(
        text,
        [pick(random, ["token", "数据", "🙂", "a", "", "fix", "x y"]), "index"],
        length,
      );
      assert.ok(snippet.length <= length);
      assert.ok(snippet.isWellFormed());
      assert.ok(text.replace(/\s+/g, " ").includes(snippet.replace(/^…|…$/g, "")), snippet);
    }
  });

  test("a megabyte of anything takes linear time", () => {
    for (const piece of ["a ", "aB", "数", "\n ", "é"]) {
      const words = ["a", "b", "数据", "数", "é"];
      assertLinear(JSON.stringify(piece), 1 << 19, (length) => void makeSnippet(piece.repeat(length), words));
    }
  });
});
