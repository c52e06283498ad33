import assert from "node:assert/strict";
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { CodeFixture, dumpCode } from "../../../test/support/code.ts";
import { rounds } from "../../../test/support/program/limits.ts";
import { between, seeded } from "../../../test/support/random.ts";
import { RandomProject, WRITERS } from "../../../test/support/random_code.ts";
import { FILE_NAMES_KEY, storedFileNames } from "../answers/file_names.ts";
import { callers } from "../answers/relations.ts";
import { searchCode } from "../answers/search.ts";
import { findTarget } from "../answers/target.ts";

describe("indexProject", () => {
  test("an import may end in a name that every object has", async () => {
    const fixture = new CodeFixture({
      "a.js": 'const { one } = require("./b.constructor");\nconst two = require("./c.toString");\none(two);\n',
      "b.constructor.js": "exports.one = () => 1;\n",
    });
    try {
      await fixture.index();
      const missing = fixture.read((store) => store.unresolved(store.file("a.js")?.no ?? 0).imports);
      assert.deepEqual(missing, ["./c.toString"]);
    } finally {
      fixture.dispose();
    }
  });

  for (const { language, seed } of [
    ...[1, 2].slice(rounds(2, 0)).map((seed) => ({ language: "typescript", seed })),
    ...Object.keys(WRITERS).map((language, i) => ({ language, seed: 10 + i })),
    { language: "mixed", seed: 30 },
  ]) {
    test(`after random changes the store is that of a fresh index (${language}, seed ${seed})`, async () => {
      const random = seeded(seed);
      const project = new RandomProject(random, language);
      const { fixture } = project;
      try {
        await fixture.index();
        for (let round = 0; round < rounds(2, 6); round += 1) {
          const touched: string[] = [];
          for (let edits = between(random, 1, 3); edits > 0; edits -= 1) touched.push(...project.change());
          // Half of the time as a watcher would: with the names of what changed.
          if (random() < 0.5) await fixture.indexPaths(touched);
          else await fixture.index();
          const clean = `clean${round}`;
          await fixture.index(clean);
          assert.deepEqual(fixture.read(dumpCode), fixture.read(dumpCode, clean), `round ${round}`);
          fixture.read((store) => assert.deepEqual(store.totals(), store.countTotals()));
          fixture.read((store) => assert.equal(store.value(FILE_NAMES_KEY), storedFileNames(store.files())));
          const words = (home: string) =>
            fixture.read(
              (store) =>
                searchCode(store, "get store load", {}, 20).found.map(
                  ({ entity, score }) => `${entity.path}#${entity.qualified} ${score.toFixed(6)}`,
                ),
              home,
            );
          assert.deepEqual(words("home").sort(), words(clean).sort());
        }
      } finally {
        fixture.dispose();
      }
    });
  }

  test("the first run leaves the index of edges that later runs and readers use", async () => {
    const fixture = new CodeFixture({ "a.js": "function one() {}\nfunction two() {\n  one();\n}\n" });
    const hasIndex = (): boolean => {
      const database = new DatabaseSync(fixture.project().path, { readOnly: true });
      const row = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'edges_dst'").get();
      database.close();
      return row !== undefined;
    };
    try {
      await fixture.index();
      assert.ok(hasIndex());
      fixture.write("b.js", "function three() {\n  three();\n}\n");
      await fixture.index();
      assert.ok(hasIndex());
    } finally {
      fixture.dispose();
    }
  });

  test("a change inside a function leaves the edges of other files alone, and moves its own lines", async () => {
    const fixture = new CodeFixture({
      "a.ts": "export function one() {}\n",
      "b.ts": 'import { one } from "./a.ts";\nexport function two() { one(); }\n',
    });
    try {
      await fixture.index();
      fixture.write("a.ts", "// moved\nexport function one() { return; }\n");
      const done = await fixture.index();
      assert.deepEqual([done.changed, done.connected], [1, 1]);
      const target = fixture.read((store) => findTarget(store, "one", () => undefined).symbols[0]);
      assert.equal(target?.first_line, 2);
      const found = fixture.read(
        (store) =>
          callers(
            store,
            findTarget(store, "one", () => undefined),
          ).results,
      );
      assert.deepEqual(
        found.map(({ entity, resolution }) => [entity.qualified, resolution]),
        [["two", "import"]],
      );
    } finally {
      fixture.dispose();
    }
  });

  test("a new definition does not take the number of an existing one", async () => {
    const fixture = new CodeFixture({ "a.ts": "export function stays() {}\n" });
    const numbers = (): Map<string, number> =>
      fixture.read((store) => {
        const file = store.file("a.ts");
        return new Map(store.entities(file?.no ?? 0).map(({ qualified, no }) => [qualified, no]));
      });
    try {
      await fixture.index();
      const before = numbers();
      // It comes first, so it is written before the existing one, whose number is free at that moment.
      fixture.write("a.ts", "export function comes() {}\nexport function stays() { comes(); }\n");
      const done = await fixture.index();
      assert.deepEqual([done.changed, done.problems], [1, []]);
      const after = numbers();
      assert.equal(after.get("stays"), before.get("stays"));
      assert.ok((after.get("comes") ?? 0) > Math.max(...before.values()));
      const found = fixture.read(
        (store) =>
          callers(
            store,
            findTarget(store, "comes", () => undefined),
          ).results,
      );
      assert.deepEqual(
        found.map(({ entity }) => entity.qualified),
        ["stays"],
      );
    } finally {
      fixture.dispose();
    }
  });

  test("unreadable files are counted and skipped", async () => {
    const fixture = new CodeFixture(
      {
        "ok.ts": "export const fine = 1;\n",
        "broken.ts": "function ( { ] <<<< class\n",
        "line.js": `var a = "${"x".repeat(900_000)}";`,
        "huge.ts": `// ${"y".repeat(1_100_000)}\n`,
        "made.ts": "// Code generated by a tool. DO NOT EDIT.\nexport const no = 1;\n",
        "node_modules/p/index.js": "module.exports = 1;\n",
        "bin.ts": "a\0b",
        'we ird "name\'s".ts': "export function quoted() {}\n",
        "new\nline.ts": "export function newline() {}\n",
        "-dash.ts": "export function dash() {}\n",
      },
      { git: false },
    );
    try {
      symlinkSync(fixture.root, join(fixture.root, "loop"));
      fixture.write("closed/x.ts", "export const hidden = 1;\n");
      chmodSync(join(fixture.root, "closed"), 0o000);
      const done = await fixture.index();
      assert.deepEqual(done.skipped, { minified: 1, "too large": 1, generated: 1, binary: 1 });
      const names = fixture.read((store) => store.names());
      for (const name of ["fine", "quoted", "newline", "dash"]) assert.ok(names.includes(name), name);
      assert.ok(!names.includes("no"));
      // A superuser reads every folder.
      if (process.getuid?.() !== 0) assert.ok(done.problems.some(({ path }) => path === "closed"));
      assert.equal(
        (await fixture.index()).unchanged,
        fixture.read((store) => store.files().length),
      );
    } finally {
      chmodSync(join(fixture.root, "closed"), 0o700);
      fixture.dispose();
    }
  });

  test("files that git ignores are left out, with odd names too", async () => {
    const fixture = new CodeFixture({
      ".gitignore": "out/\n",
      "out/x.ts": "export const ignored = 1;\n",
      "sp ace/é\nü.ts": "export const odd = 1;\n",
      "-x.ts": "export const dash = 1;\n",
    });
    try {
      await fixture.index();
      assert.deepEqual(
        fixture.read((store) => store.names()),
        ["dash", "odd"],
      );
    } finally {
      fixture.dispose();
    }
  });

  test("ambiguous calls are not callers, and an unknown name does not resolve to a similar one", async () => {
    const fixture = new CodeFixture({
      "a.ts": "export class A { frobnicate() {} }\n",
      "b.ts": "export class B { frobnicate() {} }\nexport class C { onlyHere() {} }\n",
      "use.ts": "export function use(x: unknown) { x.frobnicate(); x.onlyHere(); }\n",
    });
    try {
      await fixture.index();
      fixture.read((store) => {
        const many = callers(
          store,
          findTarget(store, "A.frobnicate", () => undefined),
        );
        assert.deepEqual([many.results.length, many.ambiguous], [0, 1]);
        const one = callers(
          store,
          findTarget(store, "onlyHere", () => undefined),
        );
        assert.deepEqual(
          one.results.map(({ entity, resolution }) => [entity.name, resolution]),
          [["use", "unique-name"]],
        );
        assert.throws(() => findTarget(store, "frobnicat", () => undefined), { code: "no_symbol", hint: /frobnicate/ });
      });
    } finally {
      fixture.dispose();
    }
  });
});
