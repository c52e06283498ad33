import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";
import { readCode } from "../../parsing/read_code.ts";

const TYPES = `export class Item { run() {} static run() {} static make() { return this.run(); } }
export class Other { run() {} stop() {} }
export class Box<T> { value: T; get(): T { return this.value; } list: T[] = []; }
export class Named<A, B> extends Box<B> { name: A; }
export interface Source<T> { next(): T; each(use: (item: T) => void): void }
export interface Items extends Source<Item> {}
export interface Part extends Pick<Item, "run"> {}
export type Same<T> = { [K in keyof T]: T[K] };
export interface Table { sync: (given: { begin(): void; items: Item[] }) => void; first: Item }
export type Choice<T> = T extends string ? Item : never;
export const api: { start: () => void; inner: { stop(): Item } } = undefined as any;
export class Big extends Item { grow() {} }
export function isItem(x: unknown): x is Item { return true; }
export const $isBig = (x: Item): x is Big => true;
export const checks = { isOther(x: unknown): x is Other { return true; } };
export function isOpen(x: Item): boolean { return true; }
export function assertBig(x: Item): asserts x is Big {}
export function invariant(x: unknown): asserts x {}
export type Values<T> = T[keyof T];
export type All<U> = (U extends any ? (k: U) => void : never) extends (k: infer I) => void ? I : never;
export type Held<T> = T extends Promise<infer U> ? U : never;
export type Made<T> = T extends { make: () => infer R } ? R : never;
export type Usual<T = Item> = { of: T };
export type Chained = { [K in keyof Table]: Steps<Chained>[K] } & { end(): void };
export interface Builder { add(): Builder; other(): Item }
export interface Steps<R> { step(): R; first: Item; sync(): void }
export async function load<T>(): Promise<Item> { return new Item(); }
export function first() {}
export function second() {}
`;

/** The parameters of a function with its body, and the definitions that it is known to call. */
const CASES: CallCases = {
  "the type of a parameter": ["o: { done: () => void }) { o.done(); }", ["f.o.done"]],
  "the type of a pattern": [
    "{ done, inner }: { done(): void; inner: { end(): void } }) { done(); inner.end(); }",
    ["f.done", "f.inner.end"],
  ],
  "the type of a constant": [") { api.start(); api.inner.stop().run(); }", ["Item.run", "api.inner.stop", "api.start"]],
  "object types in lists and promises": [
    "all: { end(): void }[], later: Promise<{ close(): void }>) { all[0].end(); later.then((x) => x); }",
    ["f.all.end"],
  ],
  "the result of a function in an object type": [
    "o: { make: () => Item }) { o.make().run(); }",
    ["Item.run", "f.o.make"],
  ],
  "an object type beside another": ["o: Other & { done(): void }) { o.done(); o.stop(); }", ["Other.stop", "f.o.done"]],
  "a parameter of a function in an object type": [
    "o: { each: (use: (item: Item) => void) => void }) { o.each((item) => item.run()); }",
    ["Item.run", "f.o.each"],
  ],
  "a method of a class itself": [") { Item.make(); new Item().run(); }", ["Item", "Item.make", "Item.run"]],
  "a field of a generic class": ["b: Box<Item>) { b.value.run(); b.list[0].run(); }", ["Item.run"]],
  "a method of a generic class": ["b: Box<Item>) { b.get().run(); }", ["Box.get", "Item.run"]],
  "the arguments of a base": ["n: Named<Other, Item>) { n.value.run(); n.name.stop(); }", ["Item.run", "Other.stop"]],
  "a method of a generic interface": [
    "s: Items) { s.next().run(); s.each((x) => x.run()); }",
    ["Item.run", "Source.each", "Source.next"],
  ],
  "a base that is a part of a type": ["p: Part) { p.run(); }", ["Item.run"]],
  "a mapped type": ["o: Same<{ done(): void } & Other>) { o.done(); o.stop(); }", ["Other.stop", "f.o.done"]],
  "any name": [
    "o: { [name: string]: Item }, r: Record<string, Other>) { o.x.run(); r.y.stop(); }",
    ["Item.run", "Other.stop"],
  ],
  "a type of several sides": ["o: Item | Other | undefined) { o.stop(); }", ["Other.stop"]],
  "a type that depends on another": ["o: Choice<string>) { o.run(); }", ["Item.run"]],
  "the type of a member": ['o: Table["first"]) { o.run(); }', ["Item.run"]],
  "the type of a parameter of a member": [
    'o: Parameters<Table["sync"]>[0]) { o.begin(); o.items[0].run(); }',
    ["Item.run", "Table.sync.given.begin"],
  ],
  "the type of a function is not the function": ['run: Table["sync"]) { run(); }', []],
  "a function that checks a type": ["x: unknown) { if (isItem(x)) x.run(); }", ["Item.run", "isItem"]],
  "checks beside others": [
    "x: Item) { if ($isBig(x) && isOpen(x)) { x.grow(); x.run(); } }",
    ["$isBig", "Big.grow", "Item.run", "isOpen"],
  ],
  "a check of another type": [
    "o: { x: unknown }) { if (!checks.isOther(o.x)) return; o.x.stop(); }",
    ["Other.stop", "checks.isOther"],
  ],
  "a function that checks no type": ["x: Item) { if (isOpen(x)) x.run(); }", ["Item.run", "isOpen"]],
  "a call that returns only for a type": ["x: Item) { assertBig(x); x.grow(); }", ["Big.grow", "assertBig"]],
  "a call that returns only if a condition holds": [
    "x: unknown, y: unknown) { invariant(x instanceof Other); invariant(isItem(y)); x.stop(); y.run(); }",
    ["Item.run", "Other.stop", "invariant", "isItem"],
  ],
  "the code before a check": ["x: Item) { x.grow(); assertBig(x); }", ["assertBig"]],
  "a list whose elements are checked": [
    "all: Item[], any: unknown[]) { all.filter($isBig)[0].grow(); any.find(checks.isOther)?.stop(); }",
    ["Big.grow", "Other.stop"],
  ],
  "a list whose elements a function in place checks": [
    "a: unknown[]) { a.filter((x): x is Other => !!x).map((x) => x.stop()); a.filter((x) => isItem(x)).map((x) => x.run()); }",
    ["Item.run", "Other.stop", "isItem"],
  ],
  "a list whose elements have passed a check of no type": ["a: Item[]) { a.filter(isOpen)[0].run(); }", ["Item.run"]],
  "the values of all fields": ["v: Values<{ a: Item; b: Other }>) { v.stop(); }", ["Other.stop"]],
  "a type that a parameter of a function tells": ["v: All<Other>) { v.stop(); }", ["Other.stop"]],
  "a type that a promise tells": ["v: Held<Promise<Item>>) { v.run(); }", ["Item.run"]],
  "a type that the result of a member tells": ["v: Made<{ make: () => Other }>) { v.stop(); }", ["Other.stop"]],
  "the usual argument of a type": [
    "v: Usual, o: Usual<Other>) { v.of.run(); o.of.stop(); }",
    ["Item.run", "Other.stop"],
  ],
  "a type that names itself": ["c: Chained) { c.step().step().end(); }", ["Chained.end", "Steps.step"]],
  "the type of this": [
    "this: Other, x: Item) { this.stop(); [x].forEach(() => this.run()); }",
    ["Other.run", "Other.stop"],
  ],
  "an awaited call with type arguments": [") { const x = await load<Other>(); x.run(); }", ["Item.run", "load"]],
  "a condition that skips an element": [
    "all: unknown[]) { for (const x of all) { if (!isItem(x)) continue; x.run(); } }",
    ["Item.run", "isItem"],
  ],
  "a condition beside others that leaves": [
    "x: unknown, y: unknown, a: boolean) { if (a || !isItem(x)) return; x.run(); if (!checks.isOther(y) || y.stop() || a) return; y.stop(); }",
    ["Item.run", "Other.stop", "checks.isOther", "isItem"],
  ],
  "a long chain": [`b: Builder) { b${".add()".repeat(30)}; }`, ["Builder.add"]],
  "one of two functions": ["a: boolean) { const run = a ? first : second; run(); (first ?? second)(); }", []],
  "the other side of an and": ["a: boolean) { const run = a && first; run(); }", ["first"]],
};

