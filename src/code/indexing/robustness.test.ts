import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { CodeFixture } from "../../../test/support/code.ts";
import { TestRepository, temporaryFolder } from "../../../test/support/repository.ts";
import { findCodeProject, openCode } from "../project.ts";
import { indexProject } from "./indexer.ts";
import { readFile } from "./read_file.ts";

const names = (fixture: CodeFixture): string[] => fixture.read((store) => store.names());

/** Twelve rows of six types, each made of all types of the next row. */
function typesOfTypes(): string {
  const six = [0, 1, 2, 3, 4, 5];
  const sides = (row: number): string => six.map((side) => `L${row + 1}${side}`).join(row % 2 === 0 ? " | " : " & ");
  return Array.from({ length: 12 }, (_, row) => six.map((at) => `type L${row}${at} = ${sides(row)};\n`).join("")).join(
    "",
  );
}

/** Each would take longer than any test if the work doubled with each step. */
test("types made of types, and callbacks in callbacks, are read and resolved", async () => {
  const chain = Array.from({ length: 3000 }, (_, at) => `.then((a${at}) => a${at}.run(\n`).join("");
  const fixture = new CodeFixture({
    "sides.ts": `${typesOfTypes()}const many: L00 = (c) => c.run();\n`,
    "self.ts": "type A = (a: A) => A;\ntype B = C | A;\ntype C = B & A;\nconst self: B = (c) => (d) => c(d).run();\n",
    "chain.ts": `const chained = x${chain}${")".repeat(6000)};\n`,
  });
  try {
    const done = await fixture.index();
    assert.equal(done.added, 3);
    for (const name of ["many", "self", "chained"]) assert.ok(names(fixture).includes(name), name);
  } finally {
    fixture.dispose();
  }
});

describe("files that behave badly", () => {
  test("a file that is deleted or replaced while the others are read is absent", async () => {
    const fixture = new CodeFixture({
      "a.ts": "export const first = 1;\n",
      "b.ts": "export const second = 1;\n",
      "c.ts": 'import { first } from "./a.ts";\nexport const third = first;\n',
      "d/e.ts": "export const fourth = 1;\n",
    });
    try {
      const done = await indexProject(fixture.project(), {
        now: Date.now(),
        progress: (count) => {
          if (count !== 0) return;
          fixture.remove("b.ts");
          rmSync(join(fixture.root, "d"), { recursive: true });
          fixture.write("d", "no folder any more\n");
        },
      });
      assert.equal(done?.added, 2);
      assert.deepEqual(names(fixture), ["first", "third"]);
      const again = await fixture.index();
      assert.deepEqual([again.added, again.changed, again.removed], [0, 0, 0]);
    } finally {
      fixture.dispose();
    }
  });

  test("deleted and unreadable files are reported differently", async () => {
    const fixture = new CodeFixture({ "folder.ts/x.md": "a folder with the name of a file\n" });
    try {
      const read = (path: string) => readFile({ root: fixture.root, path, known: undefined });
      assert.deepEqual(await read("gone.ts"), { gone: "" });
      assert.deepEqual(await read("folder.ts/x.md/y.ts"), { gone: "" });
      assert.deepEqual(await read("folder.ts"), { gone: "cannot be read (EISDIR)" });
    } finally {
      fixture.dispose();
    }
  });

  test("an unreadable folder and file are reported, with git and without", async (t) => {
    if (process.getuid?.() === 0) return t.skip("a superuser reads everything");
    for (const git of [true, false]) {
      const fixture = new CodeFixture({ "ok.ts": "export const fine = 1;\n" }, { git });
      try {
        fixture.write("closed/x.ts", "export const hidden = 1;\n");
        fixture.write("secret.ts", "export const secret = 1;\n");
        if (git) execFileSync("git", ["add", "-A"], { cwd: fixture.root });
        chmodSync(join(fixture.root, "closed"), 0o000);
        chmodSync(join(fixture.root, "secret.ts"), 0o000);
        const done = await fixture.index();
        assert.deepEqual(names(fixture), ["fine"]);
        assert.ok(done.problems.some(({ path }) => path.startsWith("closed")));
        assert.deepEqual(done.skipped, { "cannot be read (EACCES)": 1 });
      } finally {
        chmodSync(join(fixture.root, "closed"), 0o700);
        fixture.dispose();
      }
    }
  });

  test("names with quotes, newlines, dashes, stars and backslashes work, for a watcher too", async () => {
    const odd = ["-rf.ts", "--help.ts", "a\nb.ts", 'it\'s "odd".ts', "*.ts", "[a].ts", "back\\slash.ts", "$(x);.ts"];
    for (const git of [true, false]) {
      const fixture = new CodeFixture({}, { git });
      try {
        for (const [i, name] of odd.entries()) fixture.write(name, `export const odd${i} = 1;\n`);
        await fixture.index();
        assert.equal(names(fixture).length, odd.length);
        for (const [i, name] of odd.entries()) fixture.write(name, `export const changed${i} = 1;\n`);
        const done = await fixture.indexPaths(odd.map((name) => join(fixture.root, name)));
        assert.equal(done.changed, odd.length);
        assert.deepEqual(
          names(fixture),
          odd.map((_, i) => `changed${i}`),
        );
        for (const name of odd) fixture.remove(name);
        assert.equal((await fixture.indexPaths(odd)).removed, odd.length);
      } finally {
        fixture.dispose();
      }
    }
  });
});

