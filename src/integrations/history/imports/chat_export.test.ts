import assert from "node:assert/strict";
import { test } from "node:test";
import { rounds } from "../../../../test/support/program/limits.ts";
import { between, seeded } from "../../../../test/support/random.ts";
import { looksLikeChatExport, readChatExport } from "./chat_export.ts";

const node = (id: string, parent: string | null, message: object | null, children: string[] = []): object => ({
  id,
  parent,
  children,
  message,
});
const said = (id: string, role: string, content: object, more: object = {}): object => ({
  id,
  author: { role },
  create_time: 1_767_261_600.5,
  content,
  recipient: "all",
  metadata: {},
  ...more,
});

const CHATGPT = [
  {
    conversation_id: "gpt-1",
    title: "Tide tables",
    create_time: 1_767_261_600,
    update_time: 1_767_261_660,
    current_node: "d",
    mapping: {
      root: node("root", null, null, ["sys"]),
      sys: node("sys", "root", said("sys", "system", { content_type: "text", parts: [""] }), ["a"]),
      a: node("a", "sys", said("a", "user", { content_type: "text", parts: ["draw the table"] }), ["old", "b"]),
      old: node("old", "a", said("old", "assistant", { content_type: "text", parts: ["a regenerated answer"] })),
      b: node(
        "b",
        "a",
        said(
          "b",
          "assistant",
          { content_type: "code", language: "python", text: "draw()" },
          { recipient: "python", metadata: { model_slug: "gpt-9" } },
        ),
        ["c"],
      ),
      c: node(
        "c",
        "b",
        said(
          "c",
          "tool",
          { content_type: "execution_output", text: "42" },
          { author: { role: "tool", name: "python" } },
        ),
        ["d"],
      ),
      d: node(
        "d",
        "c",
        said("d", "assistant", { content_type: "text", parts: ["Drawn.", { content_type: "image_asset_pointer" }] }),
      ),
    },
  },
];

const CLAUDE = [
  {
    uuid: "claude-1",
    name: "Harbour map",
    created_at: "2026-01-01T10:00:00Z",
    chat_messages: [
      {
        uuid: "m1",
        sender: "human",
        text: "map it",
        created_at: "2026-01-01T10:00:00Z",
        attachments: [{ file_name: "old.pdf" }],
      },
      {
        uuid: "m2",
        sender: "assistant",
        text: "flattened",
        content: [
          { type: "thinking", thinking: "which harbour" },
          { type: "text", text: "Mapped." },
          { type: "tool_use", id: "t1", name: "search", input: { q: "harbour" } },
          { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "found" }] },
        ],
      },
    ],
  },
  { uuid: "empty", name: "", chat_messages: [] },
  { neither: true },
];

test("ChatGPT: the shown branch, calls and results of tools, and no system text", () => {
  const { conversations, problems } = readChatExport(JSON.stringify(CHATGPT));
  assert.deepEqual(problems, []);
  const [conversation] = conversations;
  assert.deepEqual(conversation?.meta, {
    id: "gpt-1",
    source: "chatgpt",
    title: "Tide tables",
    created: "2026-01-01T10:00:00.000Z",
    updated: "2026-01-01T10:01:00.000Z",
    model: "gpt-9",
  });
  assert.deepEqual(
    conversation?.messages.map(({ role, parts }) => [role, parts]),
    [
      ["user", [{ type: "text", text: "draw the table" }]],
      ["assistant", [{ type: "tool_call", name: "python", input: { text: "draw()" } }]],
      ["tool", [{ type: "tool_result", name: "python", output: "42" }]],
      [
        "assistant",
        [
          { type: "text", text: "Drawn." },
          { type: "text", text: "[image]" },
        ],
      ],
    ],
  );
});

test("Claude.ai: blocks win over the flattened text; names of files; other objects are refused", () => {
  const { conversations, problems } = readChatExport(JSON.stringify(CLAUDE));
  assert.deepEqual(
    problems.map(({ line }) => line),
    [3],
  );
  assert.equal(conversations.length, 1);
  assert.deepEqual(
    conversations[0]?.messages.map(({ role, parts }) => [role, parts.map((part) => part.type)]),
    [
      ["user", ["text", "text"]],
      ["assistant", ["thinking", "text", "tool_call"]],
      ["tool", ["tool_result"]],
    ],
  );
});

test("damaged exports give what they have, and never throw", () => {
  const random = seeded(7);
  const text = JSON.stringify([...CHATGPT, ...CLAUDE]);
  assert.ok(looksLikeChatExport(Buffer.from(` \n${text}`)));
  assert.ok(!looksLikeChatExport(Buffer.from('{"conversation":"c"}')));
  for (let round = 0; round < rounds(80, 300); round += 1) {
    const at = between(random, 0, text.length - 1);
    const replaced =
      text.slice(0, at) + ["null", "[]", '"x"', "{", "1e999"][between(random, 0, 4)] + text.slice(at + 1);
    readChatExport(random() < 0.3 ? text.slice(0, at) : replaced);
  }
});
