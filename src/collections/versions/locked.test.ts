import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { chooseVersion } from "./choose.ts";
import { lockedVersion } from "./locked.ts";

const made: string[] = [];
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function project(files: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dex-locked-")));
  made.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const of = (files: Record<string, string>, name: string, below = ""): string | undefined => {
  const root = project(files);
  const folders = below === "" ? [root] : [join(root, below), root];
  const found = lockedVersion(folders, name);
  return found && `${found.version} ${found.file}`;
};

test("package-lock.json, old and new, and the nearest one of a workspace", () => {
  const lock = JSON.stringify({
    lockfileVersion: 3,
    packages: {
      "node_modules/zoo": { version: "2.1.0" },
      "apps/one/node_modules/zoo": { version: "1.4.0" },
      "node_modules/@a/zoo": { version: "3.0.0" },
    },
  });
  assert.equal(of({ "package-lock.json": lock }, "zoo"), "2.1.0 package-lock.json");
  assert.equal(
    of({ "package-lock.json": lock, "apps/one/package.json": "{}" }, "zoo", "apps/one"),
    "1.4.0 package-lock.json",
  );
  assert.equal(of({ "package-lock.json": lock }, "@a/zoo"), "3.0.0 package-lock.json");
  const old = JSON.stringify({ dependencies: { zoo: { version: "1.0.2" } } });
  assert.equal(of({ "npm-shrinkwrap.json": old }, "zoo"), "1.0.2 npm-shrinkwrap.json");
});

test("pnpm-lock.yaml: importers, the older form, and packages that are not direct dependencies", () => {
  const lock = `lockfileVersion: '9.0'

overrides:
  zoo: 9.9.9

importers:

  .:
    dependencies:
      zoo:
        specifier: ^2.0.0
        version: 2.1.0(peer@1.0.0)

  apps/one:
    devDependencies:
      '@a/zoo':
        specifier: ^3.0.0
        version: 3.0.1
      zoo:
        specifier: ^1.0.0
        version: 1.4.0

packages:

  deep@1.2.0:
    resolution: {integrity: sha512-x}
  deep@1.10.0:
    resolution: {integrity: sha512-y}
  zoo@5.0.0:
    resolution: {integrity: sha512-z}
`;
  assert.equal(of({ "pnpm-lock.yaml": lock }, "zoo"), "2.1.0 pnpm-lock.yaml");
  assert.equal(of({ "pnpm-lock.yaml": lock, "apps/one/a": "" }, "zoo", "apps/one"), "1.4.0 pnpm-lock.yaml");
  assert.equal(of({ "pnpm-lock.yaml": lock, "apps/one/a": "" }, "@a/zoo", "apps/one"), "3.0.1 pnpm-lock.yaml");
  assert.equal(of({ "pnpm-lock.yaml": lock }, "deep"), "1.10.0 pnpm-lock.yaml");
  const old =
    "lockfileVersion: 5.4\n\ndependencies:\n  zoo: 2.0.3_peer@1\n\npackages:\n\n  /zoo/2.0.3_peer@1:\n    dev: false\n";
  assert.equal(of({ "pnpm-lock.yaml": old }, "zoo"), "2.0.3 pnpm-lock.yaml");
});

test("yarn.lock of both forms: the entry of the project's own range", () => {
  const classic = 'zoo@^1.0.0:\n  version "1.4.0"\n  resolved "x"\n\nzoo@^2.0.0, zoo@^2.1.0:\n  version "2.1.0"\n';
  const manifest = JSON.stringify({ dependencies: { zoo: "^1.0.0" } });
  assert.equal(of({ "yarn.lock": classic, "package.json": manifest }, "zoo"), "1.4.0 yarn.lock");
  assert.equal(of({ "yarn.lock": classic }, "zoo"), "2.1.0 yarn.lock");
  const berry = '__metadata:\n  version: 8\n\n"@a/zoo@npm:^3.0.0":\n  version: 3.0.1\n  resolution: "x"\n';
  assert.equal(of({ "yarn.lock": berry }, "@a/zoo"), "3.0.1 yarn.lock");
});

test("bun.lock, installed packages, and at last the range in package.json", () => {
  const bun = '{\n  "packages": {\n    "zoo": ["zoo@2.1.0", "", {}, "sha512-x"],\n  }\n}\n';
  assert.equal(of({ "bun.lock": bun }, "zoo"), "2.1.0 bun.lock");
  const installed = { "node_modules/zoo/package.json": '{"version":"1.9.0"}' };
  assert.equal(of(installed, "zoo"), "1.9.0 node_modules/zoo/package.json");
  const manifest = JSON.stringify({ dependencies: { zoo: "^2.0.0", odd: "workspace:*" } });
  assert.equal(of({ "package.json": manifest }, "zoo"), "^2.0.0 package.json");
  assert.equal(of({ "package.json": manifest }, "odd"), undefined);
  assert.equal(of({ "package-lock.json": "{broken", "bun.lock": "{", "yarn.lock": "\0" }, "zoo"), undefined);
});

test("a lock file that is a link out of the project is not read", () => {
  const outside = project({
    "package-lock.json": JSON.stringify({ packages: { "node_modules/zoo": { version: "6.6.6" } } }),
  });
  const root = project({});
  symlinkSync(join(outside, "package-lock.json"), join(root, "package-lock.json"));
  assert.equal(lockedVersion([root], "zoo"), undefined);
});

test("the version of the lock file, else the nearest, else the newest is chosen, with the reason", () => {
  const candidates = ["1.4.0", "2.1.0", "3.0.0"].map((version) => ({
    id: version,
    name: `zoo@${version[0]}`,
    version,
  }));
  const choose = (version?: string, file = "yarn.lock"): [string | undefined, string | undefined] => {
    const found = chooseVersion("zoo", candidates, version === undefined ? undefined : { version, file });
    return [found?.choice.collection, found?.choice.reason];
  };
  assert.deepEqual(choose("2.1.0"), ["zoo@2", "yarn.lock has zoo 2.1.0."]);
  assert.deepEqual(choose("2.9.9"), ["zoo@2", "yarn.lock has zoo 2.9.9; this is the nearest version here."]);
  assert.deepEqual(choose("^1.2.0", "package.json"), ["zoo@1", "package.json has zoo ^1.2.0."]);
  assert.deepEqual(choose("7.0.0"), [
    "zoo@3",
    "yarn.lock has zoo 7.0.0, which no collection here documents; this is the nearest version.",
  ]);
  assert.deepEqual(choose(), ["zoo@3", "The project names no version of zoo; this is the newest here."]);
  const young = ["0.3.9", "0.4.0"].map((version) => ({ id: version, name: version, version }));
  assert.equal(chooseVersion("zoo", young, { version: "0.4.9", file: "bun.lock" })?.chosen.name, "0.4.0");
});
