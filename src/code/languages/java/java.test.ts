import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CallCases, CodeFixture, testCalls } from "../../../../test/support/code.ts";

const LIBRARY: Record<string, string> = {
  "lib/Item.java": "package lib;\npublic class Item { public void run() {} }\n",
  "lib/Box.java":
    "package lib;\npublic class Box<T> { public Box(T x) {} public void open() {} protected static class Lid { public void lift() {} } }\n",
  "lib/Base.java":
    "package lib;\npublic class Base { protected Item item; protected Other item() { return null; } protected static class Entry { public void key() {} } }\n",
  "lib/Other.java":
    "package lib;\npublic class Other { public void run() {} public Item item() { return null; } public void run(int times) {} }\n",
  "lib/Pair.java":
    "package lib;\nimport java.util.function.Consumer;\npublic class Pair<A, B> { B second; public A first() { return null; } public void each(Consumer<? super B> c) {} }\n",
  "lib/Point.java": "package lib;\npublic record Point(Item from, Other to) {}\n",
  "lib/Failure.java": "package lib;\npublic class Failure extends RuntimeException { public void print() {} }\n",
  "lib/Rule.java": "package lib;\npublic interface Rule<T> { boolean test(T x); default void log() {} }\n",
  "lib/Mode.java":
    "package lib;\npublic enum Mode { FAST(1), SLOW(2) { int q() { return 1; } }; Mode(int x) {} public int mask() { return 1; } }\n",
};

/** A class, and the definitions of other files that it is known to call. */
const CASES: CallCases = {
  "a generic class": ["class Main { void f() { new Box<>(null); new Box<Item>(null).open(); } }", ["Box", "Box.open"]],
  "a value of an enumeration": [
    "class Main { int f() { return Mode.FAST.mask() | Mode.SLOW.mask(); } }",
    ["Mode.mask"],
  ],
  "a field of a base, not the method of its name": [
    "class Main extends Base { void f() { item.run(); this.item.run(); item().run(); } }",
    ["Base.item", "Item.run", "Other.run"],
  ],
  "a type of a base": [
    "class Main extends Base { Entry first; void f(Entry e) { e.key(); first.key(); } static class Own extends Entry { void g() { key(); } } }",
    ["Base.Entry.key"],
  ],
  "a class around it": [
    "class Main extends Base { class Inner { void f() { Main.this.item().run(); } } }",
    ["Base.item", "Other.run"],
  ],
  "a base of the library": [
    "class Main implements Rule<Item> { Main() { super(); } public boolean test(Item x) { Rule.super.log(); return true; } }",
    ["Rule.log"],
  ],
  "a cast": ["class Main { void f(Object o) { ((Item) o).run(); } }", ["Item.run"]],
  "patterns of types, each from there on": [
    "class Main { void f(Object o) { if (o instanceof Item x) x.run(); else if (o instanceof Other x) x.item(); } }",
    ["Item.run", "Other.item"],
  ],
  "cases of a switch": [
    "class Main { void f(Object o) { switch (o) { case Item x -> x.run(); case Point(Item a, var b) -> a.run(); case Other x -> x.item(); default -> {} } } }",
    ["Item.run", "Other.item"],
  ],
  "the fields of a record": [
    "class Main { void f(Point p) { p.from().run(); p.to().item(); } }",
    ["Item.run", "Other.item"],
  ],
  "an exception that is caught": [
    "class Main { void f() { try { } catch (Failure e) { e.print(); } } }",
    ["Failure.print"],
  ],
  "any number of arguments": ["class Main { void f(Item... all) { all[0].run(); } }", ["Item.run"]],
  "loops over lists and maps": [
    "class Main { void f(List<Item> l, Map<String, Other> m) { for (var x : l) x.run(); for (var e : m.entrySet()) e.getValue().item(); } }",
    ["Item.run", "Other.item"],
  ],
  "the arguments of a generic class": [
    "class Main { void f(Pair<Item, Other> p) { p.first().run(); p.second.item(); p.each(x -> x.item()); } }",
    ["Item.run", "Other.item", "Pair.each", "Pair.first"],
  ],
  "the arguments of a base": [
    "class Main extends Pair<Item, Other> { void f() { first().run(); } }",
    ["Item.run", "Pair.first"],
  ],
  "lambdas and references that a stream is given": [
    "class Main { void f(List<Other> l) { l.stream().filter(x -> x.item() != null).map(Other::item).forEach(y -> y.run()); l.stream().map(x -> x.item()).findFirst().get().run(); } }",
    ["Item.run", "Other.item"],
  ],
  "optional values and functions": [
    "class Main { void f(Optional<Item> o, Supplier<Other> s, Function<Item, Other> g) { o.get().run(); o.ifPresent(x -> x.run()); s.get().item(); g.apply(null).item(); } }",
    ["Item.run", "Other.item"],
  ],
  "values of the library that hold an argument": [
    "class Main { void f() { List.of(new Item()).get(0).run(); Objects.requireNonNull(new Other()).item(); } }",
    ["Item", "Item.run", "Other", "Other.item"],
  ],
  "the overload that a base has": [
    "class Main extends Other { public void run(int a, int b) {} void f(Main m) { m.run(); m.run(1, 2); } }",
    ["Main.run", "Other.run"],
  ],
};

