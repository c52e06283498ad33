/** Detecting changed files, from a few paths or a full scan; and updating the code graph from those paths. */
import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, test } from "node:test";
import { CodeFixture, dumpCode } from "../../test/support/code.ts";
import { rounds } from "../../test/support/program/limits.ts";
import { pick, seeded } from "../../test/support/random.ts";
import { indexPaths, indexProject } from "../code/indexing/indexer.ts";
import { boundedPaths, FileSnapshot } from "./files.ts";
import { Reports } from "./reports.ts";

const fixtures: CodeFixture[] = [];
afterEach(() => {
  for (const fixture of fixtures.splice(0)) fixture.dispose();
});

function make(files: Record<string, string>, git: boolean): CodeFixture {
  const fixture = new CodeFixture(files, { git });
  fixtures.push(fixture);
  return fixture;
}

/** Long ago, so no file counts as just written. */
const LATER = Date.now() + 3_600_000;

for (const git of [true, false]) {
  describe(git ? "with git" : "without git", () => {
    test("added, changed and removed files and folders", () => {
      const fixture = make({ "a.ts": "1", "d/b.ts": "1", "d/e/c.txt": "1", ".gitignore": "out/\n" }, git);
      const files = new FileSnapshot(fixture.project(), (path) => path.startsWith("own/"));
      assert.deepEqual(files.begin(LATER), { changed: [], removed: [] });
      assert.equal(files.count, 4);
      fixture.write("a.ts", "22");
      fixture.write("out/x.ts", "1");
      fixture.write("own/x.ts", "1");
      fixture.write("node_modules/x.js", "1");
      fixture.write("new/er/f.ts", "1");
      renameSync(join(fixture.root, "d"), join(fixture.root, "dd"));
      const told = ["a.ts", "own", "node_modules", "new", "d", "dd", "never-was.tmp"];
      assert.deepEqual(files.scan(LATER, told), {
        changed: ["a.ts", "dd/b.ts", "dd/e/c.txt", "new/er/f.ts"],
        removed: ["d/b.ts", "d/e/c.txt"],
      });
      assert.deepEqual(files.scan(LATER, told), { changed: [], removed: [] });
      rmSync(join(fixture.root, "dd"), { recursive: true });
      fixture.write("a.ts", "333");
      const all = files.scan(LATER);
      assert.deepEqual(all.removed, ["dd/b.ts", "dd/e/c.txt"]);
      assert.deepEqual(
        all.changed.filter((path) => !path.startsWith("out/")),
        ["a.ts"],
      );
    });

    test("a touched file is not reported, a changed one is", async () => {
      const fixture = make({ "a.ts": "export const a = 1;\n", "notes.txt": "one\n", "b.ts": "export {};\n" }, git);
      await fixture.index();
      const files = new FileSnapshot(fixture.project(), () => false);
      files.begin(LATER);
      const touch = (path: string, at: number): void => utimesSync(join(fixture.root, path), at, at);
      for (const at of [1_700_000_000, 1_700_000_100]) {
        for (const path of ["a.ts", "b.ts", "notes.txt"]) touch(path, at);
        assert.deepEqual(files.scan(LATER), { changed: [], removed: [] });
      }
      fixture.write("notes.txt", "two\n");
      fixture.write("a.ts", "export const a = 2;\n");
      touch("b.ts", 1_700_000_200);
      assert.deepEqual(files.scan(LATER, ["a.ts", "b.ts", "notes.txt"]).changed, ["a.ts", "notes.txt"]);
      touch("a.ts", 1_700_000_300);
      assert.deepEqual(files.scan(LATER).changed, []);
      touch("a.ts", 1_700_000_400);
      // The last change is not in the index, so the next start reports it, but not the touched file.
      assert.deepEqual(new FileSnapshot(fixture.project(), () => false).begin(LATER).changed, ["a.ts"]);
    });

    test("a graph updated by paths equals that of a fresh index", async () => {
      const fixture = make({ "src/m0.ts": "export const f0 = () => 0;\n" }, git);
      await fixture.index();
      const files = new FileSnapshot(fixture.project(), () => false);
      files.begin(LATER);
      const random = seeded(11);
      for (let round = 0; round < rounds(4, 12); round += 1) {
        const told = new Set<string>();
        for (let step = 0; step < 4; step += 1) {
          const number = Math.floor(random() * 9);
          const path = `${pick(random, ["src", "src/deep", "lib"])}/m${number}.ts`;
          told.add(path);
          if (random() < 0.3) fixture.remove(path);
          else
            fixture.write(
              path,
              `import { f${number - 1} } from "./m${number - 1}.ts";\nexport function f${number}() { return f${number - 1}() + ${round}; }\n`,
            );
        }
        const { changed, removed } = files.scan(LATER, [...told]);
        await indexPaths(fixture.project(), [...changed, ...removed], { now: LATER });
        await fixture.index(`fresh${round}`);
        assert.deepEqual(fixture.read(dumpCode), fixture.read(dumpCode, `fresh${round}`), `round ${round}`);
      }
    });
  });
}

test("changes since the last watcher are reported at the start", async () => {
  const fixture = make({ "a.ts": "export const a = 1;\n", "b.ts": "export const b = 1;\n", "n.txt": "1" }, true);
  await indexProject(fixture.project(), { now: LATER });
  fixture.write("a.ts", "export const a = 22;\n");
  fixture.write("c.ts", "export const c = 1;\n");
  fixture.remove("b.ts");
  const files = new FileSnapshot(fixture.project(), () => false);
  assert.deepEqual(files.begin(LATER), { changed: ["a.ts", "c.ts"], removed: ["b.ts"] });
});

test("too many paths, or a changed .gitignore, need a full scan", () => {
  assert.deepEqual(boundedPaths(["a", "b/c"]), ["a", "b/c"]);
  assert.equal(boundedPaths(["a", "b/.gitignore"]), undefined);
  assert.equal(boundedPaths(Array.from({ length: 401 }, (_, i) => `f${i}`)), undefined);
  assert.equal(boundedPaths(["x".repeat(70_000)]), undefined);
});

test("reports are found in the usual places and by globs, once each time they are written", () => {
  const fixture = make({}, true);
  const put = (path: string): void => {
    mkdirSync(dirname(join(fixture.root, path)), { recursive: true });
    writeFileSync(join(fixture.root, path), "<testsuite/>");
  };
  for (const path of [
    "junit.xml",
    "build/test-results/t/TEST-a.xml",
    "out/ci/r.json",
    "pom.xml",
    "node_modules/junit.xml",
  ])
    put(path);
  const reports = new Reports(fixture.root, ["out/ci/*.json", "../../etc/*"]);
  assert.deepEqual(reports.folders(), ["build/test-results", "out/ci"]);
  const all = reports.written([...reports.usualPlaces(), "pom.xml", "node_modules"]);
  assert.deepEqual(all.sort(), ["build/test-results/t/TEST-a.xml", "junit.xml", "out/ci/r.json"]);
  assert.deepEqual(reports.written(["junit.xml", "build"]), []);
  utimesSync(join(fixture.root, "junit.xml"), 1, 2);
  assert.deepEqual(reports.written(["junit.xml"]), ["junit.xml"]);
});