const NAMES =
  "$isBig, api, assertBig, Box, checks, first, invariant, isItem, isOpen, Item, load, Named, Other, second, type All, type Builder, type Chained, type Choice, type Held, type Items, type Made, type Part, type Same, type Table, type Usual, type Values";

describe("TypeScript", () => {
  testCalls(CASES, "main.ts", (rest) => ({
    "types.ts": TYPES,
    "main.ts": `import { ${NAMES} } from "./types.ts";\nexport async function f(${rest}\n`,
  }));
});

/** With a reading of each type for every type around it, or of each choice for every use of it, these take minutes. */
test("TypeScript: types inside types, and choices between choices, are read once", async () => {
  const nested = (open: string, close: string): string => `${open.repeat(3000)}A${close.repeat(3000)}`;
  const names = Array.from({ length: 500 }, (_, at) => `const v${at + 1} = v${at} ?? v${at}.a;`).join("\n");
  for (const text of [
    `function f(o: ${nested("{ a(x: ", "): void }")}) {}`,
    `let x: ${nested("A<{ f(): void } & ", ">")};`,
    `let x: ${nested("A<B | ", ">")};`,
    `type X<T> = ${"T extends A ? { f(): void } : ".repeat(3000)} never;`,
    `function f(v0: A) {\n${names}\nv500(); }`,
    `function f(o: any) { o${".another().method().further()".repeat(5000)}; (${"(".repeat(300)}o${".another().method().further().another().method().further().another())".repeat(300)}); }`,
    `function f(o: { m: { b(): void } }) { ${"o.m.b(); o.other();\n".repeat(10_000)} }`,
  ]) {
    const facts = await readCode("typescript", text, "main.ts");
    assert.ok(JSON.stringify(facts).length < 20 * text.length + 10_000, text.slice(0, 40));
  }
});

/** With a reading of each argument for every call around it, and of each link for every other, these take minutes. */
test("TypeScript: calls inside calls, and functions in chains of calls, are read once", async () => {
  for (const text of [
    `function f(o: A) { o${".map((x) => x.a(o))".repeat(2000)}; }`,
    `function f(o: A) { o.b${"((x) => x.b".repeat(2000)}${")".repeat(2000)}; }`,
    `function f(o: A) { ${"o.a(o, o.b(".repeat(2000)}${").c()).d()".repeat(2000)}; }`,
    `function f(o: A) { o${".make({ a: () => o.a(), b: (x) => x.b({ c: o.c(o) }) })".repeat(1000)}; }`,
  ]) {
    const facts = await readCode("typescript", text, "main.ts");
    assert.ok(JSON.stringify(facts).length < 40 * text.length, text.slice(0, 40));
  }
});
