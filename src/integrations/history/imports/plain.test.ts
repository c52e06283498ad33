import assert from "node:assert/strict";
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { rounds } from "../../../../test/support/program/limits.ts";
import { DexError } from "../../../kernel/errors.ts";
import { bufferLines } from "../../../kernel/files/lines.ts";
import { groupPlain, type PlainLine, type PlainProblem, parsePlain, readPlain } from "./plain.ts";

const GOOD = [
  {
    conversation: "a",
    role: "user",
    time: "2026-03-05T09:30:00Z",
    text: "Why is it slow?",
    title: "Slow",
    project: "/home/sam/notes-api",
  },
  { conversation: "b", role: "user", text: "Other talk", source: "web_chat" },
  { conversation: "a", role: "assistant", message: "m1", text: "Let me look." },
  { conversation: "a", role: "assistant", message: "m1", text: "", tool: "sql", input: { query: "explain select 1" } },
  { conversation: "a", role: "tool", tool: "sql", text: "SCAN notes" },
  { conversation: "b", role: "assistant", text: "Yes.", time: "2026-03-05" },
  { conversation: "a", role: "system", text: "Summary", title: "Slow query" },
  { conversation: "a", role: "user", text: "Same id, other source", source: "web_chat" },
];

const lines = (...records: unknown[]): string =>
  records.map((record) => (typeof record === "string" ? record : JSON.stringify(record))).join("\n");
const parse = (text: string): (PlainLine | PlainProblem)[] => [...parsePlain(bufferLines(Buffer.from(text)))];

function onlyProblem(record: unknown): PlainProblem {
  const [found, ...rest] = parse(lines(record));
  assert.equal(rest.length, 0);
  assert.ok(found?.kind === "problem", `accepted: ${JSON.stringify(record)}`);
  return found;
}

