import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, it } from "node:test";
import { json, putDatabase } from "../../../../../test/support/sources/forms.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import { astrbotHistory } from "./source.ts";

const DATABASE = ".astrbot/data/data_v4.db";
const USER = "webchat:FriendMessage:webchat!ada!session-1";
const CALL = {
  type: "function",
  id: "c1",
  function: { name: "astrbot_execute_shell", arguments: '{"command":"make"}' },
};

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "dex-astrbot-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function read(vars: Record<string, string> = {}, roots: string[] = []): CollectingSink {
  const sink = new CollectingSink();
  readAll(astrbotHistory, testEnv(home, vars, roots), sink);
  assert.deepEqual(sink.malformedLines, []);
  return sink;
}

const conversation = (conversation_id: string, content: unknown, more: object = {}): Record<string, unknown> => ({
  conversation_id,
  platform_id: "webchat",
  user_id: USER,
  content: json(content),
  title: null,
  persona_id: null,
  token_usage: 900,
  created_at: "2026-03-02 09:15:00.000000",
  updated_at: "2026-03-02 09:20:00.123456",
  ...more,
});
const turn = (id: string): object => ({ role: "_checkpoint", content: { id } });
const shown = (id: number, type: string, checkpoint: string | null, minute: number): Record<string, unknown> => ({
  id,
  platform_id: "webchat",
  user_id: "session-1",
  sender_id: type === "bot" ? "bot" : "ada",
  content: json({ type, message: [{ type: "plain", text: "as it was shown" }] }),
  llm_checkpoint_id: checkpoint,
  created_at: `2026-03-02 09:${minute}:00.000000`,
});
const request = (id: number, minute: number, tokens: readonly [number, number, number]): Record<string, unknown> => ({
  id,
  agent_type: "internal",
  conversation_id: "a1",
  provider_model: "acme-1",
  token_input_other: tokens[0],
  token_input_cached: tokens[1],
  token_output: tokens[2],
  start_time: 0,
  end_time: Date.UTC(2026, 2, 2, 9, minute) / 1000,
});