/** Two types with the same types in them, so that no name alone leads to one of them. */
const OUTER: Record<string, string> = Object.fromEntries(
  ["Outer", "Other"].map((name) => [
    `lib/${name}.java`,
    `package lib;
public class ${name} {
  public static int make() { return 1; }
  public @interface Mark {}
  public enum Kind { A; public int rank() { return 1; } }
  public static class Inner { public static int count() { return 1; } public void run() {} public class Deep { public void dig() {} } }
}
`,
  ]),
);

const NESTED: CallCases = {
  "types in an imported type": [
    "import lib.Outer;\nclass Main { void f(Outer.Inner i, Outer.Kind k) { i.run(); k.rank(); new Outer.Inner().run(); Outer.Inner.count(); } }",
    ["Outer.Inner", "Outer.Inner.count", "Outer.Inner.run", "Outer.Kind.rank"],
  ],
  "an imported type in a type": [
    "import lib.Outer.Inner;\nclass Main { void f(Inner i, Inner.Deep d) { i.run(); d.dig(); Inner.count(); } }",
    ["Outer.Inner.Deep.dig", "Outer.Inner.count", "Outer.Inner.run"],
  ],
  "all types in a type": [
    "import lib.Outer.*;\nclass Main { void f(Inner i) { i.run(); Kind.A.rank(); } }",
    ["Outer.Inner.run", "Outer.Kind.rank"],
  ],
  "static imports": [
    "import static lib.Outer.make;\nimport static lib.Outer.Inner.count;\nimport static lib.Outer.Kind;\nclass Main { void f(Kind k) { make(); count(); k.rank(); } }",
    ["Outer.Inner.count", "Outer.Kind.rank", "Outer.make"],
  ],
  "a static import of everything": [
    "import static lib.Outer.*;\nimport static lib.Outer.Inner.*;\nclass Main { void f(Inner i) { make(); count(); i.run(); } }",
    ["Outer.Inner.count", "Outer.Inner.run", "Outer.make"],
  ],
  "a type by its whole name": [
    "class Main extends lib.Outer { void f(lib.Other.Inner i) { i.run(); make(); lib.Other.Inner.count(); other.lib.Outer.make(); } }",
    ["Other.Inner.count", "Other.Inner.run", "Outer.make"],
  ],
  "a type of a base by its whole name": [
    "class Main extends org.shop.Base { void f(Inner i) { i.run(); make(); org.shop.Base.make(); new org.shop.Base.Inner().run(); } }",
    ["Base.Inner", "Base.Inner.run", "Base.make"],
  ],
};
OUTER["org/shop/Base.java"] = (OUTER["lib/Outer.java"] ?? "").replace("lib;", "org.shop;").replace("Outer", "Base");

describe("Java", () => {
  testCalls(CASES, "app/Main.java", (text) => ({
    ...LIBRARY,
    "app/Main.java": `package app;\nimport java.util.*;\nimport java.util.function.*;\nimport lib.*;\n${text}\n`,
  }));
  testCalls(NESTED, "app/Main.java", (text) => ({ ...OUTER, "app/Main.java": `package app;\n${text}\n` }));

  test("an annotation, and a type in a type, are used", async () => {
    const text = "package app;\nimport lib.Outer;\n@Outer.Mark class Main { @Override @Outer.Mark Outer.Kind kind; }\n";
    const fixture = new CodeFixture({ ...OUTER, "app/Main.java": text });
    try {
      await fixture.index();
      const used = fixture.read((store) =>
        store
          .entities(store.file("app/Main.java")?.no ?? -1)
          .flatMap(({ no }) => store.outgoing(no, ["USES_TYPE"]))
          .map(({ entity }) => entity.qualified),
      );
      assert.deepEqual([...new Set(used)].sort(), ["Outer", "Outer.Kind", "Outer.Mark"]);
    } finally {
      fixture.dispose();
    }
  });
});
