import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { findInManifests } from "./find.ts";
import { projectNameIn } from "./project_name.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-manifests-"));
after(() => rmSync(folder, { recursive: true }));

const root = join(folder, "tidepool");
mkdirSync(root);
const manifest = {
  name: "tidepool",
  version: "4.2.0",
  license: "ISC",
  main: "lib/pool.js",
  bin: { pool: "bin/pool.js" },
  engines: { node: ">=22" },
  scripts: { "test:watch": "vitest", test: 'vitest run --reporter="dot"', "docs:build": "vitepress build docs" },
  dependencies: { undici: "^7.1.0", "node-cron": "^4.0.0" },
  devDependencies: { vitest: "^3.0.0" },
};
writeFileSync(join(root, "package.json"), JSON.stringify(manifest, null, 2));
writeFileSync(join(root, "pnpm-lock.yaml"), "");
writeFileSync(join(root, "go.mod"), "module example.org/tidepool\n\ngo 1.24.2\n");

const found = (query: string): string[] =>
  findInManifests(root, query, projectNameIn(root, query)).map(({ document, text }) => `${document}: ${text}`);

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

test("versions of dependencies and of the project itself", () => {
  assert.deepEqual(found("which undici version do we use?"), [
    'package.json: The undici version required, as `package.json` states it: `"undici": "^7.1.0"`',
  ]);
  assert.match(found("what version of tidepool is this?").join(), /"version": "4\.2\.0"/);
  assert.deepEqual(found("what version?"), []);
  const [node, ...others] = found("which node version is required?");
  assert.match(node ?? "", />=22/);
  assert.deepEqual(others, []);
});

test("the licence, the dependencies and the entry points", () => {
  assert.match(found("which license does tidepool have?").join(), /"license": "ISC"/);
  const listed = found("what are the dependencies?").join();
  assert.match(listed, /undici/);
  assert.doesNotMatch(listed, /vitest/);
  const entries = found("what is the entry point?").join();
  assert.match(entries, /lib\/pool\.js/);
  assert.match(entries, /bin\/pool\.js/);
});

test("the licence of a project whose manifests state none is that of its licence file", () => {
  const plain = join(folder, "plain");
  mkdirSync(plain);
  const licence = (text: string): string => {
    writeFileSync(join(plain, "LICENSE"), text);
    return findInManifests(plain, "what licence is this project under?")
      .map((passage) => passage.text)
      .join();
  };
  assert.equal(
    licence("MIT License\n\nCopyright (c) 2025 Ada\n"),
    "- License of this project, as `LICENSE` states it: `MIT License`",
  );
  const versioned = licence("\n          GNU GENERAL PUBLIC LICENSE\n            Version 3, 29 June 2007\n");
  assert.match(versioned, /`GNU GENERAL PUBLIC LICENSE`\n.*`Version 3, 29 June 2007`/);
  assert.equal(licence("All rights reserved.\n"), "", "the file names no licence");
});

test("a script for something else with the same verb does not answer", () => {
  const scripted = join(folder, "scripted");
  mkdirSync(scripted);
  const scripts = { "examples:install": "node install.js", "test:unit": "vitest", "ci:test": "vitest run" };
  writeFileSync(join(scripted, "package.json"), JSON.stringify({ name: "scripted", scripts }, null, 2));
  const typed = (query: string): string =>
    findInManifests(scripted, query, ["scripted"])
      .map(({ text }) => text)
      .join();
  assert.equal(typed("how do I install scripted?"), "");
  assert.match(typed("how do I install the examples?"), /examples:install/);
  assert.match(typed("how do I run the tests?"), /test:unit/);
});

test("tasks of mise, targets of a Makefile, recipes of a justfile", () => {
  const tools = join(folder, "tools");
  mkdirSync(tools);
  writeFileSync(
    join(tools, "mise.toml"),
    '[tasks."lint:fix"]\nrun = "golangci-lint run --fix"\n\n[tasks.fmt]\nrun = "gofmt -w ."\n',
  );
  writeFileSync(join(tools, "Makefile"), "CC := gcc\n\nbench: build\n\t@./bench.sh\n");
  writeFileSync(join(tools, "justfile"), "seed count='1':\n  ./seed.sh {{count}}\n");
  const typed = (query: string): string =>
    findInManifests(tools, query)
      .map(({ text }) => text)
      .join();
  assert.equal(typed("how do I run lint with fix?"), "- `mise run lint:fix` runs `golangci-lint run --fix`");
  assert.equal(typed("how do I run the bench?"), "- `make bench` runs `./bench.sh`");
  assert.equal(typed("how do I run seed?"), "- `just seed` runs `./seed.sh {{count}}`");
});

test("a name of several words is that of the project only as a whole", () => {
  const parted = join(folder, "owner__tide-pool");
  mkdirSync(parted);
  assert.deepEqual(projectNameIn(parted, "how do I start tide-pool?"), ["tide", "pool"]);
  assert.deepEqual(projectNameIn(parted, "how high is the tide?"), []);
  writeFileSync(join(parted, "package.json"), JSON.stringify({ name: "@owner/lagoon" }, null, 2));
  assert.deepEqual(projectNameIn(parted, "what does lagoon need?"), ["lagoon"]);
});

test("a question with any other word is about something else", () => {
  for (const query of [
    "which TLS version is required?",
    "which cron version is required?",
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