describe("the plain form", () => {
  it("gives conversations in order of appearance, though their lines interleave", () => {
    assert.deepEqual(groupPlain(parse(lines(...GOOD))), [
      {
        meta: { id: "a", source: "import", title: "Slow query", project: "/home/sam/notes-api" },
        messages: [
          { role: "user", time: "2026-03-05T09:30:00.000Z", parts: [{ type: "text", text: "Why is it slow?" }] },
          {
            role: "assistant",
            uid: "m1",
            parts: [
              { type: "text", text: "Let me look." },
              { type: "tool_call", name: "sql", input: { query: "explain select 1" } },
            ],
          },
          { role: "tool", parts: [{ type: "tool_result", name: "sql", output: "SCAN notes" }] },
          { role: "system", parts: [{ type: "text", text: "Summary" }] },
        ],
      },
      {
        meta: { id: "b", source: "web_chat" },
        messages: [
          { role: "user", parts: [{ type: "text", text: "Other talk" }] },
          { role: "assistant", time: "2026-03-05T00:00:00.000Z", parts: [{ type: "text", text: "Yes." }] },
        ],
      },
      {
        meta: { id: "a", source: "web_chat" },
        messages: [{ role: "user", parts: [{ type: "text", text: "Same id, other source" }] }],
      },
    ]);
  });

  it("accepts empty lines, carriage returns, a byte order mark, and null for an absent field", () => {
    const text = `\uFEFF${JSON.stringify(GOOD[0])}\r\n\r\n   \n${JSON.stringify({ ...GOOD[1], time: null, input: null })}`;
    const found = parse(text);
    assert.deepEqual(
      found.map(({ kind, line }) => [kind, line]),
      [
        ["line", 1],
        ["line", 4],
      ],
    );
  });

  it("names the line, the field and what is wrong", () => {
    const found = parse(lines(GOOD[0], "", "{ not json", GOOD[1], { conversation: "a", role: "user" }));
    assert.deepEqual(
      found.filter(({ kind }) => kind === "problem"),
      [
        { kind: "problem", line: 3, sentence: "The line is not JSON." },
        { kind: "problem", line: 5, field: "text", sentence: '"text" is missing.' },
      ],
    );
  });

  it("rejects what it does not understand", () => {
    const good = { conversation: "a", role: "user", text: "x" };
    const wrong: [object, string][] = [
      [{ ...good, conversation: undefined }, "conversation"],
      [{ ...good, conversation: "" }, "conversation"],
      [{ ...good, conversation: 7 }, "conversation"],
      [{ ...good, conversation: "a\nb" }, "conversation"],
      [{ ...good, conversation: "a".repeat(201) }, "conversation"],
      [{ ...good, role: "human" }, "role"],
      [{ ...good, role: undefined }, "role"],
      [{ ...good, text: "" }, "text"],
      [{ ...good, text: ["x"] }, "text"],
      [{ ...good, text: null }, "text"],
      [{ ...good, time: "yesterday" }, "time"],
      [{ ...good, time: "2026-13-40T00:00" }, "time"],
      [{ ...good, time: 1_700_000_000 }, "time"],
      [{ ...good, source: "My Tool" }, "source"],
      [{ ...good, source: "" }, "source"],
      [{ ...good, tool: "bash" }, "tool"],
      [{ ...good, role: "assistant", tool: "" }, "tool"],
      [{ ...good, role: "assistant", input: { a: 1 } }, "input"],
      [{ ...good, role: "tool", tool: "bash", input: { a: 1 } }, "input"],
      [{ ...good, message: 4 }, "message"],
      [{ ...good, content: "x" }, "content"],
      [{ ...good, __proto__: null, constructor: "x" }, "constructor"],
    ];
    for (const [record, field] of wrong) {
      const { field: named, sentence } = onlyProblem(record);
      assert.equal(named, field, JSON.stringify(record));
      assert.match(sentence, /\.$/);
    }
    for (const record of ["[]", "7", '"x"', "null"]) assert.equal(onlyProblem(record).field, undefined);
  });

  it("accepts the output of a tool that printed nothing", () => {
    const [talk] = groupPlain(parse(lines({ conversation: "a", role: "tool", text: "" })));
    assert.deepEqual(talk?.messages, [{ role: "tool", parts: [{ type: "tool_result", output: "" }] }]);
  });

  it("survives any damage", () => {
    let seed = 3;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const whole = Buffer.from(lines(...GOOD));
    for (let round = 0; round < rounds(20, 60); round += 1) {
      const bytes = Buffer.from(whole.subarray(0, random(whole.length + 1)));
      for (let flips = random(20); flips > 0 && bytes.length > 0; flips -= 1) bytes[random(bytes.length)] = random(256);
      for (const { messages } of groupPlain(parsePlain(bufferLines(bytes)))) assert.ok(messages.length > 0);
    }
  });
});

describe("a file in the plain form", () => {
  let folder = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "dex-plain-"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("gives its conversations and its problems", () => {
    const path = join(folder, "good.jsonl");
    writeFileSync(path, `${lines(...GOOD)}\nx\n`);
    const { conversations, problems } = readPlain(path);
    assert.equal(conversations.length, 3);
    assert.deepEqual(
      problems.map(({ line }) => line),
      [GOOD.length + 1],
    );
  });

  it("is shown in the documentation as it is read", () => {
    const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guide/sources.md"), "utf8");
    const example = guide.split("```json\n")[1]?.split("```")[0] ?? "";
    const path = join(folder, "example.jsonl");
    writeFileSync(path, example);
    const { conversations, problems } = readPlain(path);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      conversations.map(({ meta, messages }) => [meta.source, messages.map(({ role }) => role)]),
      [["web_chat", ["user", "assistant", "tool", "assistant"]]],
    );
  });

  it("is refused above 500 MB, before it is read", () => {
    const path = join(folder, "huge.jsonl");
    const fd = openSync(path, "w");
    ftruncateSync(fd, 500 * 1024 * 1024 + 1);
    closeSync(fd);
    assert.throws(
      () => readPlain(path),
      (error) => error instanceof DexError && error.code === "import_too_large",
    );
    const line = { text: "{}", offset: 0, end: 600 * 1024 * 1024, terminated: true, oversized: false };
    assert.throws(() => [...parsePlain([line])], DexError);
  });
});
