/** Which definitions a search by words finds, and in which order. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CodeFixture } from "../../../test/support/code.ts";
import type { EntityFilter } from "../../store/code.ts";
import { countWords, searchCode } from "./search.ts";

describe("a search for definitions", () => {
  const fixture = new CodeFixture({
    "lib/hooks.js":
      "/** Registers a hook. */\nfunction addHook(name, run) {\n  table[name].push(run);\n}\n\nfunction flush(queue) {\n  if (queue.closed) throw new Error('the spool is sealed');\n  queue.length = 0;\n}\nmodule.exports = { addHook, flush };\nsetInterval(flush, HEARTBEAT);\n",
    "types/hooks.d.ts":
      "/** Registers a hook. */\nexport declare function addHook(name: string, run: () => void): void;\n",
    "test/hooks.test.js":
      "test('a hook is registered when addHook registers it', () => {\n  addHook('a', () => {});\n  assert.throws(() => flush({ closed: true }), /the spool is sealed/);\n});\n",
    "examples/hooks.js": "/** Registers a hook. */\nfunction addHook() {\n  addHook('b', () => {});\n}\n",
    "docs/hooks.md": "# How a hook is registered\n",
  });
  const paths = (query: string, filter: EntityFilter = {}): string[] =>
    fixture.read((store) => searchCode(store, query, filter, 20).found.map(({ entity }) => entity.path));
  const names = (query: string): string[] =>
    fixture.read((store) => searchCode(store, query, {}, 20).found.map(({ entity }) => entity.qualified));

  before(async () => void (await fixture.index()));
  after(() => fixture.dispose());

  test("code comes before declarations, examples, documents and tests that have the same words", () => {
    assert.equal(paths("registers hook")[0], "lib/hooks.js");
    const order = [...new Set(paths("registers hook"))];
    assert.deepEqual(order.toSorted(), [
      "docs/hooks.md",
      "examples/hooks.js",
      "lib/hooks.js",
      "test/hooks.test.js",
      "types/hooks.d.ts",
    ]);
  });

  test("tests come first if the query or the path asks for them", () => {
    assert.equal(paths("test that registers a hook")[0], "test/hooks.test.js");
    assert.equal(paths("registers hook", { path: "test/" })[0], "test/hooks.test.js");
  });

  test("examples are worth as much if the query asks for them", () => {
    assert.equal(paths("example that registers a hook")[0], "examples/hooks.js");
  });

  test("the words of a body find its own definition, and what is outside definitions finds the file", () => {
    assert.equal(names("spool sealed")[0], "flush");
    assert.deepEqual(names("heartbeat"), ["lib/hooks.js"]);
  });

  test("a word counts where it occurs at all", () => {
    const counts = fixture.read((store) => countWords(store, ["spool", "zeppelin"]));
    assert.ok((counts.get("spool") ?? 0) >= 2);
    assert.equal(counts.get("zeppelin"), 0);
  });

  test("a definition in another one owns its lines", async () => {
    const nested = new CodeFixture({
      "outer.ts": "export class Outer {\n  first() {\n    return quartz;\n  }\n  limit = feldspar;\n}\n",
    });
    try {
      await nested.index();
      const found = (query: string): string[] =>
        nested.read((store) => searchCode(store, query, {}, 5).found.map(({ entity }) => entity.qualified));
      assert.deepEqual(found("quartz"), ["Outer.first"]);
      assert.ok(!found("feldspar").includes("Outer.first"));
    } finally {
      nested.dispose();
    }
  });
});
