import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutOldVersions } from "./old_documents.ts";

function kept(...paths: string[]): string[] {
  return withoutOldVersions(paths.map((path) => ({ path }))).map(({ path }) => path);
}

test("of several versions of the documents, the current or the highest one stays", () => {
  assert.deepEqual(kept("docs/next/a.md", "docs/v4.42.4/a.md", "docs/v4.42.4/gone.md"), ["docs/next/a.md"]);
  assert.deepEqual(kept("docs/v9/a.md", "docs/v10/a.md"), ["docs/v10/a.md"]);
  assert.deepEqual(kept("docs/1.x/a.md", "docs/2.x/a.md", "README.md"), ["docs/2.x/a.md", "README.md"]);
  assert.deepEqual(kept("docs/a.md", "versioned_docs/version-1.0/a.md"), ["docs/a.md"]);
  assert.deepEqual(kept("docs/a.md", "docs/v1/a.md"), ["docs/a.md"]);
});

test("a folder named like a version stays if nothing newer has its documents", () => {
  const all = ["docs/v2/a.md", "docs/v2/b.md", "docs/v3/other.md", "api/v1/c.md", "2024/a.md", "2025/a.md"];
  assert.deepEqual(kept(...all), all);
});