describe("indexPaths", () => {
  test("reads only the given paths", async () => {
    const fixture = new CodeFixture({
      ".gitignore": "out/\n*.gen.ts\n",
      "a.ts": "export function one() {}\n",
      "b.ts": 'import { one } from "./a.ts";\nexport function two() { one(); }\n',
      "deep/c.ts": "export function three() {}\n",
    });
    try {
      await fixture.index();
      fixture.write("a.ts", "export function uno() {}\n");
      fixture.write("b.ts", "export function dos() {}\n");
      fixture.write("out/x.ts", "export const ignored = 1;\n");
      fixture.write("notes.txt", "nothing to read\n");
      const done = await fixture.indexPaths(["a.ts", "out/x.ts", "notes.txt", "../elsewhere.ts", ".git/index"]);
      assert.deepEqual([done.added, done.changed, done.connected], [0, 1, 2]);
      assert.deepEqual(names(fixture), ["three", "two", "uno"]);
      renameSync(join(fixture.root, "deep"), join(fixture.root, "moved"));
      const moved = await fixture.indexPaths([join(fixture.root, "deep"), join(fixture.root, "moved")]);
      assert.deepEqual([moved.added, moved.removed], [1, 1]);
      assert.ok(fixture.read((store) => store.file("moved/c.ts")));
      // Ignore rules changed: everything is listed again.
      fixture.write(".gitignore", "b.ts\n");
      const ignoring = await fixture.indexPaths([".gitignore"]);
      assert.deepEqual([ignoring.added, ignoring.removed], [1, 1]);
      assert.deepEqual(names(fixture), ["ignored", "three", "uno"]);
    } finally {
      fixture.dispose();
    }
  });

  test("with nothing indexed yet reads everything", async () => {
    const fixture = new CodeFixture({ "a.ts": "export const one = 1;\n", "b.ts": "export const two = 1;\n" });
    try {
      assert.equal((await fixture.indexPaths(["a.ts"])).added, 2);
    } finally {
      fixture.dispose();
    }
  });
});

test("without git .gitignore files are honoured, each for its own folder", async () => {
  const fixture = new CodeFixture(
    {
      ".gitignore": "# made\n/made.ts\nlogs/\n*.tmp.ts\n!keep.tmp.ts\n",
      "made.ts": "export const made = 1;\n",
      "sub/made.ts": "export const subMade = 1;\n",
      "logs/x.ts": "export const logged = 1;\n",
      "x.tmp.ts": "export const temporary = 1;\n",
      "keep.tmp.ts": "export const kept = 1;\n",
      "sub/.gitignore": "own.ts\n",
      "sub/own.ts": "export const own = 1;\n",
      "own.ts": "export const top = 1;\n",
    },
    { git: false },
  );
  try {
    await fixture.index();
    assert.deepEqual(names(fixture), ["kept", "subMade", "top"]);
    fixture.write("sub/own.ts", "export const own = 2;\n");
    fixture.write("logs/y.ts", "export const logged = 2;\n");
    assert.equal((await fixture.indexPaths(["sub/own.ts", "logs/y.ts", "logs"])).added, 0);
    fixture.write("sub/new.ts", "export const fresh = 2;\n");
    assert.equal((await fixture.indexPaths(["sub"])).added, 1);
  } finally {
    fixture.dispose();
  }
});

test("checked-out submodules are indexed with the project, others are reported", async () => {
  const folder = temporaryFolder();
  const library = new TestRepository(join(folder, "library"));
  library.commit("library", { "lib.ts": "export function lent() {}\n", ".gitignore": "no.ts\n" });
  const project = new TestRepository(join(folder, "project"));
  project.commit("first", { "use.ts": 'import { lent } from "./ext/lib.ts";\nexport function use() { lent(); }\n' });
  project.git("submodule", "--quiet", "add", library.root, "ext");
  project.git("submodule", "--quiet", "add", library.root, "away");
  project.commit("submodules");
  project.git("submodule", "--quiet", "deinit", "--force", "away");
  project.write("ext/no.ts", "export const ignored = 1;\n");
  // .gitmodules may name paths outside the project.
  symlinkSync(library.root, join(project.root, "link"));
  const modules = execFileSync("git", ["config", "-f", ".gitmodules", "--list"], {
    cwd: project.root,
    encoding: "utf8",
  });
  assert.match(modules, /submodule\.ext\.path=ext/);
  for (const path of ["../library", "link"]) {
    project.git("config", "-f", ".gitmodules", `submodule.${path}.path`, path);
  }
  const code = findCodeProject(join(folder, "home"), project.root);
  const read = () => {
    const { store } = openCode(code);
    const found = { files: store.files().map(({ path }) => path), calls: store.totals().relations.CALLS };
    store.close();
    return found;
  };
  const done = await indexProject(code, { now: Date.now() });
  assert.deepEqual(read(), { files: ["ext/lib.ts", "use.ts"], calls: 1 });
  assert.deepEqual(done?.problems, [{ path: "away", reason: "is a submodule that is not checked out" }]);

  mkdirSync(join(project.root, "ext/deep"));
  writeFileSync(join(project.root, "ext/deep/more.ts"), "export const more = 1;\n");
  const { indexPaths } = await import("./indexer.ts");
  const again = await indexPaths(code, ["ext/deep", "ext/no.ts"], { now: Date.now() });
  assert.deepEqual([again?.added, again?.removed], [1, 0]);
  assert.deepEqual(read().files, ["ext/deep/more.ts", "ext/lib.ts", "use.ts"]);
  assert.equal(findCodeProject(join(folder, "home"), join(project.root, "ext")).root, join(project.root, "ext"));
});
