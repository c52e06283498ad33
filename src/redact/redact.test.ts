/** The contract of redaction: same object when clean, idempotent, JSON by names, linear in hostile texts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { leastCpu } from "../../test/support/cost.ts";
import { seeded, seededLetters } from "../../test/support/random.ts";
import type { Json } from "../kernel/json.ts";
import { redactJson, redactText } from "./redact.ts";
import { LITERALS } from "./scan.ts";
import { TOKEN_RULES } from "./tables/rules.ts";

const ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

test("a text without secrets is returned as the same string", () => {
  const text = `${"no secret here, only words and paths like /usr/lib/x. ".repeat(3000)}end`;
  const redacted = redactText(text);
  assert.ok(Object.is(redacted.text, text));
  assert.equal(redacted.count, 0);
  for (const short of ["", "a", "token=", "://", "\u0000"])
    assert.deepEqual(redactText(short), { text: short, count: 0 });
});

test("results do not depend on the position in a long text", () => {
  const secret = `ghp_${letters(3, 36)}`;
  const filler = "lorem ipsum ".repeat(11_000);
  for (const at of [
    0, 1, 65_400, 65_470, 65_471, 65_472, 65_473, 65_500, 65_530, 65_535, 65_536, 65_537, 131_000, 131_008,
  ]) {
    const text = `${filler.slice(0, at)} ${secret} ${filler.slice(at)}`;
    assert.equal(redactText(text).text, text.replace(secret, "[REDACTED:github-token]"), `at ${at}`);
  }
});

test("characters beyond Latin neither hide a secret nor make one", () => {
  const secret = `ghp_${letters(4, 36)}`;
  assert.equal(redactText(`鍵は ${secret} です 🔑`).text, "鍵は [REDACTED:github-token] です 🔑");
  assert.equal(redactText(`Ÿ${secret}`).text, "Ÿ[REDACTED:github-token]");
  const shifted = [...`ghp_${letters(5, 36)}`].map((c) => String.fromCharCode(c.charCodeAt(0) + 0x100)).join("");
  assert.equal(redactText(shifted).count, 0);
});

test("JSON: nothing is copied when nothing is found", () => {
  const value: Json = { a: [1, null, true, { b: "plain text" }], token: "string", n: 1 };
  const redacted = redactJson(value);
  assert.ok(Object.is(redacted.value, value));
  assert.equal(redacted.count, 0);
});

test("JSON: strings are redacted by their look, members by their key, the rest is shared", () => {
  const value: Json = {
    keep: { deep: ["x"] },
    note: `use ghp_${letters(6, 36)} now`,
    env: { DB_PASSWORD: letters(7, 20), api_key: letters(8, 24), client_secret: letters(9, 32), path: letters(10, 32) },
    headers: { authorization: `Bearer ${letters(11, 40)}`, cookie: `sid=${letters(12, 30)}; theme=dark` },
    password: "changeme",
    token: "550e8400-e29b-41d4-a716-446655440000",
    secrets: [letters(13, 24)],
  };
  const { value: redacted, count } = redactJson(value);
  assert.deepEqual(redacted, {
    keep: { deep: ["x"] },
    note: "use [REDACTED:github-token] now",
    env: {
      DB_PASSWORD: "[REDACTED:password]",
      api_key: "[REDACTED:api-key]",
      client_secret: "[REDACTED:secret]",
      path: letters(10, 32),
    },
    headers: { authorization: "Bearer [REDACTED:bearer-token]", cookie: "sid=[REDACTED:session-cookie]; theme=dark" },
    password: "changeme",
    token: "550e8400-e29b-41d4-a716-446655440000",
    secrets: ["[REDACTED:secret]"],
  });
  assert.equal(count, 7);
  assert.ok(Object.is((redacted as { keep: Json }).keep, value.keep));
});

test("JSON: argument lists, name and value pairs, keys that are secrets", () => {
  const secret = letters(14, 24);
  assert.deepEqual(redactJson(["mysql", "--password", secret, "--host", secret]).value, [
    "mysql",
    "--password",
    "[REDACTED:password]",
    "--host",
    secret,
  ]);
  assert.deepEqual(redactJson({ name: "API_KEY", value: secret }).value, {
    name: "API_KEY",
    value: "[REDACTED:api-key]",
  });
  const keys = [`ghp_${letters(15, 36)}`, `ghp_${letters(16, 36)}`];
  assert.deepEqual(redactJson(Object.fromEntries(keys.map((key, index) => [key, index]))), {
    value: { "[REDACTED:github-token]": 0, "[REDACTED:github-token] 2": 1 },
    count: 2,
  });
});

test("JSON: __proto__ stays a member, any depth is survived", () => {
  const parsed = JSON.parse(`{"__proto__": {"x": 1}, "password": "${letters(17, 20)}"}`);
  const { value } = redactJson(parsed);
  assert.equal(JSON.stringify(value), '{"__proto__":{"x":1},"password":"[REDACTED:password]"}');
  let deep: Json = `ghp_${letters(18, 36)}`;
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  assert.equal(redactJson(deep).count, 1);
});

test("redaction is idempotent", () => {
  const pieces = [
    ...TOKEN_RULES.flatMap((rule) => rule.anchors.slice(0, 1)),
    ...LITERALS.filter((_, index) => index % 7 === 0),
    ...'token= password: --api-key "secret": <private> </private> Authorization: Cookie: Bearer Basic :// @host /'.split(
      " ",
    ),
    ..."\" ' ` \\n \n = : ; & , . - _ [REDACTED:token] -----BEGIN_PRIVATE_KEY----- -----END_PRIVATE_KEY----- machine login".split(
      " ",
    ),
  ].map((piece) => piece.replaceAll("_PRIVATE_KEY", " PRIVATE KEY"));
  for (let seed = 1; seed <= 3000; seed++) {
    const next = seeded(seed);
    let text = "";
    for (let part = 0; part < 8; part++) {
      const choice = next();
      text +=
        choice < 0.55
          ? (pieces[Math.floor(next() * pieces.length)] ?? "")
          : choice < 0.85
            ? letters(seed + part, 40)
            : " ";
    }
    const once = redactText(text).text;
    assert.deepEqual(redactText(once), { text: once, count: 0 }, JSON.stringify(text));
  }
});

test("no text makes it throw", () => {
  for (let seed = 1; seed <= 400; seed++) {
    const next = seeded(seed);
    const codes = Array.from({ length: 200 }, () => Math.floor(next() * (seed % 2 === 0 ? 128 : 65_536)));
    const { text, count } = redactText(String.fromCharCode(...codes));
    assert.ok(count === 0 || text.includes("[REDACTED:"));
  }
});

/** Each piece repeated: where a rule starts at every few characters, or one part has no end. */
const HOSTILE: [size: number, pieces: string[]][] = [
  [
    50_000,
    [
      ..."eyJ eyJ- eyJaaaaaaaa. glpat- ://a: <private> <private></private>".split(" "),
      ...': " x pat key= token_1'.split(" "),
      "-----BEGIN PRIVATE KEY-----",
      "-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAA\n",
      "key\t\t\t\t\t\t\t\t",
      "token:    ",
    ],
  ],
  [
    5_000,
    [
      ...'token= token:" password= Xk9mP2vL5nQ8token= sig= ?sv=1&sig= sk-ant- sk-proj- xoxb- fm2_ nvapi- ghs_'.split(
        " ",
      ),
      "machine x login y password ",
      "password ",
      "cookie: a=b; ",
      "Authorization: Bearer a",
      " curl -u a:",
      "my api key: ",
    ],
  ],
];

