import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { assertGrows, assertSurvives, lines, put } from "../../../../../test/support/sources/growing.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { SourceEnv } from "../../../history/source.ts";
import { geminiHistory } from "./source.ts";

const ID = "3d1b7c9e-52f4-4b8a-a6c0-91e8f2d47b65";
const at = (second: number): string => `2026-04-05T12:00:${String(second).padStart(2, "0")}.000Z`;
const METADATA = { sessionId: ID, projectHash: "ffff", startTime: at(0), lastUpdated: at(0), kind: "main" };

const user = (id: string, second: number, text: string, more: object = {}): object => ({
  id,
  timestamp: at(second),
  type: "user",
  content: [{ text }],
  ...more,
});
const model = (id: string, second: number, content: unknown, more: object = {}): object => ({
  id,
  timestamp: at(second),
  type: "gemini",
  content,
  thoughts: [],
  tokens: null,
  model: "gemini-9",
  ...more,
});
const set = (patch: object): object => ({ $set: patch });
const shell = (output: string, more: object = {}): object => ({
  id: "call-1",
  name: "run_shell_command",
  args: { command: "npm test" },
  status: "success",
  timestamp: at(4),
  result: [{ functionResponse: { id: "call-1", name: "run_shell_command", response: { output } } }],
  ...more,
});

