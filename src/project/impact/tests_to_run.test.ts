/** Tests to run for a diff that no edge of the graph leads to: by the history, by rare words and by names. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { CodeFixture } from "../../../test/support/code.ts";
import { TestRepository } from "../../../test/support/repository.ts";
import { findTarget } from "../../code/answers/target.ts";
import { openCode } from "../../code/project.ts";
import { nameParts } from "../../code/test_paths.ts";
import { listedChanges } from "../changes.ts";
import { diffImpact } from "./diff_impact.ts";
import { likelyTests } from "./likely_tests.ts";

const TESTS = ["alpha", "beta", "gamma", "delta", "route.1"];

describe("tests that no edge leads to", () => {
  let fixture: CodeFixture;
  const listed = async (commits?: readonly string[][]): Promise<string[]> => {
    await fixture.index();
    const { store } = openCode(fixture.project());
    try {
      const touches = commits?.map((files, at) => ({ time: 1000 - at, files }));
      const { tests } = await diffImpact(fixture.root, store, undefined, touches && listedChanges(touches));
      return tests.map(({ path, why, isGuess }) => `${path}: ${why}${isGuess ? " (guess)" : ""}`);
    } finally {
      store.close();
    }
  };
  beforeEach(() => {
    fixture = new CodeFixture({ "lib/route.js": "exports.find = (path) => path\n" });
    for (const name of TESTS)
      fixture.write(
        `test/${name}.test.js`,
        `const app = require('../start')\ntest('${name}', () => app.run('${name}'))\n`,
      );
    new TestRepository(fixture.root).commit("first");
    fixture.write("lib/route.js", "exports.find = (path) => (path === 'ERR_GAMMA' ? null : path)\n");
  });
  afterEach(() => fixture.dispose());

  test("a test that is named after the changed file", async () => {
    assert.deepEqual(await listed(), ["test/route.1.test.js: named after lib/route.js"]);
  });

  test("commits that changed both", async () => {
    const both = ["lib/route.js", "test/beta.test.js"];
    const alone = ["lib/route.js"];
    const found = await listed([both, both, alone, both, ["test/alpha.test.js"], alone]);
    assert.deepEqual(found, [
      "test/beta.test.js: 3 of 5 commits to lib/route.js changed it",
      "test/route.1.test.js: named after lib/route.js",
    ]);
  });

  test("a test that changed with the file only once is not listed", async () => {
    const alone = ["lib/route.js"];
    const found = await listed([alone, alone, ["lib/route.js", "test/alpha.test.js"], alone, alone, alone]);
    assert.deepEqual(found, ["test/route.1.test.js: named after lib/route.js"]);
  });

  test("a word of the changed lines that few tests have", async () => {
    const after = "exports.find = (path) => (path === 'ERR_GAMMA' ? undefined : path)\n";
    const text = "test('gamma', () => expect(fail()).toBe('ERR_GAMMA'))\n";
    new TestRepository(fixture.root).commit("gamma", { "test/gamma.test.js": text });
    fixture.write("lib/route.js", after);
    assert.ok((await listed()).includes("test/gamma.test.js: mentions ERR_GAMMA (guess)"));
  });

  test("a test beside a file of its own name is not named after another of that name", async () => {
    fixture.write("lib/trie/route.js", "exports.find = (path) => path\n");
    fixture.write("lib/trie/route.test.js", "test('trie', () => {})\n");
    new TestRepository(fixture.root).commit("trie");
    fixture.write("lib/route.js", "exports.find = (path) => [path]\n");
    assert.deepEqual(await listed(), ["test/route.1.test.js: named after lib/route.js"]);
  });

  test("a definition that no test is known to run has likely tests", async () => {
    await fixture.index();
    const likely = fixture.read((store) =>
      likelyTests(
        fixture.root,
        store,
        findTarget(store, "find", () => undefined),
        undefined,
      ),
    );
    assert.deepEqual(
      likely.map(({ path, why }) => `${path}: ${why}`),
      ["test/route.1.test.js: named after lib/route.js"],
    );
  });

  test("a test of the diff comes first", async () => {
    fixture.write("test/delta.test.js", "test('delta', () => {})\n");
    assert.equal((await listed())[0], "test/delta.test.js: changed");
  });
});

test("a file named after its role has the name of its folder", () => {
  assert.deepEqual(nameParts("src/helper/accepts/index.test.ts"), ["accepts"]);
  assert.deepEqual(nameParts("src/index.ts"), []);
  assert.deepEqual(nameParts("lib/contentTypeParser.js"), ["content", "type", "parser"]);
  assert.deepEqual(nameParts("tests/test_json_tag.py"), ["json", "tag"]);
});
