import assert from "node:assert/strict";
import { test } from "node:test";
import { rounds } from "../../test/support/program/limits.ts";
import { TOKEN_ANCHORS } from "./finders/tokens.ts";
import { NAME_LITERALS } from "./judges/names.ts";
import { isPlain } from "./plain.ts";
import { redactText } from "./redact.ts";
import { LITERALS } from "./scan.ts";

test("a question in words is plain, and so is an id", () => {
  for (const text of [
    "how did we refresh tokens?",
    "Größe der Tabelle",
    "",
    "0a1b2c3d-0a1b-4c3d-8e5f-0a1b2c3d4e5f",
    "0a1b2c3d-0a1b-4c3d-8e5f-0a1b2c3d4e5f#12",
  ]) {
    assert.ok(isPlain(text), text);
  }
});

test("text that may contain a secret is not plain", () => {
  for (const text of [
    "password=hunter2hunter2",
    "-----BEGIN RSA PRIVATE KEY-----",
    "<private>x</private>",
    "https://sam:secret@example.com/",
    "curl -u sam:secret example.com",
    "AKIAABCDEFGHIJKLMNOP1234",
    "a".repeat(40),
    "word ".repeat(200),
  ]) {
    assert.ok(!isPlain(text), text);
  }
});

test("with the literals of the rules at hand, names and paths are plain, and what a rule looks at is not", () => {
  for (const text of ["src/search/query.ts:12", "GoReleaser dirty state (v2.1)", 'what says "terminal-width"?']) {
    assert.ok(isPlain(text, LITERALS), text);
    assert.ok(!isPlain(text, []), text);
  }
  for (const text of [
    "API_KEY of x",
    "git clone ssh://host",
    "a<private>b",
    `x_${"a1B".repeat(20)}`,
    "\u016b\u0165y=abcdefgh1",
    "word-1 ".repeat(100),
  ]) {
    assert.ok(!isPlain(text, LITERALS), text);
  }
});

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SIGNS = "0123456789_-./:=\"'@$~+{}[]()<>,;!?#%&*|\\ ";

function numbersBelow(): (limit: number) => number {
  let seed = 7;
  return (limit) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * limit);
  };
}

test("no rule finds anything in a plain text", () => {
  const below = numbersBelow();
  const known = [...NAME_LITERALS, ...TOKEN_ANCHORS, "Bearer", "basic", "password is", "my secret"];
  const word = (): string => {
    if (below(3) === 0) return known[below(known.length)]?.trim() ?? "";
    const alphabet = below(4) === 0 ? LETTERS.length : 26;
    const small = Array.from({ length: 1 + below(18) }, () => LETTERS[below(alphabet)]).join("");
    const random = below(3) === 0 ? small.slice(0, 1).toUpperCase() + small.slice(1) : small;
    return random + (["", "", "", ".", ",", "?", "!"][below(7)] ?? "");
  };
  const all = rounds(5_000, 20_000);
  let plain = 0;
  for (let round = 0; round < all; round += 1) {
    const text = Array.from({ length: 1 + below(8) }, word).join([" ", "\n", "\t"][below(3)] ?? " ");
    if (!isPlain(text)) continue;
    plain += 1;
    assert.equal(redactText(text).count, 0, text);
  }
  assert.ok(plain > all / 20, `${plain} texts were plain`);
});

test("no rule finds anything in a text without its literals", () => {
  const below = numbersBelow();
  const alphabet = LETTERS + SIGNS + SIGNS;
  const piece = (): string => {
    const random = Array.from({ length: 1 + below(50) }, () => alphabet[below(alphabet.length)]).join("");
    return below(6) === 0 ? random + (LITERALS[below(LITERALS.length)]?.slice(below(2)) ?? "") : random;
  };
  const all = rounds(5_000, 20_000);
  let plain = 0;
  for (let round = 0; round < all; round += 1) {
    const text = Array.from({ length: 1 + below(6) }, piece).join(below(2) === 0 ? " " : "");
    if (!isPlain(text, LITERALS)) continue;
    plain += 1;
    assert.equal(redactText(text).count, 0, text);
  }
  assert.ok(plain > all / 20, `${plain} texts were plain`);
});
