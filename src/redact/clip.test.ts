/** Cutting after redaction: no piece of a secret and no piece of a marker is left at any length. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cutRedacted, redactAndCut, redactField } from "./clip.ts";
import { redactText } from "./redact.ts";

const TOKEN = ["ghp", "Zq7Lw2Xn9Bv4Kt6Rm1Pd8Hs3Gy5Jc0Fa2Te7Ux"].join("_");

test("at no length is anything left of a secret or of half a marker", () => {
  const text = `please deploy with ${TOKEN} and then 🔑 [x] tell me`;
  for (let max = 0; max <= text.length; max++) {
    const cut = redactAndCut(text, max);
    assert.ok(cut.length <= max);
    for (let at = 4; at + 6 <= TOKEN.length; at++) assert.ok(!cut.includes(TOKEN.slice(at, at + 6)), cut);
    assert.equal(cut.replaceAll("[REDACTED:github-token]", "").includes("REDACTED"), false, cut);
    assert.ok(!cut.replaceAll("[REDACTED:github-token]", "").includes("[R"), cut);
    assert.ok(cut.isWellFormed());
    assert.deepEqual(redactText(cut), { text: cut, count: 0 });
  }
});

test("a text that fits is only redacted, a bracket of its own is cut like text", () => {
  assert.equal(redactAndCut("all of it", 20), "all of it");
  assert.equal(redactAndCut(`use ${TOKEN}`, 100), "use [REDACTED:github-token]");
  assert.equal(cutRedacted("a list [1, 2, 3] of it", 10), "a list [1,");
  assert.equal(cutRedacted("[REDACTED:token] rest", 18), "[REDACTED:token] r");
  assert.equal(cutRedacted("abc", 0), "");
});

test("a field keeps its absence and loses its secrets", () => {
  assert.equal(redactField(undefined), undefined);
  assert.equal(redactField("feature/login-page"), "feature/login-page");
  assert.equal(redactField(`fix/${TOKEN}`), "fix/[REDACTED:github-token]");
});
