/** A secret parted by characters that nobody sees is found where it stands, and cleaning brings none back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../test/support/cost.ts";
import { rounds } from "../../test/support/program/limits.ts";
import { cleanText } from "../text/clean.ts";
import { redactLines } from "./lines.ts";
import { redactMessage } from "./message.ts";
import { isPlain } from "./plain.ts";
import { redactJson, redactText } from "./redact.ts";
import { findSpans, LITERALS } from "./scan.ts";

const TOKEN = "ghp_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3d";
const UNSEEN: Readonly<Record<string, string>> = {
  "soft hyphen": "\u00ad",
  "grapheme joiner": "\u034f",
  "zero-width space": "\u200b",
  "zero-width joiner": "\u200d",
  "right-to-left override": "\u202e",
  isolate: "\u2066",
  "word joiner": "\u2060",
  "Hangul filler": "\u3164",
  "byte order mark": "\ufeff",
  "variation selector": "\ufe0f",
  "late variation selector": "\u{e0100}",
  "tag letter": "\u{e0061}",
  "musical control": "\u{1d173}",
  colour: "\u001b[31m",
  "end of colour": "\u001b[0m",
  "short escape": "\u001b(B",
  link: "\u001b]8;;https://example.com\u0007",
  "C1 sequence": "\u009b1m",
  nul: "\0",
  backspace: "\b",
  several: "\u200b\u001b[1m\u{e0061}\u00ad",
};

test("a token parted at any place is redacted as a whole", () => {
  for (const [name, unseen] of Object.entries(UNSEEN)) {
    for (const at of [1, 3, 4, 5, 20, TOKEN.length - 1]) {
      const parted = `${TOKEN.slice(0, at)}${unseen}${TOKEN.slice(at)}`;
      assert.equal(redactText(`use ${parted} now`).text, "use [REDACTED:github-token] now", `${name} at ${at}`);
    }
    const everywhere = [...TOKEN].join(unseen);
    assert.equal(redactText(`(${everywhere})`).text, "([REDACTED:github-token])", name);
    assert.ok(!isPlain([..."a b"].join(unseen), LITERALS), name);
  }
});

test("names, signs and values are found through unseen characters, too", () => {
  const value = "kX9-vQ2w_Zr7pLm4T";
  for (const text of [
    `pass\u200bword = "${value}"`,
    `password\u200b = "${value}"`,
    `password =\u200b "${value}"`,
    `password = "\u2060${value}"`,
    `DB_PASSWORD=${value.slice(0, 5)}\u001b[0m${value.slice(5)}`,
    `Bea\u00adrer ${value}${value}`,
    `postgres://sam:${value.slice(0, 4)}\u200d${value.slice(4)}@db.example.com/x`,
    `па\u200bроль: ${value}`,
  ]) {
    const { text: clean, count } = redactText(text);
    assert.ok(count > 0, JSON.stringify(text));
    assert.ok(!cleanText(clean).includes(value.slice(6)), JSON.stringify(clean));
  }
});

test("JSON: members are known by their seen names, and their values by their seen text", () => {
  const value = "kX9-vQ2w_Zr7pLm4T";
  const given = { "pass\u200bword": value, token: `${value.slice(0, 6)}\u00ad${value.slice(6)}`, [`x${TOKEN}`]: 1 };
  const text = JSON.stringify(redactJson({ ...given, list: ["--password", `kX9\u200b${value}`] }).value);
  assert.doesNotMatch(cleanText(text), /vQ2w|Zr7p/);
  assert.equal(redactJson(given).count, 3);
});

test("places are those of the original text", () => {
  const parted = `${TOKEN.slice(0, 8)}\u200b\u200b${TOKEN.slice(8)}`;
  const text = `\ufeffa\u001b[1mb\u001b[0m ${parted} c\u00add ${TOKEN}`;
  const found = findSpans(text).map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(found, [parted, TOKEN]);
  const lines = `one\ntwo ${parted}\n\u200bthree`;
  assert.deepEqual(redactLines(lines), ["one", "two [REDACTED:github-token]", "\u200bthree"]);
  const message = redactMessage({ role: "user", parts: [{ type: "text", text }] });
  assert.equal(message.count, 2);
});

test("ordinary text with such characters stays as it is", () => {
  for (const text of [
    "❤️ done, 1️⃣ first, 👩‍👩‍👧 family, 🏴󠁧󠁢󠁥󠁮󠁧󠁿 flag",
    "\ufeff# A file with a byte order mark and the word password",
    "\u001b[32m✓\u001b[39m tokens \u001b[2m(12 ms)\u001b[22m src/auth/token.test.ts:12",
    "\u001b[33mcommit 3f786850e387550fdab836ed7e6dc881de23001b\u001b[m",
    "می‌خواهم رمز عبور را عوض کنم",
    "Donau\u00addampf\u00adschiff\u00adfahrts\u00adgesell\u00adschaft",
    "password:\u001b[5C*****",
    "const token\u200b = await getToken();",
    "a\u0000b\u0000c\u0000token\u0000secret",
  ]) {
    const redacted = redactText(text);
    assert.equal(redacted.count, 0, JSON.stringify(text));
    assert.ok(Object.is(redacted.text, text));
  }
});

test("cleaning a redacted text never completes a secret", () => {
  let seed = 11;
  const below = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * limit);
  };
  const unseen = Object.values(UNSEEN);
  const pieces = [TOKEN, "password=", "kX9-vQ2w_Zr7pLm4T", " ", "\n", "token: ", '"', "AKIAQ7ZP4MXN2RB5TCWE", "x", ""];
  for (let round = 0; round < rounds(2000, 40_000); round += 1) {
    let text = "";
    for (let i = 0; i < 1 + below(8); i += 1) text += pieces[below(pieces.length)];
    for (let i = 0; i < below(6); i += 1) {
      const at = below(text.length + 1);
      text = text.slice(0, at) + unseen[below(unseen.length)] + text.slice(at);
    }
    const { text: clean } = redactText(text);
    assert.equal(redactText(clean).count, 0, `idempotent: ${JSON.stringify(text)}`);
    assert.equal(redactText(cleanText(clean)).count, 0, `${JSON.stringify(text)} became ${JSON.stringify(clean)}`);
  }
});

test("texts full of unseen characters take linear time", () => {
  for (const unit of [
    "\u200b",
    "a\u200b",
    "\u001b[",
    "\u001b]8;;",
    "\u001b[1mtoken=\u001b[0m",
    "\ud834",
    "\u{e0061}",
    "\ufe0f❤",
  ])
    assertLinear(JSON.stringify(unit), 400_000, (length) => void redactText(unit.repeat(length / unit.length)));
});
