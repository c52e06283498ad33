import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CodeFixture } from "../../../../test/support/code.ts";

const LIBRARY = `class Item { run() {} }
exports.Item = Item;
exports.first = function () { exports.second(); module.exports.third(); };
exports.second = () => {};
function third() {}
exports.third = third;
exports.makeReader = function () {
  const reader = {};
  reader.read = () => reader.skip();
  reader.skip = function () {};
  return reader;
};
exports.plain = function () {
  const options = { size: 1 };
  return options;
};
`;
const TABLE = `import { Item } from "./item.mjs";
function stop() {}
export default { Item, end: stop };
`;
const MAIN = `const { Item, makeReader, plain } = require("./library");
function f(x, all) {
  const reader = makeReader();
  reader.read();
  plain().read();
  /** @type {Item} */ (x).run();
  all.push(/** @type {Item} */ (x.item).run());
}
`;
const MODULE = `import table from "./table.mjs";
export function g() { new table.Item().run(); table.end(); }
`;

describe("JavaScript", () => {
  const cases: Record<string, [string, string[]]> = {
    "a module calls its own exports, and a function the members of its object": [
      "library.js",
      ["makeReader.skip", "second", "third"],
    ],
    "the object that a function makes, and types in comments": [
      "main.js",
      ["Item.run", "makeReader", "makeReader.read", "plain"],
    ],
    "an object that is the default export": ["module.mjs", ["Item", "Item.run", "stop"]],
  };
  for (const [name, [path, calls]] of Object.entries(cases)) {
    test(name, async () => {
      const fixture = new CodeFixture({
        "library.js": LIBRARY,
        "main.js": MAIN,
        "item.mjs": "export class Item { run() {} }\n",
        "table.mjs": TABLE,
        "module.mjs": MODULE,
      });
      try {
        await fixture.index();
        const found = fixture.callsFrom(path).map(({ qualified }) => qualified);
        assert.deepEqual(found.sort(), calls.toSorted());
      } finally {
        fixture.dispose();
      }
    });
  }
});
