/**
 * Branches that a person left by going back to an earlier message: kept as conversations of their own, marked as
 * abandoned, and the same whether a file is read at once or line by line.
 */
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { putDatabase } from "../../test/support/sources/forms.ts";
import { readAgent } from "../../test/support/sources/read_agent.ts";
import { CollectingSink, readAll, testEnv } from "../../test/support/sources/sink.ts";
import type { Json } from "../kernel/json.ts";
import { readChatExport } from "./history/imports/chat_export.ts";
import { loadSource } from "./registry.ts";

const root = mkdtempSync(join(tmpdir(), "dex-abandoned-"));
after(() => rmSync(root, { recursive: true, force: true }));

let homes = 0;
const newHome = (): string => join(root, String(++homes));
const at = (second: number): string => new Date(Date.UTC(2026, 5, 1, 12, 0, second)).toISOString();

interface LogCase {
  source: string;
  file: string;
  records: object[];
  /** The conversation, then its abandoned branches: their ids and texts. */
  expected: Record<string, string[]>;
}

const pi = (id: string, parentId: string | null, role: string, text: string): object => ({
  type: "message",
  id,
  parentId,
  timestamp: at(Number(id.slice(1))),
  message: { role, content: [{ type: "text", text }] },
});
const claude = (uuid: string, parentUuid: string | null, type: string, content: Json, more: object = {}): object => ({
  parentUuid,
  isSidechain: false,
  type,
  message: type === "user" ? { role: "user", content } : { id: uuid, role: "assistant", model: "m", content },
  uuid,
  timestamp: at(Number(uuid.slice(1))),
  sessionId: "s",
  cwd: "/srv/app",
  ...more,
});
const said = (text: string): Json => [{ type: "text", text }];
const calls = (...ids: string[]): Json => ids.map((id) => ({ type: "tool_use", id, name: "Read", input: {} }));
const result = (id: string): Json => [{ type: "tool_result", tool_use_id: id, content: "text" }];
const qwen = (uuid: string, parentUuid: string | null, type: string, text: string): object => ({
  uuid,
  parentUuid,
  sessionId: "s",
  timestamp: at(Number(uuid.slice(1))),
  type,
  cwd: "/srv/app",
  message: { role: type === "user" ? "user" : "model", parts: [{ text }] },
});
const gemini = (id: string, type: string, text: string): object => ({
  id,
  timestamp: at(Number(id.slice(1))),
  type,
  content: [{ text }],
});
const codexTurn = (id: string, prompt: string, answer: string): object[] => [
  { timestamp: at(1), type: "turn_context", payload: { turn_id: id, cwd: "/srv/app", model: "m" } },
  {
    timestamp: at(2),
    type: "response_item",
    payload: { type: "message", role: "user", content: [{ type: "input_text", text: prompt }] },
  },
  {
    timestamp: at(3),
    type: "response_item",
    payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: answer }] },
  },
];
const THREAD = "0199aaaa-0000-7000-8000-000000000001";
const copilot = (type: string, id: string, data: object): object => ({ type, id, timestamp: at(1), data });

