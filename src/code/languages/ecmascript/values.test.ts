import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";
import { readCode } from "../../parsing/read_code.ts";

/** Two types with a method of the same name: a guess by name is impossible. */
const LIBRARY = `export class Item { len(): number { return 1; } tags: Tag[] = []; name = ""; }
export class Tag { len(): number { return 2; } }
export async function loadItem() { return new Item(); }
export async function loadTag(): Promise<Tag> { return new Tag(); }
export function service() { return { item: () => new Item(), tag() { return new Tag(); } }; }
export const table = { item: () => new Item(), tag: new Tag() } satisfies object;
export function* tags() { yield new Tag(); }
`;

const TYPED: CallCases = {
  "promises together": [
    "async (l: Item[]) => { const [i, t] = await Promise.all([loadItem(), loadTag()]); i.len(); t.len(); }",
    ["Item.len", "Tag.len", "loadItem", "loadTag"],
  ],
  "what a promise gives, and what is made of it": [
    "() => { loadItem().then((i) => i.tags[0]).then((t) => t.len()); }",
    ["Tag.len", "loadItem"],
  ],
  "what a list is made into": [
    "(l: Item[]) => { l.map((i) => ({ t: i.tags[0] })).filter(Boolean).forEach(({ t }) => t.len()); }",
    ["Tag.len"],
  ],
  "lists of lists": ["(l: Item[]) => { l.flatMap((i) => i.tags).forEach((t) => t.len()); }", ["Tag.len"]],
  "the result of a function with a block": [
    "(l: Item[]) => { l.map((i) => { const t = i.tags; return t[0]; })[0].len(); }",
    ["Tag.len"],
  ],
  "pairs have their places": [
    "(l: Item[]) => { for (const [, t] of l.map((i) => [i, i.tags[0]] as const)) t.len(); }",
    ["Tag.len"],
  ],
  "maps and sets of what they are given": [
    "(l: Item[]) => { new Map(l.map((i) => [i.name, i])).get(``)?.len(); new Set([new Tag()]).forEach((t) => t.len()); }",
    ["Item.len", "Tag", "Tag.len"],
  ],
  "members of objects": [
    "(r: Record<string, Tag>) => { Object.values(r)[0].len(); const o = { i: new Item() }; o.i.len(); }",
    ["Item", "Item.len", "Tag.len"],
  ],
  "functions of an object that is returned": [
    "() => { const { item } = service(); item().len(); service().tag().len(); }",
    ["Item.len", "Tag.len", "service", "service.item", "service.tag"],
  ],
  "an object at the top": ["() => { table.item().len(); table.tag.len(); }", ["Item.len", "Tag.len", "table.item"]],
  "what a generator yields": ["() => { for (const t of tags()) t.len(); }", ["Tag.len", "tags"]],
  "types of instances and of results": [
    "(i: InstanceType<typeof Item>, t: Awaited<ReturnType<typeof loadTag>>) => { i.len(); t.len(); }",
    ["Item.len", "Tag.len"],
  ],
  "the rest of a list and of an object": [
    "([, ...l]: Item[], { ...o }: { t: Tag }) => { l[0].len(); o.t.len(); }",
    ["Item.len", "Tag.len"],
  ],
  "the stated type of a reduced value": [
    "(l: Item[]) => { l.reduce((t: Tag, i) => t, new Tag()).len(); }",
    ["Tag", "Tag.len"],
  ],
  "the value of a context": [
    "() => { const c = createContext<Tag | null>(null); useContext(c)?.len(); const d = React.createContext(new Item()); use(d).len(); }",
    ["Item", "Item.len", "Tag.len"],
  ],
  "which function a list holds is not known": ["(l: Item[]) => { const f = l.map((i) => i.len)[0]; f(); }", []],
};

describe("TypeScript: values in place", () => {
  testCalls(TYPED, "main.ts", (text) => ({
    "library.ts": LIBRARY,
    "main.ts": `import { Item, Tag, loadItem, loadTag, service, table, tags } from "./library";\nexport const f = ${text};\n`,
  }));
});

const PLAIN: CallCases = {
  "a variable that is assigned later": ["let t; function f() { t ??= new Tag(); t.len(); }", ["Tag", "Tag.len"]],
  "a parameter that is assigned": ["function f(t) { t = t || new Tag(); t.len(); }", ["Tag", "Tag.len"]],
  "a list that is filled later": ["function f() { const l = []; l.push(new Tag()); l[0].len(); }", ["Tag", "Tag.len"]],
  "a field that is filled later": [
    "class A { m = new Map(); g() { this.m.set(1, new Tag()); } h() { this.m.get(1).len(); } }",
    ["Tag", "Tag.len"],
  ],
  "the usual value of a part": ["function f({ t = new Tag() } = {}) { t.len(); }", ["Tag", "Tag.len"]],
  "the prototype of another": [
    "function Old() {} Old.prototype = Object.create(Base.prototype); function f() { new Old().make(); }",
    ["Base.make", "Old"],
  ],
  "types in comments": [
    "/** @type {Map<string, Tag>} */ const m = new Map();\n/** @param {{ t: Tag }} o\n * @param {Object} p\n * @param {Item} p.i */ function f(o, p) { m.get(``).len(); o.t.len(); p.i.len(); }",
    ["Item.len", "Tag.len"],
  ],
};

describe("JavaScript: values in place", () => {
  testCalls(PLAIN, "main.js", (text) => ({
    "library.js":
      "class Item { len() {} }\nclass Tag { len() {} }\nfunction Base() {}\nBase.prototype.make = function () {};\nmodule.exports = { Item, Tag, Base };\n",
    "main.js": `const { Item, Tag, Base } = require("./library");\n${text}\n`,
  }));

  test("objects inside objects, lists inside lists, and variables assigned from each other are read once", async () => {
    const names = Array.from({ length: 500 }, (_, at) => `let v${at + 1} = v${at}; v${at} = v${at + 1}.a();`).join(
      "\n",
    );
    for (const text of [
      `const x = ${"{ a: b(), c: ".repeat(2000)}1${" }".repeat(2000)};`,
      `function f() { const x = ${"[b(), ".repeat(2000)}1${"]".repeat(2000)}; }`,
      `function f(v0) {\n${names}\nv500(); }`,
      `function f(o) { o${".then((x) => { return [x.a, x.b]; })".repeat(1000)}; }`,
      `function f() { const l = []; ${"l.push(l); l[0].len();\n".repeat(5000)} }`,
      `/** @type {${"{ a: Map<string, ".repeat(2000)} */ const m = 1;`,
    ]) {
      const facts = await readCode("javascript", text, "main.js");
      assert.ok(JSON.stringify(facts).length < 60 * text.length + 10_000, text.slice(0, 40));
    }
  });
});
