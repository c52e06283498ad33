/** Whatever a transcript calls its session, it is read, can be addressed, and stops no other one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TestHome } from "../support/program/dex.ts";
import { between, pick, seeded } from "../support/random.ts";
import { plainFields, WRITERS } from "../support/sources/every_source.ts";

const home = new TestHome();

const PIECES = [
  "a",
  "Z9",
  " ",
  "\t",
  "\n",
  "/",
  "..",
  "\\",
  "\u0000",
  "\u001b[31m",
  "\ud800",
  "🙂",
  "数",
  "#",
  ":",
  "%2F",
  "'",
  "*",
  "-",
];

function oddIds(): string[] {
  const random = seeded(5);
  const fuzzed = Array.from({ length: 12 }, () =>
    Array.from({ length: between(random, 1, 12) }, () => pick(random, PIECES)).join(""),
  );
  return [
    "\ud800abc",
    "two words",
    "../../../escape",
    "..",
    ".",
    "\u001b[2Jx",
    "x".repeat(300),
    "é".repeat(200),
    ...fuzzed,
  ];
}

interface Listed {
  conversations: { id: string; source: string; title: string }[];
}

test("odd session ids of every agent stop no sync", () => {
  const ids = oddIds();
  for (const [source, write] of Object.entries(WRITERS)) {
    for (const [i, id] of ids.entries()) write(home.home, { ...plainFields(id), uid: `u${i}-${source}` });
    write(home.home, plainFields(`plain-${source}`));
  }
  const totals = home.json<{ failed: unknown[]; new: number }>("sync");
  assert.deepEqual(totals.failed, []);
  const { conversations } = home.json<Listed>("list", "--limit", "1000");
  for (const source of Object.keys(WRITERS)) {
    const own = conversations.filter((each) => each.source === source);
    // Names of files and keys of databases fold some of them into one; the agent itself could not hold both either.
    assert.ok(own.length >= ids.length / 2, `${source}: ${own.length} conversations`);
    for (const { id } of own) assert.match(id, /^[\p{L}\p{N}_@+][\p{L}\p{M}\p{N}._:@+=~,-]{0,127}$/u);
  }
  for (const { id, source } of conversations.filter((_, i) => i % 29 === 0)) {
    const shown = home.json<Listed>("show", `${source}:${id}`);
    assert.equal(shown.conversations[0]?.id, id);
  }
  // Read once more, the same files give the same ids: nothing is doubled.
  assert.equal(home.json<{ new: number }>("sync", "--full").new, 0);
  assert.equal(home.json<Listed>("list", "--limit", "1000").conversations.length, conversations.length);
});
