import assert from "node:assert/strict";
import { test } from "node:test";
import { nearTerms } from "./spelling.ts";

test("a near word is one of a text, and never a word too common to search for", () => {
  const texts = ["all of this here", "a thin layer"];
  const near = (): { term: string; no: number; index: number }[] => [
    { term: "thi", no: 0, index: 0 },
    { term: "gone", no: 9, index: 0 },
    { term: "thin", no: 1, index: 0 },
  ];
  assert.deepEqual(
    nearTerms(["thim"], near, ({ no }) => texts[no]),
    ["thin"],
  );
  assert.deepEqual(
    nearTerms(
      ["thim"],
      () => near().slice(0, 2),
      ({ no }) => texts[no],
    ),
    [],
  );
});

test("words of scripts without spaces have no near words", () => {
  const near = (): { term: string; no: number; index: number }[] => [{ term: "ダー", no: 0, index: 0 }];
  assert.deepEqual(
    nearTerms(["カレンダー"], near, () => "ヘッダーを直す"),
    [],
  );
});