const LOGS: LogCase[] = [
  {
    source: "pi",
    file: ".pi/agent/sessions/p/2026_s.jsonl",
    records: [
      { type: "session", id: "s", timestamp: at(0), cwd: "/srv/app", version: 3 },
      pi("e1", null, "user", "plan"),
      pi("e2", "e1", "assistant", "a plan"),
      pi("e3", "e2", "user", "use redis"),
      pi("e4", "e3", "assistant", "redis it is"),
      pi("e5", "e4", "user", "and ttl"),
      // Back into the middle of the branch, then back to before it.
      pi("e6", "e4", "user", "no ttl"),
      pi("e7", "e2", "user", "use sqlite"),
      pi("e8", "e7", "assistant", "sqlite it is"),
      // A second root: the first prompt was typed again.
      pi("e9", null, "user", "another plan"),
      // Back to the branch with sqlite, which the conversation then goes through again.
      pi("e10", "e8", "user", "go on"),
    ],
    expected: {
      s: ["plan", "a plan", "use sqlite", "sqlite it is", "go on"],
      "s~e9": ["another plan"],
      "s~e3": ["use redis", "redis it is", "no ttl"],
      "s~e5": ["and ttl"],
    },
  },
  {
    source: "claude_code",
    file: ".claude/projects/p/s.jsonl",
    records: [
      claude("u1", null, "user", "plan"),
      claude("u2", "u1", "assistant", calls("c1", "c2")),
      // Results of parallel calls are dead ends of the tree, not branches.
      claude("u3", "u2", "user", result("c1")),
      claude("u4", "u2", "user", result("c2")),
      claude("u5", "u4", "assistant", said("a plan")),
      claude("u6", "u5", "user", "use redis"),
      { type: "queue-operation", operation: "enqueue", timestamp: at(7), content: "with ttl", sessionId: "s" },
      claude("u8", "u6", "assistant", said("redis it is")),
      { type: "ai-title", aiTitle: "Choose a store", sessionId: "s" },
      claude("u9", "u5", "user", "use sqlite"),
      claude("u10", "u9", "assistant", said("sqlite it is")),
      // A compaction begins a new chain, but nothing is abandoned by it.
      { ...claude("u11", null, "system", null), type: "system", subtype: "compact_boundary", logicalParentUuid: "u10" },
      claude("u12", "u11", "user", "go on"),
      claude("u13", "u12", "assistant", said("done")),
    ],
    expected: {
      s: ["plan", " ", "", "", "a plan", "use sqlite", "sqlite it is", "go on", "done"],
      "s~u6": ["use redis", "redis it is", "with ttl"],
    },
  },
  {
    source: "claude_code",
    file: ".claude/projects/p/s.jsonl",
    records: [
      claude("u1", null, "user", "plam"),
      claude("u2", "u1", "assistant", said("what?")),
      claude("u3", null, "user", "plan"),
      claude("u4", "u3", "assistant", said("a plan")),
    ],
    expected: { s: ["plan", "a plan"], "s~u1": ["plam", "what?"] },
  },
  {
    source: "gemini",
    file: ".gemini/tmp/p/chats/session-1.jsonl",
    records: [
      { sessionId: "s", projectHash: "f", startTime: at(0), lastUpdated: at(0) },
      gemini("g1", "user", "plan"),
      gemini("g2", "gemini", "a plan"),
      gemini("g3", "user", "use redis"),
      gemini("g4", "gemini", "redis it is"),
      { $rewindTo: "g3" },
      { $rewindTo: "nobody" },
      gemini("g5", "user", "use sqlite"),
      gemini("g6", "gemini", "sqlite it is"),
      // Nothing follows the last step back yet.
      { $rewindTo: "g5" },
    ],
    expected: { s: ["plan", "a plan", "use sqlite", "sqlite it is"], "s~g3": ["use redis", "redis it is"] },
  },
  {
    source: "qwen_code",
    file: ".qwen/projects/p/chats/s.jsonl",
    records: [
      qwen("q1", null, "user", "plan"),
      qwen("q2", "q1", "assistant", "a plan"),
      qwen("q3", "q2", "user", "use redis"),
      qwen("q4", "q3", "assistant", "redis it is"),
      qwen("q5", "q2", "user", "use sqlite"),
      qwen("q6", null, "user", "start over"),
    ],
    expected: {
      s: ["start over"],
      "s~q1": ["plan", "a plan", "use sqlite"],
      "s~q3": ["use redis", "redis it is"],
    },
  },
  {
    source: "codex",
    file: `.codex/sessions/2026/06/01/rollout-2026-06-01T12-00-00-${THREAD}.jsonl`,
    records: [
      { timestamp: at(0), type: "session_meta", payload: { id: THREAD, cwd: "/srv/app", source: "cli" } },
      ...codexTurn("t1", "plan", "a plan"),
      ...codexTurn("t2", "use redis", "redis it is"),
      ...codexTurn("t3", "and ttl", "yes"),
      { timestamp: at(4), type: "event_msg", payload: { type: "thread_rolled_back", num_turns: 2 } },
      ...codexTurn("t4", "use sqlite", "sqlite it is"),
    ],
    expected: {
      [THREAD]: ["plan", "a plan", "use sqlite", "sqlite it is"],
      [`${THREAD}~t2`]: ["use redis", "redis it is", "and ttl", "yes"],
    },
  },
  {
    source: "copilot",
    file: ".copilot/session-state/s/events.jsonl",
    records: [
      copilot("session.start", "c0", { sessionId: "s", startTime: at(0), context: { cwd: "/srv/app" } }),
      copilot("user.message", "c1", { content: "plan" }),
      copilot("assistant.message", "c2", { messageId: "m1", content: "a plan" }),
      copilot("user.message", "c3", { content: "use redis" }),
      copilot("assistant.message", "c4", { messageId: "m2", content: "redis it is" }),
      copilot("session.snapshot_rewind", "c5", { upToEventId: "c3", eventsRemoved: 2 }),
      copilot("user.message", "c6", { content: "use sqlite" }),
    ],
    expected: { s: ["plan", "a plan", "use sqlite"], "s~c3": ["use redis", "redis it is"] },
  },
];

