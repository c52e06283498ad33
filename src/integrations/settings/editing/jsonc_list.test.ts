import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "jsonc-parser";
import { JSONC_LIST_EDITOR } from "./jsonc_list.ts";

const { add: addItem, read, remove: removeItem } = JSONC_LIST_EDITOR;

const PATH = ["hooks", "Start"];
const ITEM = { hooks: [{ type: "command", command: "dex hook claude" }] };

/** With the prototypes that literals have. */
const readList = (text: string, path: string[]): unknown[] | undefined => {
  const list = read(text, path);
  return list && JSON.parse(JSON.stringify(list));
};

/** Lists as people and programs write them. */
const TEXTS = [
  '{"hooks":{"Start":[{"a":1}]}}',
  '{ "hooks": { "Start": [] } }\n',
  '{\n  "hooks": {\n    "Start": [\n      { "a": 1 }\n    ]\n  }\n}\n',
  '{\r\n\t"hooks": {\r\n\t\t"Start": [\r\n\t\t\t{\r\n\t\t\t\t"a": 1\r\n\t\t\t}, // first\r\n\t\t\t{ "b": [1, 2] } /* last */\r\n\t\t]\r\n\t}\r\n}',
  '{\n  // before\n  "hooks": { "Start": [ { "a": 1 }, { "b": 2 } ], "Stop": [1] }\n}\n',
];

test("an item is added after the others and removed again, to the byte", () => {
  for (const text of TEXTS) {
    const before = readList(text, PATH) ?? [];
    const added = addItem(text, PATH, ITEM);
    assert.deepEqual(readList(added, PATH), [...before, ITEM], text);
    assert.deepEqual(parse(added).hooks.Stop, parse(text).hooks.Stop);
    assert.equal(removeItem(added, PATH, before.length), text);
  }
});

test("a missing list is created, with its parents", () => {
  for (const text of ["", "{}", '{"model":"x"}', '{\n  "hooks": {}\n}\n', '{ "hooks": { "Stop": [] } } // end\n']) {
    const added = addItem(text, PATH, ITEM);
    assert.deepEqual(readList(added, PATH), [ITEM], text);
  }
});

test("only the item between others is removed, and comments stay", () => {
  const text = '{"hooks":{"Start":[ {"a":1}, /* about b */ {"b":2}, {"c":3} // c\n]}}';
  assert.deepEqual(readList(removeItem(text, PATH, 1), PATH), [{ a: 1 }, { c: 3 }]);
  assert.match(removeItem(text, PATH, 1), /about b[\s\S]*\/\/ c/);
  assert.deepEqual(readList(removeItem(text, PATH, 0), PATH), [{ b: 2 }, { c: 3 }]);
  assert.deepEqual(readList(removeItem(text, PATH, 2), PATH), [{ a: 1 }, { b: 2 }]);
  assert.equal(removeItem(text, PATH, 7), text);
});

test("a value that is not a list is rejected with its line", () => {
  assert.throws(() => addItem('{\n"hooks": {"Start": {}}}', PATH, ITEM), /no list at "hooks\.Start", in line 2/);
  assert.throws(() => addItem('{"hooks": 3}', PATH, ITEM), /"hooks"/);
});
