import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

/** Several classes have these methods, so that no guess by name can be right. */
const LIBRARY = `
class Item { run() {} stop() {} }
class Tag { run() {} stop() {} }
class Box { run() {} stop() {} only() {} }
/** @typedef {Tag} Label */
/**
 * @typedef {Object} Options
 * @property {Box} box
 * @property {Map<string, Item>} [items]
 */
module.exports = { Item, Tag, Box };
`;

const COMMENTS: CallCases = {
  "one of two types": ["/** @param {Item | Tag} x */ function f(x) { x.run(); }", ["Item.run"]],
  "a type or nothing": ["/** @param {?Item|undefined} x */ function f(x) { x.run(); }", ["Item.run"]],
  "only one of two types has the method": ["/** @param {Item|Box} x */ function f(x) { x.only(); }", ["Box.only"]],
  "elements of two types": ["/** @param {Array<Item|null>} x */ function f(x) { x[0].run(); }", ["Item.run"]],
  "a generic class": ["/** @param {Item<any>} x */ function f(x) { x.run(); }", ["Item.run"]],
  "a type of another module": ['/** @param {import("./library").Tag} x */ function f(x) { x.run(); }', ["Tag.run"]],
  "a class that is passed": ["/** @param {typeof Tag} x */ function f(x) { new x().run(); }", ["Tag", "Tag.run"]],
  "a function type": [
    "/** @param {function(Item): void} x @param {Tag} y */ function f(x, y) { y.run(); }",
    ["Tag.run"],
  ],
  "a type that a comment names": [
    '/** @typedef {import("./library").Item} Part */\n/** @param {Part[]} x */ function f(x) { x[0].run(); }',
    ["Item.run"],
  ],
  "an object type that a comment names": [
    "/**\n * @typedef {{ item: Item,\n *  tag: Tag }} Parts */\n/** @param {Parts} x */ function f(x) { x.tag.run(); x.item.stop(); }",
    ["Item.stop", "Tag.run"],
  ],
  "a type that a comment of another module names": [
    '/** @param {import("./library").Options} x @param {import("./library").Label} y */ function f(x, y) { x.box.run(); x.items.get("").stop(); y.run(); }',
    ["Box.run", "Item.stop", "Tag.run"],
  ],
  "parts of a parameter": [
    "/**\n * @param {number} n\n * @param {object} options\n * @param {Item} options.item\n * @param {Tag} [options.tag=null] */ function f(n, { item, tag = null }) { item.run(); tag.stop(); }",
    ["Item.run", "Tag.stop"],
  ],
  "an object type of a parameter that is taken apart": [
    "/** @param {{ box: Box }} given */ function f({ box }) { box.run(); }",
    ["Box.run"],
  ],
  "a module as a type": [
    '/** @param {typeof import("./library")} x */ function f(x) { new x.Tag().run(); }',
    ["Tag", "Tag.run"],
  ],
  "types that a comment imports": [
    '/**\n * @import {\n *  Box as Case,\n *  Label\n * } from "./library"\n * @import * as all from "./library" */\n/** @param {Case[]} x @param {Label} y @param {all.Item} z */ function f(x, y, z) { x[0].run(); y.run(); z.stop(); }',
    ["Box.run", "Item.stop", "Tag.run"],
  ],
  "a comment with nothing but blanks behind the word for an import": [
    `/** @import a${" ".repeat(2_000)}x */\n/** @param {Item} x */ function f(x) { x.run(); }`,
    ["Item.run"],
  ],
};

describe("JavaScript: types in comments", () => {
  testCalls(COMMENTS, "main.js", (text) => ({
    "library.js": LIBRARY,
    "main.js": `const { Item, Tag, Box } = require("./library");\n${text}\n`,
  }));
});

const OTHER = "class A { run() {} stop() {} go() {} }\nclass B { run() {} stop() {} go() {} }\n";
const MODULES: CallCases = {
  "a name for the exports": [
    "var api = module.exports;\napi.run = function () {};\napi.stop = () => api.run();",
    ["api.run", "api.stop"],
  ],
  "another name for the exports": [
    "const api = exports;\napi.run = () => 1;\napi.stop = () => 2;",
    ["api.run", "api.stop"],
  ],
  "an object that is given a name and exported": [
    "var api = (module.exports = { run() {}, stop: function () { this.run(); } });",
    ["api.run", "api.stop"],
  ],
  "an object in the exported object": [
    "module.exports = { run() {}, stop: () => 1, session: { go() {} } };",
    ["exports.session.go", "run", "stop"],
  ],
};

describe("JavaScript: objects that modules export", () => {
  testCalls(MODULES, "main.js", (text) => ({
    "library.js": `${OTHER}${text}\n`,
    "main.js": `const api = require("./library");\napi.run(); api.stop(); ${text.includes("session") ? "api.session.go();" : ""}\n`,
  }));
  const api = "export default { run() {}, session: { go() {} }, stop() { this.session.go(); } };";
  testCalls({ "the default object": [api, ["default.run", "default.session.go"]] }, "main.js", (text) => ({
    "library.js": OTHER + text,
    "main.js": 'import api from "./library.js";\napi.run(); api.session.go();\n',
  }));
  testCalls(
    { "the exports of a CommonJS module, as the default": ["exports.run = () => 1;", ["run"]] },
    "main.mjs",
    (text) => ({ "library.cjs": OTHER + text, "main.mjs": 'import api from "./library.cjs";\napi.run();\n' }),
  );
});
