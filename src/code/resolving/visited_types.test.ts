import assert from "node:assert/strict";
import { test } from "node:test";
import { CodeFixture } from "../../../test/support/code.ts";

const LENGTH = 1500;
const chain = (link: (at: number) => string): string => Array.from({ length: LENGTH }, (_, at) => link(at)).join("\n");

test("a chain of thousands of bases stops neither its own file nor the others", async () => {
  const fixture = new CodeFixture({
    "a.ts": `class A0 { run() {} }\n${chain((at) => `class A${at + 1} extends A${at} {}`)}\nfunction f(a: A5, z: A${LENGTH}) { a.run(); z.nope(); }\n`,
    "a.php": `<?php class A0 { function run() {} }\n${chain((at) => `class A${at + 1} extends A${at} {}`)}\nfunction f(A5 $a, A${LENGTH} $z) { $a->run(); $z->nope(); }\n`,
    "a.py": `class A0:\n  def run(self): pass\n${chain((at) => `class A${at + 1}(A${at}):\n  pass`)}\ndef f(a: A5, z: A${LENGTH}):\n  a.run()\n  z.nope()\n`,
    "b.ts": "export class Item { go() {} }\nexport function f(x: Item) { x.go(); }\n",
  });
  try {
    await fixture.index();
    for (const path of ["a.ts", "a.php", "a.py"])
      assert.deepEqual(
        fixture.callsFrom(path).map(({ qualified }) => qualified),
        ["A0.run"],
        path,
      );
    assert.deepEqual(
      fixture.callsFrom("b.ts").map(({ qualified }) => qualified),
      ["Item.go"],
    );
  } finally {
    fixture.dispose();
  }
});

test("an interface that one file declares hundreds of times is one type", async () => {
  const declared = Array.from({ length: 300 }, (_, at) => `interface Window { m${at}: Item${at % 2} }`).join("\n");
  const fixture = new CodeFixture({
    "a.ts": `interface Item0 { run(): void }\ninterface Item1 { run(): void }\n${declared}\nfunction f(w: Window) { w.m7.run(); window.m8.run(); w.nope.run(); window.none.run(); }\n`,
  });
  try {
    await fixture.index();
    const called = fixture.callsFrom("a.ts").map(({ qualified }) => qualified);
    assert.deepEqual(called.sort(), ["Item0.run", "Item1.run"]);
  } finally {
    fixture.dispose();
  }
});