describe("astrbot", () => {
  it("reads everything that a conversation has, with the times and tokens of the rows beside it", () => {
    const reminder = "<system_reminder>User ID: 1, Nickname: ada</system_reminder>";
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", id: null } };
    const output = json({ stdout: "", stderr: "no rule", exit_code: 2 });
    const content = [
      { role: "system", content: "You are a bot." },
      { role: "user", content: [{ type: "text", text: "build it" }, image, { type: "text", text: reminder }] },
      {
        role: "assistant",
        content: [
          { type: "think", think: "first", encrypted: null },
          { type: "text", text: "I look." },
        ],
        tool_calls: [CALL],
      },
      { role: "tool", tool_call_id: "c1", content: output },
      { role: "assistant", content: "It failed." },
      turn("k1"),
      { role: "user", content: `again ${reminder}` },
      { role: "assistant", content: "Built." },
      turn("k2"),
    ];
    putDatabase(join(home, DATABASE), {
      conversations: [conversation("a1", content)],
      platform_message_history: [
        shown(1, "user", "k1", 15),
        shown(2, "bot", "k1", 17),
        shown(3, "user", "k2", 18),
        shown(4, "bot", "k2", 20),
        shown(5, "user", null, 30),
      ],
      platform_sessions: [{ session_id: "session-1", display_name: "Build the tables" }],
      provider_stats: [request(1, 17, [10, 90, 5]), request(2, 20, [3, 0, 2]), request(3, 21, [0, 0, 0])],
    });
    const { meta, messages } = read().only();
    assert.deepEqual(meta, {
      id: "a1",
      source: "astrbot",
      title: "Build the tables",
      model: "acme-1",
      created: "2026-03-02T09:15:00.000Z",
      updated: "2026-03-02T09:20:00.123Z",
    });
    const at = (minute: number): string => `2026-03-02T09:${minute}:00.000Z`;
    const counts = messages.flatMap(({ usage = [] }, position) =>
      usage.map(({ id, ...each }) => {
        assert.match(id ?? "", /^[0-9a-f]{16}$/);
        return [position, each];
      }),
    );
    assert.deepEqual(counts, [
      [3, { time: at(17), model: "acme-1", input: 10, cache_read: 90, output: 5 }],
      [5, { time: at(20), model: "acme-1", input: 3, cache_read: 0, output: 2 }],
    ]);
    assert.deepEqual(
      messages.map(({ usage: _usage, ...message }) => message),
      [
        {
          role: "user",
          time: at(15),
          parts: [
            { type: "text", text: "build it" },
            { type: "text", text: "[image]" },
          ],
        },
        {
          role: "assistant",
          parts: [
            { type: "thinking", text: "first" },
            { type: "text", text: "I look." },
            { type: "tool_call", id: "c1", name: "astrbot_execute_shell", input: { command: "make" } },
          ],
        },
        {
          role: "tool",
          parts: [{ type: "tool_result", id: "c1", name: "astrbot_execute_shell", output, exit_code: 2 }],
        },
        { role: "assistant", time: at(17), parts: [{ type: "text", text: "It failed." }] },
        { role: "user", time: at(18), parts: [{ type: "text", text: "again" }] },
        { role: "assistant", time: at(20), parts: [{ type: "text", text: "Built." }] },
      ],
    );
  });

  it("takes a summary for one, and not for words of the person", () => {
    const content = [
      { role: "user", content: "Our previous history conversation summary: they built it." },
      { role: "assistant", content: "Acknowledged the summary of our previous conversation history." },
      { role: "system", content: "History conversation summary: they built it." },
      { role: "user", content: "print it" },
    ];
    putDatabase(join(home, DATABASE), { conversations: [conversation("a1", content, { title: "Build" })] });
    const { meta, messages } = read().only();
    assert.equal(meta.title, "Build");
    assert.deepEqual(
      messages.map(({ role, kind }) => kind ?? role),
      ["summary", "summary", "user"],
    );
  });

  it("puts a side thread below the conversation that it began in", () => {
    const thread = (id: string): object => ({ user_id: `webchat:FriendMessage:webchat!ada!${id}` });
    putDatabase(join(home, DATABASE), {
      conversations: [
        conversation("a0", [{ role: "user", content: "another" }, turn("k0")]),
        conversation("a1", [{ role: "user", content: "build, not null" }, turn("k1")]),
        conversation("a2", [{ role: "user", content: "why?" }], thread("thread-1")),
        conversation("a3", [{ role: "user", content: "how?" }], thread("thread-2")),
      ],
      webchat_threads: [
        { thread_id: "thread-1", parent_session_id: "session-1", base_checkpoint_id: "k1" },
        { thread_id: "thread-2", parent_session_id: "session-1", base_checkpoint_id: null },
      ],
    });
    const facts = [...read().conversations.values()].map(({ meta }) => [meta.id, meta.parent, meta.parent_kind]);
    assert.deepEqual(facts, [
      ["a0", undefined, undefined],
      ["a1", undefined, undefined],
      ["a2", "a1", "fork"],
      ["a3", undefined, undefined],
    ]);
  });

  it("reads the database of version 3 until the upgrade has copied it", () => {
    const old = {
      user_id: USER,
      cid: "a1",
      history: json([{ role: "user", content: "build" }]),
      created_at: 1_772_442_900,
      updated_at: 1_772_442_960,
      title: "Old",
      persona_id: "",
    };
    putDatabase(join(home, ".astrbot/data/data_v3.db"), { webchat_conversation: [old] });
    const { meta } = read().only();
    assert.deepEqual([meta.title, meta.created], ["Old", "2026-03-02T09:15:00.000Z"]);
    putDatabase(join(home, DATABASE), { conversations: [conversation("a1", [{ role: "user", content: "copied" }])] });
    assert.deepEqual(read().only().messages[0]?.parts, [{ type: "text", text: "copied" }]);
  });

  it("finds the databases of the launcher, of the folder in its variable, and of the roots", () => {
    const content = [{ role: "user", content: "build" }];
    const folders = [".astrbot", ".astrbot_launcher/instances/0/core", "told", "code/bot"];
    for (const [at, folder] of folders.entries()) {
      putDatabase(join(home, folder, "data/data_v4.db"), { conversations: [conversation(`a${at}`, content)] });
    }
    const { conversations } = read({ ASTRBOT_ROOT: join(home, "told") }, [join(home, "code/bot")]);
    assert.deepEqual([...conversations.keys()].sort(), ["a0", "a1", "a2", "a3"]);
  });

  it("reads the other conversations if one is nested without end", () => {
    const deep = `[{"role":"tool","tool_call_id":"c1","content":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}]`;
    const content = [{ role: "user", content: "build" }];
    putDatabase(join(home, DATABASE), {
      conversations: [{ ...conversation("a0", content), content: deep }, conversation("a1", content)],
    });
    const sink = new CollectingSink();
    readAll(astrbotHistory, testEnv(home), sink);
    assert.deepEqual([...sink.conversations.keys()], ["a1"]);
    assert.match(sink.malformedLines.join(), /session a0 cannot be read/);
  });

  it("reads a conversation again when a row about it was added later", () => {
    putDatabase(join(home, DATABASE), {
      conversations: [conversation("a1", [{ role: "user", content: "build" }, turn("k1")])],
      platform_message_history: [shown(1, "user", null, 14)],
    });
    const sink = new CollectingSink();
    const states = readAll(astrbotHistory, testEnv(home), sink);
    assert.equal(sink.only().messages[0]?.time, undefined);
    const db = new DatabaseSync(join(home, DATABASE));
    db.exec(
      "INSERT INTO platform_message_history SELECT 2, platform_id, user_id, sender_id, content, 'k1', created_at FROM platform_message_history",
    );
    db.close();
    readAll(astrbotHistory, testEnv(home), sink, states);
    assert.equal(sink.only().messages[0]?.time, "2026-03-02T09:14:00.000Z");
  });
});
