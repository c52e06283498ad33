import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

/** Several classes have these methods, so that no guess by name can be right. */
const LIBRARY = `export class Item { run() {} isTag(): this is Tag { return false; } }
export class Tag extends Item { run() {} stop() {} }
export class Other { run() {} stop() {} log() {} }
export type Constructor<T = object> = new (...args: any[]) => T;
export function Logged<T extends Constructor>(Base: T) { return class extends Base { log() {} }; }
`;

const CASES: CallCases = {
  "a class that a type parameter bounds": [
    "function m<T extends Constructor<Tag>>(Base: T) { return class extends Base { f() { this.stop(); } }; }",
    ["Tag.stop"],
  ],
  "a class whose type is stated": [
    "const m = <T extends typeof Tag>(Base: T) => class Own extends Base { f() { super.stop(); } };",
    ["Tag.stop"],
  ],
  "a function that makes a base": [
    "class A extends Logged(Tag) { f() { this.log(); this.stop(); } }",
    ["Logged", "Logged.class.log", "Tag.stop"],
  ],
  "functions of functions": [
    "const more = <T extends Constructor>(Base: T) => class Own extends Base { go() {} }; class A extends more(Logged(Tag)) { f() { this.go(); this.log(); this.stop(); } }",
    ["Logged", "Logged.class.log", "Tag.stop", "more", "more.Own.go"],
  ],
  "a constant that holds the base": [
    "const Base = Logged(Tag); class A extends Base { f() { this.log(); this.stop(); } }",
    ["Logged", "Logged.class.log", "Tag.stop"],
  ],
  "a method that checks its object": ["function f(x: Item) { if (x.isTag()) x.stop(); }", ["Item.isTag", "Tag.stop"]],
  "checks inside checks": [
    `function f(x: Item) { ${"if (x.isTag()) { x.stop(); ".repeat(60)}${"}".repeat(60)} }`,
    ["Item.isTag", "Tag.stop"],
  ],
};

describe("TypeScript: bases that functions make, and methods that check their object", () => {
  testCalls(CASES, "main.ts", (text) => ({
    "library.ts": LIBRARY,
    "main.ts": `import { Item, Tag, type Constructor, Logged } from "./library";\n${text}\n`,
  }));
});

describe("TypeScript: types that are put together from modules", () => {
  const calls = "export function f(b: Box) { b.attr().each().own().more(); }";
  testCalls({ "members of several modules": [calls, ["Box.more", "Box.own", "attr", "each"]] }, "main.ts", (text) => ({
    "one.ts": 'import type { Box } from "./box";\nexport function attr(this: Box): Box { return this; }\n',
    "two.ts": 'import type { Box } from "./box";\nexport function each(this: Box): Box { return this; }\n',
    "box.ts": `import * as One from "./one";
import type * as Two from "./two";
type Methods = typeof One & typeof Two;
export class Box { own() { return this; } }
export interface Box extends Methods { more(): void; }
`,
    "main.ts": `import type { Box } from "./box";\n${text}\n`,
    "other.ts": "export class Other { attr() {} each() {} own() {} more() {} }\n",
  }));
});