describe("logs", () => {
  for (const { source: id, file, records, expected } of LOGS) {
    it(`${id}, ${records.length} records: whole, and line by line`, async () => {
      const source = await loadSource(id);
      assert.ok(source);
      const lines = records.map((record) => `${JSON.stringify(record)}\n`);
      const whole = new CollectingSink();
      const home = newHome();
      put(join(home, file), lines.join(""));
      readAll(source, testEnv(home), whole);
      assert.deepEqual(textsOf(whole), sorted(expected));
      for (const { meta } of whole.abandoned()) {
        assert.equal(meta.project, id === "gemini" ? undefined : "/srv/app");
        assert.ok(whole.conversations.has(meta.parent ?? ""), meta.parent);
      }
      const growing = new CollectingSink();
      const states = new Map();
      const other = join(newHome(), file);
      put(other, "");
      for (const line of lines) {
        appendFileSync(other, line);
        readAll(source, testEnv(other.slice(0, -file.length - 1)), growing, states);
      }
      assert.deepEqual(byId(growing), byId(whole));
    });
  }
});

describe("databases and exports", () => {
  it("Hermes marks the rows that were rewound", async () => {
    const rows = ["plan", "a plan", "use redis", "redis it is", "use sqlite"].map((content, at) => {
      const rewound = at === 2 || at === 3;
      const common = { tool_call_id: null, tool_calls: null, tool_name: null, timestamp: 1_780_000_000 + at };
      return {
        id: at + 1,
        session_id: "s",
        role: at % 2 === 0 ? "user" : "assistant",
        content,
        ...common,
        active: rewound ? 0 : 1,
        compacted: 0,
      };
    });
    await expectDatabase(
      "hermes",
      ".hermes/state.db",
      { messages: rows },
      {
        s: ["plan", "a plan", "use sqlite"],
        "s~3": ["use redis", "redis it is"],
      },
    );
  });

  it("OpenClaw lists the rows of the active branch, which need not be the last ones", async () => {
    const entries = [
      pi("e1", null, "user", "plan"),
      pi("e2", "e1", "assistant", "a plan"),
      pi("e3", "e2", "user", "use redis"),
      pi("e4", "e2", "user", "use sqlite"),
    ];
    const events = entries.map((entry, seq) => ({ session_id: "s", seq, event_json: JSON.stringify(entry) }));
    const active = [0, 1, 2].map((event_seq, active_position) => ({ session_id: "s", event_seq, active_position }));
    await expectDatabase(
      "openclaw",
      ".openclaw/agents/main/agent/openclaw-agent.sqlite",
      { transcript_events: events, session_transcript_active_events: active },
      { s: ["plan", "a plan", "use redis"], "s~e4": ["use sqlite"] },
    );
  });

  it("ChatGPT and Claude.ai export every version of a message", () => {
    const node = (id: string, parent: string | null, children: string[], text: string): [string, object] => [
      id,
      { id, parent, children, message: { id, author: { role: "user" }, content: { parts: [text] } } },
    ];
    const chatgpt = {
      id: "s",
      current_node: "b",
      mapping: Object.fromEntries([
        // Children may be listed before their parents.
        node("c", "b0", [], "redis, then"),
        node("root", null, ["b0", "b"], "plan"),
        node("b", "root", [], "use sqlite"),
        node("b0", "root", ["c"], "use redis"),
      ]),
    };
    const nobody = "00000000-0000-4000-8000-000000000000";
    const human = (uuid: string, parent: string, text: string): object => ({
      uuid,
      sender: "human",
      text,
      parent_message_uuid: parent,
    });
    const claudeAi = {
      uuid: "t",
      chat_messages: [human("m1", nobody, "plam"), human("m2", nobody, "plan"), human("m3", "m2", "go on")],
    };
    const { conversations } = readChatExport(JSON.stringify([chatgpt, claudeAi]));
    const texts = conversations.map(({ meta, messages }) => [meta.id, meta.parent, messages.map(textOf)]);
    assert.deepEqual(texts, [
      ["s", undefined, ["plan", "use sqlite"]],
      ["s~b0", "s", ["use redis", "redis, then"]],
      ["t", undefined, ["plan", "go on"]],
      ["t~m1", "t", ["plam"]],
    ]);
  });
});

async function expectDatabase(
  id: string,
  file: string,
  tables: Parameters<typeof putDatabase>[1],
  expected: Record<string, string[]>,
): Promise<void> {
  const home = newHome();
  putDatabase(join(home, file), tables);
  assert.deepEqual(textsOf(await readAgent(id, home)), sorted(expected));
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function textOf({ parts }: { parts: readonly { type: string; text?: string }[] }): string {
  return parts.map(({ type, text }) => (type === "text" ? text : "")).join(" ");
}

function textsOf({ conversations }: CollectingSink): Record<string, string[]> {
  return sorted(Object.fromEntries([...conversations].map(([id, { messages }]) => [id, messages.map(textOf)])));
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function byId({ conversations }: CollectingSink): unknown {
  return sorted(Object.fromEntries(conversations));
}
