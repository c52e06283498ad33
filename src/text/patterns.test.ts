import assert from "node:assert/strict";
import { test } from "node:test";
import { asciiSource, patternFor } from "./patterns.ts";

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

test("properties have the same characters of ASCII in both expressions", () => {
  for (const name of ["L", "Lu", "Ll", "Lo", "M", "N", "P", "S", "Script=Han"]) {
    for (const source of [`\\p{${name}}`, `[\\p{${name}}]`, `[^\\p{${name}}]`, `[x\\p{${name}}-]`]) {
      const whole = new RegExp(source, "u");
      const ascii = new RegExp(asciiSource(source));
      for (const character of ASCII)
        assert.equal(ascii.test(character), whole.test(character), `${source} ${JSON.stringify(character)}`);
    }
  }
});

test("a text gets the expression that fits it", () => {
  const words = patternFor("[\\p{L}\\p{N}]+", "g");
  assert.deepEqual("is it 5, or\tsix?".match(words("is it 5, or\tsix?")), ["is", "it", "5", "or", "six"]);
  assert.deepEqual("naïve Ünlü 語".match(words("naïve Ünlü 語")), ["naïve", "Ünlü", "語"]);
  assert.equal(words("ascii").unicode, false);
  assert.equal(words("ünlü").unicode, true);
});

test("escaped brackets do not begin a class", () => {
  assert.equal(asciiSource("\\[\\p{L}\\]"), "\\[[A-Za-z]\\]");
});
