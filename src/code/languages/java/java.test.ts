import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CodeFixture } from "../../../../test/support/code.ts";

const LIBRARY: Record<string, string> = {
  "lib/Item.java": "package lib;\npublic class Item { public void run() {} }\n",
  "lib/Box.java":
    "package lib;\npublic class Box<T> { public Box(T x) {} public void open() {} protected static class Lid { public void lift() {} } }\n",
  "lib/Base.java":
    "package lib;\npublic class Base { protected Item item; protected Other item() { return null; } protected static class Entry { public void key() {} } }\n",
  "lib/Other.java": "package lib;\npublic class Other { public void run() {} }\n",
  "lib/Rule.java": "package lib;\npublic interface Rule<T> { boolean test(T x); default void log() {} }\n",
  "lib/Mode.java":
    "package lib;\npublic enum Mode { FAST(1), SLOW(2) { int q() { return 1; } }; Mode(int x) {} public int mask() { return 1; } }\n",
};

/** A class, and the definitions of other files that it is known to call. */
const CASES: Record<string, [string, string[]]> = {
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
};

describe("Java", () => {
  for (const [name, [text, calls]] of Object.entries(CASES)) {
    test(name, async () => {
      const fixture = new CodeFixture({ ...LIBRARY, "app/Main.java": `package app;\nimport lib.*;\n${text}\n` });
      try {
        await fixture.index();
        const found = fixture.callsFrom("app/Main.java").map(({ qualified }) => qualified);
        assert.deepEqual([...new Set(found)].sort(), calls.toSorted());
      } finally {
        fixture.dispose();
      }
    });
  }
});