const LOG = lines(
  METADATA,
  user("u1", 1, "why does @parse.ts fail\n--- Content from referenced files ---\nexport {}\n--- End of content ---", {
    displayContent: [{ text: "why does @parse.ts fail" }],
  }),
  set({ lastUpdated: at(1) }),
  { id: "i1", timestamp: at(2), type: "info", content: "Request cancelled." },
  model("g1", 3, "I run the tests.", { thoughts: [{ subject: "Plan", description: "run first", timestamp: at(3) }] }),
  model("g1", 3, "I run the tests.", {
    thoughts: [{ subject: "Plan", description: "run first", timestamp: at(3) }],
    toolCalls: [{ ...shell(""), status: "executing", result: undefined }],
  }),
  model("g1", 3, "I run the tests.", {
    thoughts: [{ subject: "Plan", description: "run first", timestamp: at(3) }],
    toolCalls: [
      shell("1 failing\nExit Code: 1"),
      {
        id: "call-2",
        name: "read_file",
        args: { file_path: "/a/b.ts" },
        status: "error",
        timestamp: at(5),
        agentId: "s9",
      },
    ],
    tokens: { input: 5, output: 2, total: 7 },
  }),
  set({ lastUpdated: at(5) }),
  user("u2", 6, "forget the tests"),
  model("g2", 7, "Forgotten."),
  { $rewindTo: "u2" },
  user("u3", 8, "fix it", { content: [{ text: "fix it" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] }),
  set({ lastUpdated: at(8), summary: "Fix the parser" }),
  model("g3", 9, [{ text: "thinking aloud", thought: true }, { text: "Fixed." }]),
  set({ lastUpdated: at(9) }),
);

describe("gemini", () => {
  let home: string;
  let env: SourceEnv;
  let chats: string;
  let path: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "dex-gemini-"));
    env = testEnv(home);
    chats = join(home, ".gemini", "tmp", "parser", "chats");
    path = join(chats, `session-2026-04-05T12-00-${ID.slice(0, 8)}.jsonl`);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function readNow(where = env): CollectingSink {
    const sink = new CollectingSink();
    readAll(geminiHistory, where, sink);
    return sink;
  }

  it("takes a call whose result is in a later record for one call", () => {
    const { result, args, ...call } = shell("ok") as { result: unknown; args: unknown };
    put(
      path,
      lines(
        METADATA,
        user("u1", 1, "run the tests"),
        model("g1", 2, "", { toolCalls: [{ ...call, args }] }),
        model("g2", 4, "", { toolCalls: [{ ...call, result }] }),
      ),
    );
    const parts = readNow()
      .only()
      .messages.flatMap((message) => message.parts);
    assert.deepEqual(
      parts.map(({ type }) => type),
      ["text", "tool_call", "tool_result"],
    );
  });

  it("reads a log: replaced messages, steps back, patches", () => {
    put(path, LOG);
    put(join(home, ".gemini", "projects.json"), JSON.stringify({ projects: { "/home/ada/parser": "parser" } }));
    const { meta, messages } = readNow().only();
    assert.deepEqual(meta, {
      id: ID,
      source: "gemini",
      title: "Fix the parser",
      project: "/home/ada/parser",
      created: at(0),
      updated: at(9),
      model: "gemini-9",
    });
    assert.deepEqual(
      messages.map(({ role, uid, time, parts }) => ({ role, uid, time, parts })),
      [
        { role: "user", uid: "u1", time: at(1), parts: [{ type: "text", text: "why does @parse.ts fail" }] },
        {
          role: "assistant",
          uid: "g1",
          time: at(3),
          parts: [
            { type: "thinking", text: "Plan\nrun first" },
            { type: "text", text: "I run the tests." },
            { type: "tool_call", id: "call-1", name: "run_shell_command", input: { command: "npm test" } },
            { type: "tool_call", id: "call-2", name: "read_file", input: { file_path: "/a/b.ts" } },
          ],
        },
        {
          role: "tool",
          uid: "g1:results",
          time: at(5),
          parts: [
            {
              type: "tool_result",
              id: "call-1",
              name: "run_shell_command",
              output: "1 failing\nExit Code: 1",
              exit_code: 1,
            },
            { type: "tool_result", id: "call-2", name: "read_file", output: "", is_error: true, agent: "s9" },
          ],
        },
        {
          role: "user",
          uid: "u3",
          time: at(8),
          parts: [
            { type: "text", text: "fix it" },
            { type: "text", text: "[image]" },
          ],
        },
        {
          role: "assistant",
          uid: "g3",
          time: at(9),
          parts: [
            { type: "thinking", text: "thinking aloud" },
            { type: "text", text: "Fixed." },
          ],
        },
      ],
    );
  });

  it("keeps messages that a compression leaves out, adds its summary once, and duplicates nothing", () => {
    const history = [
      { id: "n1", type: "user", content: [{ text: "<session_context>It is Sunday.</session_context>" }] },
      { id: "n2", type: "user", content: [{ text: "<state_snapshot>\nThe parser is fixed.\n</state_snapshot>" }] },
      { id: "n3", type: "gemini", content: [{ text: "Got it. Thanks for the additional context!" }] },
      { id: "n4", type: "user", content: [{ text: "fix it" }] },
      { id: "n5", type: "gemini", content: [{ functionCall: { id: "call-1", name: "run_shell_command", args: {} } }] },
      { id: "g3", type: "gemini", content: [{ text: "masked" }] },
    ].map((message) => ({ ...message, timestamp: at(10) }));
    put(path, LOG + lines(set({ messages: history, lastUpdated: at(10) }), user("u4", 11, "thanks")));
    const { messages } = readNow().only();
    assert.deepEqual(
      messages.map((message) => [message.uid, message.role, message.kind]),
      [
        ["u1", "user", undefined],
        ["g1", "assistant", undefined],
        ["g1:results", "tool", undefined],
        ["u3", "user", undefined],
        ["g3", "assistant", undefined],
        ["n2", "system", "summary"],
        ["u4", "user", undefined],
      ],
    );
    assert.deepEqual(messages[5]?.parts, [{ type: "text", text: "The parser is fixed." }]);
    assert.deepEqual(messages[4]?.parts.at(-1), { type: "text", text: "Fixed." });
  });

  it("puts a message that is written again late back in its place, read whole or later", () => {
    const first = LOG + lines(user("u4", 10, "thanks"));
    put(path, first);
    const sink = new CollectingSink();
    const states = readAll(geminiHistory, env, sink);
    appendFileSync(path, lines(model("g3", 9, "Fixed for good.")));
    readAll(geminiHistory, env, sink, states);
    const texts = sink.only().messages.slice(-2);
    assert.deepEqual(texts[0]?.parts, [{ type: "text", text: "Fixed for good." }]);
    assert.equal(texts[1]?.uid, "u4");
    assert.deepEqual(sink.conversations, readNow().conversations);
  });

  it("gives only the last message again when the log grows", () => {
    put(path, LOG);
    const sink = new CollectingSink();
    const states = readAll(geminiHistory, env, sink);
    const before = sink.delivered;
    appendFileSync(path, lines(user("u4", 10, "thanks"), set({ lastUpdated: at(10) })));
    readAll(geminiHistory, env, sink, states);
    assert.equal(sink.delivered - before, 2);
    assert.equal(sink.only().meta.updated, at(10));
  });

  it("drops nothing for a step back to an unknown message", () => {
    put(path, LOG + lines({ $rewindTo: "nobody" }));
    assert.equal(readNow().only().messages.length, 5);
  });

  it("knows the subagents of a session", () => {
    put(
      join(chats, ID, "agent-7.jsonl"),
      lines({ ...METADATA, sessionId: "agent-7", kind: "subagent" }, user("x", 1, "search")),
    );
    const { meta } = readNow().only();
    assert.deepEqual([meta.id, meta.parent, meta.parent_kind], ["agent-7", ID, "subagent"]);
  });

  it("finds the folder by its root file, by the map, and by the hash of a known folder", () => {
    const project = (key: string, where: SourceEnv): string | undefined => {
      const chat = join(home, ".gemini", "tmp", key, "chats", "session-2026-04-05T12-00-aaaaaaaa.jsonl");
      put(chat, lines(METADATA, user("u", 1, "hello")));
      const found = readNow(where).only().meta.project;
      rmSync(join(home, ".gemini", "tmp", key), { recursive: true });
      return found;
    };
    const hash = createHash("sha256").update("/srv/boats").digest("hex");
    assert.equal(project("unknown", env), undefined);
    assert.equal(project(hash, env), undefined);
    assert.equal(project(hash, testEnv(home, {}, ["/srv/other", "/srv/boats"])), "/srv/boats");
    put(join(home, ".gemini", "projects.json"), JSON.stringify({ projects: { "/srv/boats": "boats" } }));
    assert.equal(project(hash, env), "/srv/boats");
    assert.equal(project("boats", env), "/srv/boats");
    put(join(home, ".gemini", "tmp", "boats", ".project_root"), "/srv/new-boats\n");
    assert.equal(project("boats", env), "/srv/new-boats");
  });

  describe("older sessions, one JSON document each", () => {
    const document = { ...METADATA, summary: "Old talk", messages: [user("u1", 1, "hello"), model("g1", 2, "Hello.")] };
    let old: string;
    beforeEach(() => {
      old = path.slice(0, -1);
    });

    it("are read whole, and again when they change", () => {
      put(old, JSON.stringify(document, undefined, 2));
      const sink = new CollectingSink();
      const states = readAll(geminiHistory, env, sink);
      assert.equal(sink.only().meta.title, "Old talk");
      assert.equal(sink.only().messages.length, 2);
      readAll(geminiHistory, env, sink, states);
      assert.equal(sink.delivered, 2);
      put(old, JSON.stringify({ ...document, messages: [...document.messages, user("u2", 3, "more")] }));
      readAll(geminiHistory, env, sink, states);
      assert.equal(sink.only().messages.length, 3);
    });

    it("are replaced by the log of the same session", () => {
      put(old, JSON.stringify(document));
      put(path, LOG);
      assert.deepEqual(
        geminiHistory.discover(env).map((container) => container.path),
        [path],
      );
    });

    it("are retried when caught half written", () => {
      put(old, JSON.stringify(document));
      const sink = new CollectingSink();
      const states = readAll(geminiHistory, env, sink);
      const before = states.get(old);
      put(old, JSON.stringify(document).slice(0, 90));
      readAll(geminiHistory, env, sink, states);
      assert.deepEqual(states.get(old), before);
      assert.equal(sink.malformedLines.length, 1);
      assert.equal(sink.only().messages.length, 2);
    });

    it("are skipped when too large or not a session", () => {
      put(old, "");
      truncateSync(old, 201 * 1024 * 1024);
      put(join(chats, "session-x.json"), "[1, 2]");
      const sink = readNow();
      assert.equal(sink.conversations.size, 0);
      assert.equal(sink.malformedLines.length, 2);
    });

    it("survive damage", () => assertSurvives(geminiHistory, env, old, JSON.stringify(document)));
  });

  describe("Antigravity transcripts", () => {
    const step = (index: number, source: string, type: string, more: object): object => ({
      step_index: index,
      source,
      type,
      status: "DONE",
      created_at: at(index),
      ...more,
    });
    const TRANSCRIPT = lines(
      step(0, "USER_EXPLICIT", "USER_INPUT", {
        content:
          "<USER_REQUEST>\nsort the shells\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nThe time is noon.\n</ADDITIONAL_METADATA>",
      }),
      step(1, "SYSTEM", "EPHEMERAL_MESSAGE", { content: "be brief" }),
      step(2, "MODEL", "PLANNER_RESPONSE", {
        content: "Sorting.",
        thinking: "by size",
        tool_calls: [{ name: "view_file", args: { path: "shells.txt" } }],
      }),
      step(3, "MODEL", "VIEW_FILE", { content: "conch\nwhelk" }),
      step(4, "MODEL", "PLANNER_RESPONSE", { content: "Sorted." }),
    );
    let transcript: string;
    beforeEach(() => {
      transcript = join(
        home,
        ".gemini",
        "antigravity",
        "brain",
        "s-1",
        ".system_generated",
        "logs",
        "transcript.jsonl",
      );
    });

    it("are read as conversations", () => {
      put(transcript, TRANSCRIPT);
      const { meta, messages } = readNow().only();
      assert.equal(meta.id, "s-1");
      assert.deepEqual(
        messages.map((message) => [message.role, message.parts]),
        [
          ["user", [{ type: "text", text: "sort the shells" }]],
          [
            "assistant",
            [
              { type: "thinking", text: "by size" },
              { type: "text", text: "Sorting." },
              { type: "tool_call", name: "view_file", input: { path: "shells.txt" } },
            ],
          ],
          ["tool", [{ type: "tool_result", name: "view_file", output: "conch\nwhelk" }]],
          ["assistant", [{ type: "text", text: "Sorted." }]],
        ],
      );
    });

    it("are read whole where Antigravity wrote a second, unshortened one", () => {
      put(transcript, lines(step(0, "USER_EXPLICIT", "USER_INPUT", { content: "sort the sh…" })));
      const states = readAll(geminiHistory, env, new CollectingSink());
      put(transcript.replace("transcript.jsonl", "transcript_full.jsonl"), TRANSCRIPT);
      const sink = new CollectingSink();
      readAll(geminiHistory, env, sink, states);
      const { meta, messages } = sink.only();
      assert.equal(meta.id, "s-1");
      assert.deepEqual(messages[0]?.parts, [{ type: "text", text: "sort the shells" }]);
      assert.equal(messages.length, 4);
    });

    it("are resumed when they grow", () => assertGrows(geminiHistory, env, transcript, TRANSCRIPT));
  });

  it("looks where GEMINI_CLI_HOME says, and opens no empty session", () => {
    put(path, lines(METADATA));
    assert.equal(readNow().conversations.size, 0);
    assert.deepEqual(geminiHistory.discover(testEnv(home, { GEMINI_CLI_HOME: join(home, "elsewhere") })), []);
    assert.equal(geminiHistory.discover(testEnv("/nowhere", { GEMINI_CLI_HOME: home })).length, 1);
  });

  it("reads a growing log like a whole one", () => assertGrows(geminiHistory, env, path, LOG));

  it("survives damage", () => assertSurvives(geminiHistory, env, path, LOG));
});
