import assert from "node:assert/strict";
import { test } from "node:test";
import { rounds } from "../../../test/support/program/limits.ts";
import { between, seeded } from "../../../test/support/random.ts";
import { parseQuery } from "./query.ts";

test("stop words of a question are left out", () => {
  assert.deepEqual(parseQuery("How did we fix the flaky test?")?.words, ["fix", "flaky", "test"]);
  assert.deepEqual(parseQuery("to be or not to be")?.words, ["not"]);
  assert.deepEqual(parseQuery("what is it")?.words, ["what", "is", "it"]);
  assert.equal(parseQuery(" ?! -- "), undefined);
});

test("function words of other languages are left out, but not what English or code means by the same letters", () => {
  assert.deepEqual(parseQuery("Warum haben wir die Datenbank gewechselt?")?.words, ["die", "Datenbank", "gewechselt"]);
  assert.deepEqual(parseQuery("почему мы выбрали эту очередь")?.words, ["выбрали", "очередь"]);
  assert.deepEqual(parseQuery("MIT den todo CI num")?.words, ["MIT", "den", "todo", "CI", "num"]);
});

test("phrases must be there, excluded words must not, filters are taken out", () => {
  const query = parseQuery('"rate limit" exceeded -retry project:notes-api file:"my file.ts" after:7d role:user');
  assert.deepEqual(query?.phrases, ["rate limit"]);
  assert.deepEqual(query?.required, ["rate", "limit"]);
  assert.deepEqual(query?.excluded, ["retri"]);
  assert.deepEqual(query?.words, ["rate", "limit", "exceeded"]);
  assert.deepEqual(query?.fields, { project: "notes-api", file: "my file.ts", from: "7d", role: "user" });
  assert.equal(query?.role, "user");
});

test("anything that is not a filter is words", () => {
  assert.deepEqual(parseQuery("error: foo:bar role:robot")?.words, ["error", "foo", "bar", "role", "robot"]);
  assert.deepEqual(parseQuery("-5 --verbose")?.words, ["5", "verbose"]);
  assert.deepEqual(parseQuery("https://example.org/a?b=c")?.fields, {});
});

test("a minus before a word excludes it, a single letter is a flag, and either may be read as it stands", () => {
  assert.deepEqual(parseQuery("grep -R lamp -shade")?.excluded, ["shade"]);
  assert.deepEqual(parseQuery("grep -R lamp -shade")?.words, ["grep", "R", "lamp"]);
  assert.deepEqual(parseQuery("find . -type f -maxdepth 8")?.minuses, ["find . -type", "f -maxdepth"]);
  assert.deepEqual(parseQuery("-type f")?.minuses, ["-type f"]);
  const standing = parseQuery("find . -type f", {}, true, "stands");
  assert.deepEqual([standing?.excluded, standing?.typed?.text], [[], "find . -type f"]);
});

test("calls and numbers of issues are names", () => {
  assert.equal(parseQuery("flush()")?.typed?.text, "flush()");
  assert.equal(parseQuery("getUser()")?.typed?.text, "getUser");
  assert.equal(parseQuery("#1558")?.typed?.text, "#1558");
  assert.equal(parseQuery("plain")?.typed, undefined);
});

test("a flag overrides a filter in the text", () => {
  assert.equal(parseQuery("x project:a", { project: "b" })?.fields.project, "b");
});

test("no text is a syntax error", () => {
  const next = seeded(5);
  const alphabet = 'ab"-:*()^~{}[]\\/\'`$%&|<>+=.,;?!@# \n\t\0é漢🙂NEAR AND OR NOT project: role:"';
  for (let round = 0; round < rounds(800, 3000); round += 1) {
    const length = between(next, 0, 60);
    let text = "";
    for (let i = 0; i < length; i += 1) text += alphabet[between(next, 0, alphabet.length - 1)];
    assert.doesNotThrow(() => parseQuery(text), JSON.stringify(text));
  }
  assert.ok((parseQuery(`${"word ".repeat(20_000)}`)?.terms.length ?? 0) <= 64);
  assert.doesNotThrow(() => parseQuery('"'.repeat(100_000)));
});
