import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { findInManifests } from "./manifests.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-manifests-"));
after(() => rmSync(folder, { recursive: true }));

const root = join(folder, "tidepool");
mkdirSync(root);
const manifest = {
  name: "tidepool",
  engines: { node: ">=22" },
  scripts: { "test:watch": "vitest", test: 'vitest run --reporter="dot"', "docs:build": "vitepress build docs" },
};
writeFileSync(join(root, "package.json"), JSON.stringify(manifest, null, 2));
writeFileSync(join(root, "pnpm-lock.yaml"), "");
writeFileSync(join(root, "go.mod"), "module example.org/tidepool\n\ngo 1.24.2\n");

const found = (query: string): string[] =>
  findInManifests(root, query).map(({ document, text }) => `${document}: ${text}`);

test("the version that a project needs", () => {
  assert.deepEqual(found("which Go version is required?"), [
    "go.mod: The Go version required, as `go.mod` states it: `go 1.24.2`",
  ]);
  assert.match(found("what node version does tidepool need?").join(), /"node": ">=22"/);
  const [passage] = findInManifests(root, "minimum Go version");
  assert.deepEqual(passage?.lines, [3, 3]);
});

test("the scripts that a question names, the plainest first, with the package manager of the project", () => {
  assert.deepEqual(found("how do I run the tests?"), [
    'package.json: - `pnpm run test` runs `vitest run --reporter="dot"`\n- `pnpm run test:watch` runs `vitest`',
  ]);
  assert.match(found("how do I build the docs?").join(), /^package\.json: - `pnpm run docs:build` runs/);
});

test("a question with any other word is about something else", () => {
  for (const query of [
    "which TLS version is required?",
    "how do I test a webhook?",
    "which Rust version?",
    "why?",
    "",
  ]) {
    assert.deepEqual(found(query), [], query);
  }
});

test("a manifest that leads out of the project is not read", () => {
  const other = join(folder, "other");
  mkdirSync(other);
  symlinkSync(join(root, "go.mod"), join(other, "go.mod"));
  assert.deepEqual(findInManifests(other, "which Go version is required?"), []);
});