test("hostile texts take time in proportion to their length", () => {
  for (const [size, pieces] of HOSTILE) {
    for (const piece of pieces) {
      const once = processorTime(piece.repeat(size / piece.length));
      const more = processorTime(piece.repeat((8 * size) / piece.length));
      // Quadratic time would be 64 times as much; the constant forgives what a busy machine adds to both runs.
      assert.ok(more < 20 * once + 60, `${JSON.stringify(piece)}: ${once.toFixed(0)} ms, then ${more.toFixed(0)} ms`);
    }
  }
});

test("no literal that rules start from takes more than time in proportion when it is repeated", () => {
  // All of them once, in groups, so that one slow rule shows; 16 times the text may take 40 times the time at most.
  for (let from = 0; from < LITERALS.length; from += 40) {
    for (const tail of ["", "="]) {
      const group = LITERALS.slice(from, from + 40);
      const pieces = (times: number) => group.map((literal) => `${literal}${tail}`.repeat(times)).join("\n");
      const once = processorTime(pieces(16));
      const more = processorTime(pieces(256));
      assert.ok(
        more < 40 * once + 200,
        `${group[0]} …${JSON.stringify(tail)}: ${once.toFixed(0)} ms, then ${more.toFixed(0)} ms`,
      );
    }
  }
});

test("markers are never nested", () => {
  for (const literal of LITERALS) {
    for (const tail of [
      "[REDACTED:token]",
      "=[REDACTED:password]",
      ' "[REDACTED:github-token]"',
      ": [REDACTED:secret] x",
    ]) {
      const { text } = redactText(`a ${literal}${tail} ${literal}${letters(literal.length, 40)}`);
      assert.ok(!/\[REDACTED:[^\]]*\[/.test(text), text);
      assert.deepEqual(redactText(text), { text, count: 0 }, text);
    }
  }
});

/** Processor time in milliseconds. */
function processorTime(text: string): number {
  return leastCpu(() => redactText(text), 2) / 1000;
}

function letters(seed: number, length: number): string {
  return seededLetters(seed)(ALNUM, length);
}
