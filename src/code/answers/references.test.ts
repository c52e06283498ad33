/** References of every kind, implementations, and the map that ranks definitions one by one. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CodeFixture } from "../../../test/support/code.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import { implementations } from "./implementations.ts";
import { codeMap } from "./map.ts";
import { references } from "./references.ts";
import { findTarget } from "./target.ts";

const CASES: Record<string, { files: Record<string, string>; expected: Record<string, string[]> }> = {
  TypeScript: {
    files: {
      "src/shape.ts":
        "export interface Shape {\n  area(): number;\n}\nexport const UNIT = 2;\nexport let count = 0;\nexport type Sides = Shape[];\n" +
        "export class Square implements Shape {\n  constructor(readonly side: number) {}\n  area() {\n    count += 1;\n    return this.side * UNIT;\n  }\n}\n" +
        "export function hidden<Shape>(given: Shape): Shape {\n  return given;\n}\n",
      "src/index.ts": 'export { Square, UNIT as unit } from "./shape.ts";\n',
      "src/use.ts":
        'import { type Shape, Square, hidden } from "./shape.ts";\nimport * as all from "./shape.ts";\nimport { unit } from "./index.ts";\n' +
        "export function sum(shapes: Shape[], UNIT: number): number {\n  const made: Map<string, Shape> = new Map();\n  return shapes.length + UNIT + unit + all.UNIT;\n}\n" +
        "export const makers = { Square, by: hidden };\nexport const one = new Square(1);\n",
    },
    expected: {
      Shape: [
        "import src/use.ts src/use.ts:1",
        "implements Square src/shape.ts:7",
        "type Sides src/shape.ts:6",
        "type sum src/use.ts:4,5",
      ],
      UNIT: [
        "import src/index.ts src/index.ts:1",
        "import src/use.ts src/use.ts:3",
        "read Square.area src/shape.ts:11",
        "read sum src/use.ts:6",
      ],
      count: ["write Square.area src/shape.ts:10"],
      "Square.constructor": ["call one src/use.ts:9"],
      Square: [
        "call one src/use.ts:9",
        "import src/index.ts src/index.ts:1",
        "import src/use.ts src/use.ts:1",
        "read makers src/use.ts:8",
      ],
      hidden: ["import src/use.ts src/use.ts:1", "read makers src/use.ts:8"],
    },
  },
  Python: {
    files: {
      "shop/base.py": "LIMIT = 3\nclass Base:\n    def run(self): ...\nclass Item(Base):\n    pass\n",
      "shop/use.py":
        "from .base import Item, LIMIT\nfrom . import base\n\ndef pack(item: Item, items: list[Item] | None = None, LIMIT=LIMIT) -> Item:\n" +
        "    return call(LIMIT=1, other=base.LIMIT)\n\nTABLE = {'a': Item}\nprint(LIMIT)\n",
    },
    expected: {
      LIMIT: ["import shop/use.py shop/use.py:1", "read pack shop/use.py:5", "read shop/use.py shop/use.py:8"],
      Item: ["import shop/use.py shop/use.py:1", "read TABLE shop/use.py:7", "type pack shop/use.py:4"],
      Base: ["extends Item shop/base.py:4"],
    },
  },
  Go: {
    files: {
      "go.mod": "module example.com/m\n",
      "a.go": "package m\n\nconst (\n\tLow = 1\n\tHigh = 2\n)\n\ntype Store struct{ n int }\n",
      "b.go":
        "package m\n\nfunc fill(s *Store) []Store {\n\tx := High\n\t_ = Other{Low: x}\n\treturn nil\n}\n\ntype Other struct{ Low int }\n",
      "sub/c.go": 'package sub\n\nimport "example.com/m"\n\nfunc use(s m.Store) int { return m.High }\n',
    },
    expected: {
      High: ["read fill b.go:4", "read use sub/c.go:5"],
      Low: [],
      Store: ["type fill b.go:3", "type use sub/c.go:5"],
    },
  },
  Java: {
    files: {
      "p/Shape.java": "package p;\npublic interface Shape { int area(); }\n",
      "p/Box.java":
        "package p;\nimport java.util.List;\npublic class Box implements Shape {\n  private List<Shape> parts;\n  public int area() { return 1; }\n  <T> T first(T Shape) { return Shape; }\n  Class<?> kind() { return Shape.class; }\n}\n",
    },
    expected: {
      Shape: ["implements Box p/Box.java:3", "type Box p/Box.java:4", "type Box.kind p/Box.java:7"],
    },
  },
};

describe("references", () => {
  for (const [language, { files, expected }] of Object.entries(CASES)) {
    test(language, async (t) => {
      const fixture = new CodeFixture(files);
      t.after(() => fixture.dispose());
      await fixture.index();
      fixture.read((store) => {
        for (const [name, wanted] of Object.entries(expected)) {
          const found = references(
            store,
            findTarget(store, name, () => undefined),
          );
          const rows = found.results.map(
            ({ use, entity, lines }) => `${use} ${entity.qualified} ${entity.path}:${lines.join(",")}`,
          );
          assert.deepEqual(rows.sort(), wanted.toSorted(), name);
        }
      });
    });
  }
});

describe("implementations", () => {
  const fixture = new CodeFixture({
    "go.mod": "module example.com/m\n",
    "io.go":
      "package m\n\ntype Reader interface {\n\tRead(p []byte, n int) (int, error)\n}\n\ntype Closer interface {\n\tClose() error\n}\n\ntype Both interface {\n\tReader\n\tCloser\n}\n",
    "file.go":
      "package m\n\ntype File struct{}\n\nfunc (f *File) Read(p []byte, n int) (int, error) { return 0, nil }\n\ntype Wrapped struct {\n\tFile\n}\n\nfunc (w Wrapped) Close() error { return nil }\n\ntype Short struct{}\n\nfunc (s Short) Read(p []byte) int { return 0 }\n",
    "src/base.ts":
      "export interface Job { run(): void }\nexport abstract class Base implements Job { run() {} }\n" +
      "export class First extends Base { run() {} }\nexport class Second extends First {}\n",
  });
  before(() => fixture.index());
  after(() => fixture.dispose());
  const found = (name: string): string[] =>
    fixture.read((store) =>
      implementations(
        store,
        findTarget(store, name, () => undefined),
      ).map(({ entity, distance, resolution }) => `${distance} ${entity.qualified} ${resolution}`),
    );

  test("through several bases, and the methods that override one", () => {
    assert.deepEqual(found("Job"), ["1 Base same-file", "2 First same-file", "3 Second same-file"]);
    assert.deepEqual(found("Job.run"), ["1 Base.run same-file", "2 First.run same-file"]);
    assert.deepEqual(found("Second"), []);
  });

  test("Go: types with all methods of an interface, embedded ones included; other parameters do not count", () => {
    assert.deepEqual(found("Reader").sort(), ["1 Both same-file", "1 File method-set", "1 Wrapped method-set"]);
    assert.deepEqual(found("Both"), ["1 Wrapped method-set"]);
    assert.deepEqual(
      found("Reader.Read").filter((each) => each.includes("File")),
      ["1 File.Read method-set"],
    );
  });
});

describe("map", () => {
  const helpers = Array.from({ length: 30 }, (_, at) => `export const early${at} = ${at};`).join("\n");
  const fixture = new CodeFixture({
    "src/app.ts": `${helpers}\nexport class Application {\n  start() {\n    return this;\n  }\n}\n`,
    ...Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [
        `src/user${at}.ts`,
        `import { Application } from "./app.ts";\nexport const user${at} = () => new Application().start();\n`,
      ]),
    ),
    "kinds.go": `package m\n\nconst (\n${Array.from({ length: 12 }, (_, at) => `\tKind${at} = ${at}`).join("\n")}\n)\n`,
  });
  before(() => fixture.index());
  after(() => fixture.dispose());

  test("the definitions that others use come first, wherever they are in their file", () => {
    fixture.read((store) => {
      const { text, tokens } = codeMap(store, 120, new Map());
      assert.match(text, /class Application/);
      assert.match(text, / {4}\d+: start\(\)/);
      assert.ok(estimateTokens(text) === tokens && tokens <= 120);
    });
  });

  test("no line is repeated, and a larger budget shows everything once", () => {
    fixture.read((store) => {
      const { text } = codeMap(store, 5000, new Map());
      const lines = text.split("\n");
      assert.equal(new Set(lines).size, lines.length);
      for (let at = 0; at < 12; at += 1) assert.equal(text.split(`Kind${at} = ${at}`).length, 2, `Kind${at}`);
    });
  });

  test("a focus puts its own surroundings first", () => {
    fixture.read((store) => {
      const focus = new Map([[store.file("kinds.go")?.no ?? -1, 1]]);
      assert.match(codeMap(store, 60, focus).text, /kinds\.go\n/);
    });
  });
});
