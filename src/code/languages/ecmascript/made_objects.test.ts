import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CallCases, CodeFixture, testCalls } from "../../../../test/support/code.ts";
import { implementations } from "../../answers/implementations.ts";
import { callers, impact } from "../../answers/relations.ts";
import { readCode } from "../../parsing/read_code.ts";

/** Several types have these methods, so that no guess by name can be right. */
const OTHERS = "export class A { get() {} run() {} stop() {} }\nexport class B { get() {} run() {} stop() {} }\n";

const LIBRARY = `${OTHERS}
export function make() {
  const helper = () => 1;
  return { get() { return helper(); }, run: () => 2, users: { stop() {} }, helper };
}
export const short = (name: string) => ({ get: async () => name, run() { return this; } });
export function held() {
  const api = { get() {}, run() { this.get(); return this; } };
  return api;
}
export const frozen = () => Object.freeze({ run() {} });
export const joined = () => Object.assign(() => 1, { run() {} });
export function spread() { return { ...held(), stop() {} }; }
export async function later() { return { get() {} }; }
export class Service { handlers = { run: () => this.go() }; go() {} }
export const once = (() => { return { get() {} }; })();
export const nested = { users: { get() {} } };
export interface Store { get(): void }
export function typed(): Store { return { get() {} }; }
export const either = (x: boolean) => (x ? { get() {} } : { run() {} });
export class Private { #api = { get() {} }; run() { this.#api.get(); } }
export class Feed { async *[Symbol.asyncIterator]() { yield new A(); } *[Symbol.iterator]() { yield new B(); } }
export default () => ({ run() {} });
`;

const CASES: CallCases = {
  "an object that a function returns": [
    "const a = make(); a.get(); a.run(); a.users.stop(); a.helper();",
    ["make", "make.get", "make.helper", "make.run", "make.users.stop"],
  ],
  "parts of it": ["const { get, users: { stop } } = make(); get(); stop();", ["make", "make.get", "make.users.stop"]],
  "the body of an arrow function": [
    "short('a').run().get(); other().run();",
    ["default", "default.run", "short", "short.get", "short.run"],
  ],
  "a variable": ["held().run().get();", ["held", "held.api.get", "held.api.run"]],
  "a call that returns its argument": [
    "frozen().run(); joined().run();",
    ["frozen", "frozen.run", "joined", "joined.run"],
  ],
  "an object that takes over another": ["spread().run(); spread().stop();", ["held.api.run", "spread", "spread.stop"]],
  "a promise": ["(await later()).get(); later().then((x) => x.get());", ["later", "later.get"]],
  "a field": ["new Service().handlers.run();", ["Service", "Service.handlers.run"]],
  "a function that is called in place": ["once.get();", ["once.get"]],
  "a constant inside another": ["nested.users.get();", ["nested.users.get"]],
  "one of two objects": ["either(true).get();", ["either", "either.get"]],
  "a private field": ["new Private().run();", ["Private", "Private.run"]],
  "an object that iterates": ["for (const each of new Feed()) each.run();", ["B.run", "Feed"]],
  "the stated type counts": ["typed().get();", ["Store.get", "typed"]],
  "an object that is passed on is not a definition": ["short({ get() {} } as never);", ["short"]],
};

const NAMES = "either, Feed, frozen, held, joined, later, make, nested, once, Private, Service, short, spread, typed";

