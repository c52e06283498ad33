/** The impact of a diff: symbols that are gone but still named, users of changed symbols, and the tests to run. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, test } from "node:test";
import { CodeFixture } from "../../../test/support/code.ts";
import { openCode } from "../../code/project.ts";
import { parseDiff } from "./changed_files.ts";
import { type DiffImpact, diffImpact } from "./diff_impact.ts";

const FILES = {
  "src/price.ts":
    "export const RATE = 2;\nexport function price(n: number): number {\n  return n * RATE;\n}\nexport function round(n: number): number {\n  return Math.floor(n);\n}\n",
  "src/bill.ts":
    'import { price, round } from "./price.ts";\nexport function bill(n: number): number {\n  return round(price(n));\n}\n',
  "src/shop.ts": 'import { bill } from "./bill.ts";\nexport function sell(): number {\n  return bill(3);\n}\n',
  "src/other.ts": "export function lone(): void {}\n",
  "test/bill.test.ts":
    'import { test } from "node:test";\nimport { bill } from "../src/bill.ts";\ntest("bills", () => bill(1));\n',
  "test/other.test.ts":
    'import { test } from "node:test";\nimport { lone } from "../src/other.ts";\ntest("lone", () => lone());\n',
};

describe("impact of a diff", () => {
  let fixture: CodeFixture;
  const git = (...args: string[]): void => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
    const { status, stderr } = spawnSync("git", [...identity, ...args], { cwd: fixture.root, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  };
  const ask = async (range?: string): Promise<DiffImpact> => {
    await fixture.index();
    const { store } = openCode(fixture.project());
    try {
      return await diffImpact(fixture.root, store, range);
    } finally {
      store.close();
    }
  };
  beforeEach(() => {
    fixture = new CodeFixture(FILES);
    git("add", "-A");
    git("commit", "-qm", "first");
  });
  afterEach(() => fixture.dispose());

  test("a renamed class breaks those who name it; its methods keep their names", async () => {
    fixture.write("src/shape.ts", "export class Square {\n  area(): number {\n    return 1;\n  }\n}\n");
    fixture.write("src/draw.ts", 'import { Square } from "./shape.ts";\nexport const drawn = new Square().area();\n');
    git("add", "-A");
    git("commit", "-qm", "shapes");
    fixture.write("src/shape.ts", "export class Box {\n  area(): number {\n    return 1;\n  }\n}\n");
    const { breaks } = await ask();
    assert.deepEqual(
      breaks.map(({ symbol, uses }) => `${symbol.name} ${uses.map(({ line }) => line).join()}`),
      ["Square 1,2"],
    );
  });

  test("others cannot use a class within a test", async () => {
    const local =
      'test("draws", () => {\n  class Pen {\n    bill(): number {\n      return 1;\n    }\n  }\n  new Pen().bill();\n});\n';
    fixture.write("test/pen.test.ts", `import { test } from "node:test";\n${local}`);
    git("add", "-A");
    git("commit", "-qm", "pen");
    fixture.write("test/pen.test.ts", 'import { test } from "node:test";\ntest("draws", () => {});\n');
    const { breaks, symbols } = await ask();
    assert.deepEqual([breaks, symbols], [[], []]);
  });

  test("a changed body: its users by distance, and only the tests that reach it", async () => {
    fixture.write("src/price.ts", FILES["src/price.ts"].replace("n * RATE", "n * RATE + 1"));
    const { symbols, reached, tests, breaks } = await ask();
    assert.deepEqual(
      symbols.map(({ qualified, change }) => `${qualified} ${change}`),
      ["price changed"],
    );
    assert.deepEqual(
      reached.map(({ linked, distance }) => `${linked.entity.qualified} ${distance}`),
      ["bill 1", "sell 2"],
    );
    assert.deepEqual(
      tests.map(({ path }) => path),
      ["test/bill.test.ts"],
    );
    assert.deepEqual(breaks, []);
  });

  test("a constant reaches the functions that read it", async () => {
    fixture.write("src/price.ts", FILES["src/price.ts"].replace("RATE = 2", "RATE = 3"));
    const { reached } = await ask();
    assert.deepEqual(
      reached.map(({ linked }) => linked.entity.qualified),
      ["price", "bill", "sell"],
    );
  });

  test("removed and renamed symbols that others still name come first", async () => {
    const renamed = FILES["src/price.ts"].replaceAll("price", "cost").replace(/export function round[^}]*}\n/, "");
    fixture.write("src/price.ts", renamed);
    const { symbols, breaks } = await ask();
    assert.deepEqual(
      symbols.map(({ qualified, change, renamedTo }) => `${qualified} ${change} ${renamedTo ?? ""}`.trim()),
      ["round removed", "price renamed cost"],
    );
    assert.deepEqual(
      breaks.map(({ symbol, uses }) => `${symbol.name} ${uses.map(({ file, line }) => `${file}:${line}`).join(" ")}`),
      ["price src/bill.ts:1 src/bill.ts:3", "round src/bill.ts:1 src/bill.ts:3"],
    );
  });

  test("a commit range, a new file, a deleted file, and a signature", async () => {
    fixture.write("src/bill.ts", FILES["src/bill.ts"].replace("bill(n: number)", "bill(n: number, m = 1)"));
    fixture.remove("src/other.ts");
    git("add", "-A");
    git("commit", "-qm", "second");
    fixture.write("src/fresh.ts", "export const fresh = 1;\n");
    const range = await ask("HEAD~1..HEAD");
    assert.deepEqual(range.symbols.map(({ qualified, change }) => `${qualified} ${change}`).sort(), [
      "bill signature",
      "lone removed",
    ]);
    const working = await ask();
    assert.deepEqual(
      working.symbols.map(({ qualified, change }) => `${qualified} ${change}`),
      ["fresh added"],
    );
    await assert.rejects(ask("no-such-branch..HEAD"), { code: "bad_range" });
    await assert.rejects(ask("--output=x"), { code: "bad_range" });
  });

  test("reads added, deleted and renamed files of a diff", () => {
    const text =
      "diff --git a/x y.ts b/x y.ts\nindex 1..2 100644\n--- a/x y.ts\t\n+++ b/x y.ts\t\n@@ -3 +3,2 @@ f\n---- a\n+++ b\n+c\n" +
      "diff --git a/old.ts b/new.ts\nsimilarity index 90%\nrename from old.ts\nrename to new.ts\n" +
      "diff --git a/gone.ts b/gone.ts\ndeleted file mode 100644\n--- a/gone.ts\n+++ /dev/null\n@@ -1,4 +0,0 @@\n";
    assert.deepEqual(
      parseDiff(text).map(({ path, oldPath, oldLines, newLines, isDeleted }) => [
        path,
        oldPath,
        oldLines.length + newLines.length,
        isDeleted,
      ]),
      [
        ["x y.ts", "x y.ts", 2, false],
        ["new.ts", "old.ts", 0, false],
        ["gone.ts", "gone.ts", 1, true],
      ],
    );
  });
});
