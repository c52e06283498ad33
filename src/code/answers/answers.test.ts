/** Resolving a typed name, suggesting near names, and ranking the files that a project depends on. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CodeFixture } from "../../../test/support/code.ts";
import { nearNames } from "./near.ts";
import { rankFiles } from "./ranks/project_ranks.ts";
import { callees, callers } from "./relations.ts";
import { findTarget } from "./target.ts";

const fixture = new CodeFixture({
  "src/store.ts": "export class Store {\n  open() {\n    return 1;\n  }\n}\nexport function open() {\n  return 2;\n}\n",
  "src/user.ts": 'import { Store } from "./store.ts";\nexport const user = () => new Store().open();\n',
  "src/report.ts": 'import { Store } from "./store.ts";\nexport const report = () => new Store();\n',
  "lib/user.ts": "export const other = 1;\n",
});
before(() => fixture.index());
after(() => fixture.dispose());

function target(typed: string): string[] {
  return fixture.read((store) =>
    findTarget(store, typed, () => undefined).symbols.map(({ path, qualified }) => `${path}#${qualified}`),
  );
}

test("a symbol, a method in any spelling, a file, a line, a name in a file", () => {
  assert.deepEqual(target("Store"), ["src/store.ts#Store"]);
  assert.deepEqual(target("open").sort(), ["src/store.ts#Store.open", "src/store.ts#open"]);
  for (const typed of ["Store.open", "Store::open", "Store#open", "Store.open()"]) {
    assert.deepEqual(target(typed), ["src/store.ts#Store.open"], typed);
  }
  assert.equal(
    fixture.read((store) => findTarget(store, "store.ts", () => undefined).file?.path),
    "src/store.ts",
  );
  assert.deepEqual(target("src/store.ts:3"), ["src/store.ts#Store.open"]);
  assert.deepEqual(target("src/store.ts:7:2"), ["src/store.ts#open"]);
  assert.deepEqual(target("src/store.ts#open").sort(), ["src/store.ts#Store.open", "src/store.ts#open"]);
});

test("a missing target is refused with the nearest name; an ambiguous file asks for more", () => {
  assert.throws(() => target("Stoer"), { code: "no_symbol", hint: /Similar names: Store/ });
  assert.throws(() => target("src/store.ts#opne"), { code: "no_symbol", hint: /Similar names: open/ });
  assert.throws(() => target("src/store.ts:99"), { code: "no_line" });
  assert.throws(() => target("src/stroe.ts:1"), { code: "no_file", hint: /store\.ts/ });
  assert.throws(() => target("stroe.ts"), { code: "no_file", hint: /store\.ts/ });
  assert.throws(() => target("Store.ts"), { code: "no_symbol" }, "a class of that name has no such member");
  assert.throws(() => target("user.ts"), { code: "ambiguous_file", hint: /lib\/user\.ts, src\/user\.ts/ });
});

test("a class has the members that it inherits, the nearest first", async () => {
  const classes = new CodeFixture({
    "base.py": "class Root:\n    def open(self): pass\n    def close(self): pass\n",
    "middle.py": "from base import Root\n\nclass Middle(Root):\n    def open(self): pass\n",
    "leaf.py": "from middle import Middle\n\nclass Leaf(Middle):\n    pass\n",
  });
  await classes.index();
  try {
    const of = (typed: string): string[] =>
      classes.read((store) => findTarget(store, typed, () => undefined).symbols.map(({ qualified }) => qualified));
    assert.deepEqual(of("Leaf.open"), ["Middle.open"]);
    assert.deepEqual(of("Leaf.close"), ["Root.close"]);
    assert.throws(() => of("Leaf.nothing"), { code: "no_symbol" });
  } finally {
    classes.dispose();
  }
});

test("a symbol that calls another of its name is a caller, and so is a member that constructs its class", async () => {
  const around = new CodeFixture({
    "text.go":
      "package a\n\ntype Text struct{}\n\nfunc (t Text) Len() int { return 1 }\n\ntype Item struct{ text Text }\n\n" +
      "func (i Item) Len() int { return i.text.Len() }\n\nfunc all(i Item) int { return i.Len() }\n",
    "Plan.java":
      "class Plan {\n  private Plan() { reset(); }\n  static Plan of() { return new Plan(); }\n  void reset() {}\n}\n",
  });
  await around.index();
  try {
    around.read((store) => {
      const of = (typed: string, ask: typeof callers): string[] =>
        ask(
          store,
          findTarget(store, typed, () => undefined),
        ).results.map(({ entity }) => entity.qualified);
      assert.deepEqual(of("Len", callers), ["Item.Len", "all"]);
      assert.deepEqual(of("Len", callees), ["Text.Len"]);
      assert.deepEqual(of("Item.Len", callers), ["all"]);
      assert.deepEqual(of("Plan", callers), ["Plan.of"]);
    });
  } finally {
    around.dispose();
  }
});

test("near names: few edits, another case, a part; the nearest first", () => {
  assert.deepEqual(nearNames("opne", ["open", "close", "Open", "reopen"]).slice(0, 2), ["Open", "open"]);
  assert.deepEqual(nearNames("Index", ["indexProject", "other"]), ["indexProject"]);
  assert.deepEqual(nearNames("x", ["a-much-longer-name"]), []);
});

test("ranks sum up to one; what others import stands first; a focus draws its surroundings up", () => {
  fixture.read((store) => {
    const path = new Map(store.files().map(({ no, path: at }) => [no, at]));
    const ranks = new Map(rankFiles(store).best());
    const sum = [...ranks.values()].reduce((total, rank) => total + rank, 0);
    assert.ok(Math.abs(sum - 1) < 1e-6, String(sum));
    const [first] = ranks;
    assert.equal(path.get(first?.[0] ?? 0), "src/store.ts");
    const lone = store.file("lib/user.ts")?.no ?? 0;
    const focused = new Map(rankFiles(store, new Map([[lone, 1]])).best());
    assert.ok((focused.get(lone) ?? 0) > (ranks.get(lone) ?? 0));
  });
});
