import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CallCases, CodeFixture, testCalls } from "../../../../test/support/code.ts";

const LIBRARY = `export class Item { run() { return new Part(); } }
export class Part { go() {} }
export class Big<T> extends Array<T> {}
export function same<T>(x: T): T { return x; }
export function map<T, R>(items: readonly T[], use: (item: T) => R): R[] { return items.map(use); }
export function make<T>(type: { new (): T }): T { return new type(); }
export type Type<T> = new (...given: any[]) => T;
export interface Maker<T> { new (): T }
export function get<T>(type: Type<T> | string): T { return undefined as any; }
export function made<T>(type: Maker<T>): T { return new type(); }
export class Box<T> {
  constructor(readonly value: T) {}
  get(): T { return this.value; }
  map<U>(use: (x: T) => U): Box<U> { return new Box(use(this.value)); }
}
export class Items extends Box<Item> {}
export function open<T>(box: Box<T>): T { return box.get(); }
export function use<T>(options: { state: () => T; act(state: T): void }): T { return options.state(); }
export function find<T>(key: string): T { return undefined as any; }
export async function later<T>(x: Promise<T>): Promise<T> { return x; }
export function bounded<T extends Item>(x?: T): T { return x as T; }
export function pick<A, B>(a: A, b: B): B { return b; }
export const wrap = <T>(x: T) => ({ inner: x });
export function pass<F>(fn: F): F { return fn; }
export interface Tools { first<T>(all: T[]): T; <T>(x: T): Box<T> }
`;

/** The parameters of a function with its body, and the definitions that it is known to call. */
const CASES: CallCases = {
  "the argument itself": [") { same(new Item()).run(); }", ["Item", "Item.run", "same"]],
  "the second of two": ["i: Item) { pick(1, i).run(); }", ["Item.run", "pick"]],
  "elements of a list": ["all: Item[]) { map(all, (item) => item.run()); }", ["Item.run", "map"]],
  "the result of a function": [
    "all: Item[]) { for (const part of map(all, (item) => item.run())) part.go(); }",
    ["Item.run", "Part.go", "map"],
  ],
  "a class": [") { make(Item).run(); get(Item).run(); made(Item).run(); }", ["Item.run", "get", "made", "make"]],
  "a new instance": [") { new Box(new Item()).get().run(); }", ["Box", "Box.get", "Item", "Item.run"]],
  "a method with a parameter of its own": [
    "box: Box<Item>) { box.map((x) => x.run()).map((x) => x.go()); }",
    ["Box.map", "Item.run", "Part.go"],
  ],
  "the argument of a base": ["items: Items) { open(items).run(); }", ["Item.run", "open"]],
  "members of an object": [
    ") { use({ state: () => new Item(), act(state) { state.run(); } }).run(); }",
    ["Item", "Item.run", "use"],
  ],
  "what the call states": [") { find<Item>('x').run(); }", ["Item.run", "find"]],
  "a promise": ["p: Promise<Item>) { (await later(p)).run(); }", ["Item.run", "later"]],
  "a bound, if nothing else tells": [") { bounded().run(); }", ["Item.run", "bounded"]],
  "nothing tells": [") { find('x').run(); }", ["find"]],
  "methods and calls of an interface": [
    "tools: Tools, all: Item[]) { tools.first(all).run(); tools(all[0]).get().run(); }",
    ["Box.get", "Item.run", "Tools.first"],
  ],
  "a function that is passed on is not called": [") { pass(same)(1); const again = pass(open); again(1); }", ["pass"]],
};

const NAMES =
  "bounded, Box, find, get, Item, Items, later, made, make, map, open, pass, pick, same, use, wrap, type Tools";

describe("type parameters that the arguments of a call tell", () => {
  testCalls(CASES, "main.ts", (rest) => ({
    "library.ts": LIBRARY,
    "main.ts": `import { ${NAMES} } from "./library.ts";\nexport async function f(${rest}\n`,
  }));
});

/** With all arguments of each call read for every call around it, this takes hours. */
test("calls of calls of calls end", async () => {
  const values = Array.from({ length: 60 }, (_, at) => `export const v${at + 1} = pair(v${at}, v${at});`);
  const fixture = new CodeFixture({
    "main.ts": `class Item { run() {} }
export function pair<A, B>(a: A, b: B): { a: A; b: B } { return { a, b }; }
const v0 = new Item();
${values.join("\n")}
export function f() { v60.a.b.run(); v1.a.run(); }
`,
  });
  try {
    await fixture.index();
    const found = fixture.callsFrom("main.ts").map(({ qualified }) => qualified);
    assert.deepEqual([...new Set(found)].sort(), ["Item", "Item.run", "pair"]);
  } finally {
    fixture.dispose();
  }
});
