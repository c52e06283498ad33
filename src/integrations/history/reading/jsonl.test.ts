/** Lines with objects one after another, and the mark of their encoding. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/repository.ts";
import { readRecords } from "./jsonl.ts";
import { readWholeJson } from "./whole_json.ts";

function recordsOf(text: string): { values: unknown[]; malformed: number } {
  const path = join(temporaryFolder(), "log.jsonl");
  writeFileSync(path, text);
  let malformed = 0;
  const sink = {
    malformed: () => {
      malformed += 1;
    },
  };
  return { values: Array.from(readRecords(path, { sink }), ({ value }) => value), malformed };
}

test("objects without a newline between them are read, up to the first that is torn", () => {
  const text = '{"a":"}{ \\"}{\\\\"}{"b":{"c":[{}]}}{"d":1}\n';
  const values = [{ a: '}{ "}{\\' }, { b: { c: [{}] } }, { d: 1 }];
  assert.deepEqual(recordsOf(text), { values, malformed: 1 });
  assert.deepEqual(recordsOf('{"a":1}{"b":"torn\n{"c":1}\n'), { values: [{ a: 1 }, { c: 1 }], malformed: 1 });
  assert.deepEqual(recordsOf('{"a":1} and words\n{"a":"torn{"b":1}\n{"c":1}\n'), { values: [{ c: 1 }], malformed: 2 });
});

test("a torn line full of braces takes no longer than it is", () => {
  const torn = `{"a":"${"\\\\frac{a}{b} ".repeat(500_000)}{"b":1}\n`;
  assert.deepEqual(recordsOf(`${torn}{"c":1}\n`), { values: [{ c: 1 }], malformed: 1 });
});

test("a file that begins with a byte order mark is read", () => {
  assert.deepEqual(recordsOf('\uFEFF{"a":1}\n'), { values: [{ a: 1 }], malformed: 0 });
  const path = join(temporaryFolder(), "session.json");
  writeFileSync(path, '\uFEFF{"a":1}');
  assert.deepEqual(readWholeJson(path, { malformed: assert.fail }), { kind: "read", value: { a: 1 } });
});