describe("objects and classes in place", () => {
  testCalls(CASES, "main.ts", (text) => ({
    "library.ts": LIBRARY,
    "main.ts": `import other, { ${NAMES} } from "./library.ts";\n${text}\n`,
  }));

  testCalls(
    {
      "a class that a variable holds": ["new Held().run(); new Held().get();", ["B.get", "Held", "Held.run"]],
      "a class with two names": ["new Outer().run().get();", ["Outer", "Outer.get", "Outer.run"]],
      "a class that a module exports": ["new Whole().run();", ["default", "default.run"]],
      "a class that a function returns": [
        "class Own extends mixed(Object) { go() { this.run(); } }",
        ["mixed", "mixed.class.run"],
      ],
      "a class that an arrow function returns": [
        "class Own extends short(Object) { go() { this.stop(); } }",
        ["short", "short.class.stop"],
      ],
    },
    "main.ts",
    (text) => ({
      "others.ts": OTHERS,
      "classes.ts":
        'import { B } from "./others.ts";\ntype Base = new (...all: any[]) => object;\n' +
        "export const Held = class extends B { run() {} };\nexport const Outer = class Inner { run() { return new Inner(); } get() {} };\nexport default class { run() {} }\n" +
        "export function mixed(of: Base) { return class extends of { run() {} }; }\n" +
        "export const short = <T extends Base>(of: T) => class extends of { stop() {} };\n",
      "main.ts": `import Whole, { Held, mixed, Outer, short } from "./classes.ts";\n${text}\n`,
    }),
  );

  test("functions of an object implement the members of its type, so callers of those may reach them", async () => {
    const fixture = new CodeFixture({
      "store.ts": "export interface Store { get(): void; users: { stop(): void } }\n",
      "made.ts":
        'import type { Store } from "./store.ts";\n' +
        "export function typed(): Store { return { get() {}, users: { stop: () => {} } }; }\n" +
        "export const held = { get() {}, users: { stop() {} } } satisfies Store;\n" +
        "export const own = () => ({ get() {} });\n",
      "main.ts": 'import type { Store } from "./store.ts";\nexport const use = (s: Store) => s.get();\n',
    });
    try {
      await fixture.index();
      const found = fixture.read((store) => {
        const [get] = store.qualified("Store.get");
        const target = (name: string) => ({ symbols: store.qualified(name) });
        const implementing = implementations(store, { symbols: get ? [get] : [] });
        return {
          implementing: implementing.map(({ entity }) => entity.qualified).sort(),
          callers: ["typed.get", "held.get", "own.get"].map((name) => callers(store, target(name)).results.length),
          around: impact(store, target("typed.get")).results.map(({ entity }) => entity.qualified),
        };
      });
      assert.deepEqual(found, { implementing: ["held.get", "typed.get"], callers: [1, 1, 0], around: ["typed"] });
    } finally {
      fixture.dispose();
    }
  });

  test("objects inside objects, in brackets, and with long names are read once", async () => {
    const long = "a".repeat(20_000);
    for (const text of [
      `export const f = () => (${"{ a: { b() {} }, c: ".repeat(500)}1${" }".repeat(500)});`,
      `export const f = () => ${"(".repeat(2000)}{ a() {}, b() {} }${")".repeat(2000)};`,
      `export const f = () => ${"Object.assign({ a() {} }, ".repeat(500)}{ b() {} }${")".repeat(500)};`,
      `export const f = () => ({ ${long}: { ${"b() {}, ".repeat(20)} } });`,
      `export function f() { const a = { get() {} }; ${Array.from({ length: 300 }, (_, at) => `const a${at + 1} = Object.assign({}, a${at || ""}, a${at || ""});`).join(" ")} return a300; }`,
    ]) {
      const facts = await readCode("javascript", text, "main.js");
      assert.ok(JSON.stringify(facts).length < 60 * text.length + 10_000, text.slice(0, 60));
    }
  });

  const make = "module.exports = function (name) { return { get() { return name; }, run: function () {} }; };";
  const bus =
    "'use strict';\nexports.create = () => { const api = { run() {} }; api.get = () => api.run(); return api; };";
  testCalls(
    {
      "members that are assigned besides those of the object": [
        "library.create().get(); library.create().run();",
        ["create", "create.api.run", "create.get"],
      ],
      "a function that compiled code calls without a receiver": [
        "const made = (0, library.create)(); made.run();",
        ["create", "create.api.run"],
      ],
    },
    "main.js",
    (text) => ({
      "others.js": OTHERS,
      "library.js": bus,
      "main.js": `const library = require('./library.js');\n${text}\n`,
    }),
  );

  testCalls(
    {
      "classes that a module assigns": [
        "new library.Part().run(); new Whole().get();",
        ["Part", "Part.run", "default", "default.get"],
      ],
    },
    "main.js",
    (text) => ({
      "others.js": OTHERS,
      "library.js": "exports.Part = class { run() {} };",
      "whole.js": "module.exports = class { get() {} };",
      "main.js": `const library = require('./library.js');\nconst Whole = require('./whole.js');\n${text}\n`,
    }),
  );

  testCalls(
    { CommonJS: ["const a = make('x'); a.get(); a.run();", ["default", "default.get", "default.run"]] },
    "main.js",
    (text) => ({
      "others.js": OTHERS,
      "library.js": make,
      "main.js": `const make = require('./library.js');\n${text}\n`,
    }),
  );
});
