import assert from "node:assert/strict";
import { test } from "node:test";
import { CodeFixture } from "../../../../test/support/code.ts";

const FILES = {
  "package.json": '{ "name": "kit" }',
  "src/index.ts": 'export * from "./types.ts";\n',
  "src/types.ts": `export interface Commands<R = any> {}
export class Store { open() {} }
type Values<T> = T[keyof T];
export type All = { [K in keyof Values<Commands>]: Values<Commands<boolean>>[K] };
`,
  "src/a.ts": `import type { Commands } from "./types.ts";
declare module "kit" { interface Commands<R> { a: { moveA(): R }; runA(): R } }
`,
  "src/b.ts": `declare module "./types.ts" { interface Store { close(): void } interface Commands<R> { b: { moveB(): R } } }
declare module "elsewhere" { interface Commands<R> { other(): R } }
`,
  "src/main.ts": `import type { All, Commands, Store } from "kit";
export function f(c: Commands<Store>, all: All, store: Store) {
  c.runA().open();
  all.moveA();
  all.moveB();
  store.close();
  c.other();
}
`,
};

test("TypeScript: interfaces have the members that other files add to them by the name of their module", async () => {
  const fixture = new CodeFixture(FILES);
  try {
    await fixture.index();
    const found = (): string[] => fixture.callsFrom("src/main.ts").map(({ qualified }) => qualified);
    const called = ['"./types.ts".Commands.b.moveB', '"./types.ts".Store.close', '"kit".Commands.a.moveA'];
    assert.deepEqual(found().sort(), [...called, '"kit".Commands.runA', "Store.open"].sort());
    fixture.remove("src/a.ts");
    await fixture.index();
    assert.deepEqual(found().sort(), called.slice(0, 2).sort());
    fixture.write("src/a.ts", FILES["src/a.ts"]);
    await fixture.index();
    assert.equal(found().length, 5);
  } finally {
    fixture.dispose();
  }
});

/** With a reading of all fields for each field, this would not end. */
test("TypeScript: a type whose fields have any of its fields ends", async () => {
  const fields = Array.from({ length: 150 }, (_, at) => `f${at}: Table[keyof Table];`).join(" ");
  const fixture = new CodeFixture({
    "main.ts": `export interface Table { ${fields} run(): void }\nexport function f(t: Table) { t.f1.f2.f3.run(); t.f1.run(); }\n`,
  });
  try {
    await fixture.index();
    assert.deepEqual(fixture.callsFrom("main.ts"), []);
  } finally {
    fixture.dispose();
  }
});
