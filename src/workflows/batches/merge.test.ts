import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { between, pick, seeded } from "../../../test/support/random.ts";
import type { Json } from "../../kernel/json.ts";
import { mergeItems, normalText } from "./merge.ts";
import { itemsOf, readResults } from "./results.ts";

const folder = mkdtempSync(join(tmpdir(), "dex-results-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function merge(items: Json[], keys: string[] = []): ReturnType<typeof mergeItems> {
  return mergeItems(
    items.map((item, i) => ({ item, from: `f${i}` })),
    keys,
  );
}

test("texts that differ only in form are one item; counts and sources are kept", () => {
  const merged = merge([
    { text: "Use tabs.", refs: ["a#1"], kind: "x" },
    { text: "**use   TABS**", sources: ["b#2", "a#1"], count: 3, note: "later" },
    "use tabs!",
    { text: "Don't use C++" },
    { text: "dont use C" },
  ]);
  assert.deepEqual(merged[0], {
    item: { text: "Use tabs.", kind: "x", note: "later" },
    count: 5,
    sources: ["a#1", "b#2"],
    from: ["f0", "f1", "f2"],
  });
  assert.equal(merged.length, 3);
});

test("a key decides alone, and without it the text does", () => {
  const merged = merge(
    [
      { id: "R1", text: "one" },
      { id: "r1", text: "two" },
      { id: 1, text: "three" },
      { id: "", text: "One" },
      { text: "one" },
    ],
    ["id"],
  );
  assert.deepEqual(
    merged.map(({ item, count }) => [item.text, count]),
    [
      ["one", 2],
      ["One", 2],
      ["three", 1],
    ],
  );
});

test("items without text are the same when their fields are, in any order; a prototype is a field like others", () => {
  const hostile = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}') as Json;
  const merged = merge([{ a: 1, b: 2 }, { b: 2, a: 1 }, hostile]);
  assert.deepEqual(
    merged.map(({ count }) => count),
    [2, 1],
  );
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test("reads every form of results, and rejects other texts", () => {
  const counts: [string, number | undefined][] = [
    ['[{"text":"a"},{"text":"b"}]', 2],
    ['{"items":[{"text":"a"}]}', 1],
    ['{"results":["a","b","c",null]}', 3],
    ['{"text":"a"}\n\n{"text":"b"}\n', 2],
    ['{"items":[{"text":"a"}]}\n{"items":[{"text":"b"}]}', 2],
    ['Here it is:\n```json\n{"items":[{"text":"a"}]}\n```\nDone.', 1],
    ['\uFEFF[{"text":"a"}]', 1],
    ["[]", 0],
    ['{"items":[]}', 0],
    ['{"text":"alone"}', 1],
    ["", undefined],
    ["no JSON here", undefined],
    ["42", undefined],
    ['[{"text":"a"', undefined],
  ];
  for (const [text, count] of counts) assert.equal(itemsOf(text).items?.length, count, text);
});

test("names each broken file of a folder and reads the others", () => {
  const write = (name: string, content: string | Buffer): void => writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, "inner"));
  write("a.json", '[{"text":"one"}]');
  write("inner/b.jsonl", '{"text":"two"}\n{broken\n');
  write("c.json", '{"items": [');
  write("d.json", "");
  write("e.json", Buffer.from([0xff, 0xfe, 0x00, 0x01]));
  write("picture.png", "[1]");
  symlinkSync("/etc", join(folder, "link"));
  const results = readResults([folder, join(folder, "a.json"), join(folder, "missing.json")]);
  assert.equal(results.items.length, 2);
  assert.equal(results.files, 2);
  assert.deepEqual(
    results.problems.map(({ file, problem }) => [file.slice(folder.length + 1), problem]),
    [
      ["missing.json", "does not exist"],
      ["c.json", "holds no JSON results"],
      ["d.json", "is empty"],
      ["e.json", "holds no JSON results"],
      ["inner/b.jsonl", "1 line cannot be parsed as JSON"],
    ],
  );
});

test("random results: nothing is lost, the order of the files does not matter", () => {
  const texts = ["use tabs", "Use Tabs!", "never push", "数据库 迁移", "🙂", "", "c++", "C#"];
  const values: Json[] = [null, 7, true, "use tabs", [], {}, { text: 1 }, { text: { a: [] } }, [["x"]]];
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = seeded(seed);
    const items: Json[] = Array.from({ length: between(random, 0, 40) }, () =>
      random() < 0.3
        ? pick(random, values)
        : { text: pick(random, texts), refs: [`id#${between(random, 0, 5)}`], extra: pick(random, values) },
    );
    const merged = merge(items);
    assert.equal(
      merged.reduce((sum, { count }) => sum + count, 0),
      items.length,
    );
    const counted = (list: typeof merged): string[] =>
      list.map(({ item, count, sources }) => `${count} ${normalText(String(item.text))} ${[...sources].sort()}`).sort();
    assert.deepEqual(counted(merge([...items].reverse())), counted(merged), `seed ${seed}`);
  }
});
