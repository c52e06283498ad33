import assert from "node:assert/strict";
import { test } from "node:test";
import { texCharacters } from "./tex_characters.ts";

test("codes of LaTeX's fonts become ligatures, quotation marks and dashes", () => {
  assert.equal(
    texCharacters("A \x1ctted model: speci\x1ced, e\x1ecient, di\x1berent"),
    "A fitted model: specified, efficient, different",
  );
  assert.equal(texCharacters("o\x0eset, \x0crst, \roor, e\x0bect, ba\x0fe"), "offiset, first, floor, effect, baffle");
  assert.equal(texCharacters("\x10quoted\x11 \x16 pages 3\x154"), "“quoted” — pages 3–4");
});

test("ligatures that are characters become letters; other control characters go", () => {
  assert.equal(texCharacters("\ufb01rst \ufb02oor, o\ufb03ce"), "first floor, office");
  assert.equal(texCharacters("a\0b\x07c\td\u017fe"), "abc\td\u017fe");
});
