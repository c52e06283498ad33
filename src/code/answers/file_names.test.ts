/** Names of files are found by word and stem, from the stored list and, in a database without one, from the files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CodeReader } from "../../store/code.ts";
import { FILE_NAMES_KEY, type FileNames, fileNamesOf, storedFileNames } from "./file_names.ts";

const FILES = [
  { path: "docs/retryQueue.md", language: "document" },
  { path: "package.json", language: "config" },
  { path: "src/constructor.ts", language: "typescript" },
  { path: "src/retry_queue.ts", language: "typescript" },
  { path: "test/retry_queue.test.ts", language: "typescript" },
];

function namesOf(stored: string | undefined): FileNames {
  const store: Partial<CodeReader> = {
    version: () => 1,
    value: (key) => (key === FILE_NAMES_KEY ? stored : undefined),
    files: () => FILES as ReturnType<CodeReader["files"]>,
  };
  return fileNamesOf(store as CodeReader);
}

for (const [what, stored] of [
  ["stored", storedFileNames(FILES)],
  ["missing", undefined],
  ["damaged", '{"paths": 1}'],
] as const) {
  test(`the list is ${what}`, () => {
    const names = namesOf(stored);
    const paths = (found: readonly number[]): (string | undefined)[] => found.map((at) => names.paths[at]);
    assert.ok(!names.paths.includes("package.json"), "configuration is left out");
    assert.deepEqual(paths(names.withWord("retry")), [
      "docs/retryQueue.md",
      "src/retry_queue.ts",
      "test/retry_queue.test.ts",
    ]);
    assert.deepEqual(paths(names.withStem("retry_queue")), ["src/retry_queue.ts"]);
    // Names that every object has.
    assert.deepEqual(paths(names.withWord("constructor")), ["src/constructor.ts"]);
    assert.deepEqual(names.withWord("toString"), []);
    assert.deepEqual(names.withStem("__proto__"), []);
  });
}
