import assert from "node:assert/strict";
import { mkdtempSync, rmSync, truncateSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { assertLinear } from "../../../../../test/support/cost.ts";
import { assertSurvives, put } from "../../../../../test/support/sources/growing.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { SourceEnv } from "../../../history/source.ts";
import { clineHistory } from "./source.ts";

const START = 1_770_000_000_000;
const TASK = String(START);
const at = (second: number): string => new Date(START + second * 1000).toISOString();
const text = (value: string): object => ({ type: "text", text: value });
const ENVIRONMENT =
  "<environment_details>\n# Current Working Directory (/home/ada/kites) Files\nkite.ts\n\n# Current Mode\nACT MODE\n</environment_details>";

/** As older versions wrote it: calls as XML in the text, results as text. */
const XML_HISTORY = [
  {
    role: "user",
    content: [
      text("<task>\nmake the kite fly\n</task>"),
      text("# task_progress RECOMMENDED\n\nUse it."),
      text(ENVIRONMENT),
    ],
  },
  {
    role: "assistant",
    content: [
      text(
        "<thinking>wind first</thinking>\nI read the kite.\n\n<read_file>\n<path>kite.ts</path>\n</read_file>\n" +
          "A mention of <read_file> is not a call.",
      ),
    ],
  },
  {
    role: "user",
    content: [text("[read_file for 'kite.ts'] Result:"), text("export const wind = 0;"), text(ENVIRONMENT)],
  },
  {
    role: "assistant",
    content:
      "<write_to_file>\n<path>kite.xml</path>\n<content>\n<kite><path>up</path></kite>\n</content>\n</write_to_file>",
  },
  {
    role: "user",
    content: [
      text(
        "[write_to_file for 'kite.xml'] Result:\nThe user denied this operation and provided the following feedback:\n" +
          "<feedback>\nuse a longer tail\n</feedback>",
      ),
      { type: "image", source: { type: "base64", data: "AAAA" } },
      text(ENVIRONMENT),
    ],
  },
  {
    role: "assistant",
    content: [
      text(
        "<use_mcp_tool>\n<server_name>weather</server_name>\n<tool_name>wind</tool_name>\n" +
          '<arguments>\n{"city": "Lund"}\n</arguments>\n</use_mcp_tool>',
      ),
    ],
  },
  {
    role: "user",
    content: [text("[ERROR] You did not use a tool in your previous response! Please retry."), text(ENVIRONMENT)],
  },
  {
    role: "assistant",
    content: [text("<ask_followup_question><question>How long?</question></ask_followup_question>")],
  },
  {
    role: "user",
    content: [
      text("[ask_followup_question for 'How long?'] Result:\n<answer>\ntwo metres\n</answer>"),
      text(ENVIRONMENT),
    ],
  },
];

const shown = (second: number, say: string, index: number | undefined, value = ""): object => ({
  ts: START + second * 1000,
  type: "say",
  say,
  text: value,
  ...(index === undefined ? {} : { conversationHistoryIndex: index }),
});

describe("cline", () => {
  let home: string;
  let env: SourceEnv;
  let extension: string;
  let folder: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "dex-cline-"));
    env = testEnv(home);
    extension = join(home, ".config", "Code", "User", "globalStorage", "saoudrizwan.claude-dev");
    folder = join(extension, "tasks", TASK);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function readNow(where = env): CollectingSink {
    const sink = new CollectingSink();
    readAll(clineHistory, where, sink);
    return sink;
  }
  const putJson = (path: string, value: unknown): void => put(path, JSON.stringify(value));
  const history = (value: unknown): void => putJson(join(folder, "api_conversation_history.json"), value);

  it("reads a task with XML calls: the user's words, the calls, the results", () => {
    history(XML_HISTORY);
    const { meta, messages } = readNow().only();
    assert.deepEqual(meta, { id: TASK, source: "cline", project: "/home/ada/kites", created: at(0) });
    assert.deepEqual(
      messages.map((message) => [message.role, message.parts]),
      [
        ["user", [{ type: "text", text: "make the kite fly" }]],
        [
          "assistant",
          [
            { type: "thinking", text: "wind first" },
            { type: "text", text: "I read the kite." },
            { type: "tool_call", name: "read_file", input: { path: "kite.ts" } },
            { type: "text", text: "A mention of <read_file> is not a call." },
          ],
        ],
        ["tool", [{ type: "tool_result", name: "read_file", output: "export const wind = 0;" }]],
        [
          "assistant",
          [
            {
              type: "tool_call",
              name: "write_to_file",
              input: { path: "kite.xml", content: "<kite><path>up</path></kite>" },
            },
          ],
        ],
        [
          "tool",
          [
            {
              type: "tool_result",
              name: "write_to_file",
              output: "The user denied this operation and provided the following feedback:\n\n[image]",
              is_error: true,
            },
          ],
        ],
        ["user", [{ type: "text", text: "use a longer tail" }]],
        [
          "assistant",
          [
            {
              type: "tool_call",
              name: "use_mcp_tool",
              input: { server_name: "weather", tool_name: "wind", arguments: { city: "Lund" } },
            },
          ],
        ],
        ["assistant", [{ type: "tool_call", name: "ask_followup_question", input: { question: "How long?" } }]],
        ["tool", [{ type: "tool_result", name: "ask_followup_question", output: "" }]],
        ["user", [{ type: "text", text: "two metres" }]],
      ],
    );
  });

  it("reads native calls, pairs results with them, and keeps a file that mentions tags intact", () => {
    const page = "<html><task>buy milk</task><feedback>none</feedback></html>";
    history([
      {
        role: "user",
        ts: START + 1000,
        content: [
          text('<task>list it</task>\n<file_content path="a">long</file_content>'),
          text('Files attached by the user:\n\n<file_content path="b">b</file_content>'),
        ],
      },
      {
        role: "assistant",
        ts: START + 2000,
        modelInfo: { modelId: "acme-9", providerId: "acme" },
        content: [
          { type: "reasoning", text: "ls will do" },
          { type: "tool_use", id: "t1", name: "execute_command", input: { command: "ls" } },
          { type: "tool_use", id: "t2", name: "read_file", input: { path: "page.html" } },
          { type: "tool_use", id: "t3", name: "read_file", input: { path: "gone" } },
        ],
      },
      {
        role: "user",
        ts: START + 3000,
        content: [
          text("[execute_command for 'ls'] Result:\nCommand executed.\nExit code: 2\nOutput:\nnothing"),
          text(`[read_file for 'page.html'] Result:\n${page}`),
          { type: "tool_result", tool_use_id: "t3", is_error: true, content: [text("no such file")] },
        ],
      },
      {
        role: "assistant",
        ts: START + 4000,
        content: [{ type: "tool_use", id: "t4", name: "use_subagents", input: {} }],
      },
      { role: "user", ts: START + 5000, content: [text("[subagents] Result:\nTotal: 1"), text(ENVIRONMENT)] },
      {
        role: "user",
        ts: START + 6000,
        content: [text("[TASK RESUMPTION] This task was interrupted.\n\n<user_message>\ngo on\n</user_message>")],
      },
      { role: "assistant", ts: START + 7000, isSummary: true, content: [text("So far: listed.")] },
    ]);
    const { meta, messages } = readNow().only();
    assert.equal(meta.model, "acme-9");
    assert.deepEqual(
      messages.map((message) => [message.role, message.kind, message.time]),
      [
        ["user", undefined, at(1)],
        ["assistant", undefined, at(2)],
        ["tool", undefined, at(3)],
        ["assistant", undefined, at(4)],
        ["tool", undefined, at(5)],
        ["user", undefined, at(6)],
        ["system", "summary", at(7)],
      ],
    );
    assert.deepEqual(messages[0]?.parts, [{ type: "text", text: "list it" }]);
    assert.deepEqual(messages[2]?.parts, [
      {
        type: "tool_result",
        id: "t1",
        name: "execute_command",
        output: "Command executed.\nExit code: 2\nOutput:\nnothing",
        exit_code: 2,
      },
      { type: "tool_result", id: "t2", name: "read_file", output: page },
      { type: "tool_result", id: "t3", name: "read_file", output: "no such file", is_error: true },
    ]);
    assert.deepEqual(messages[4]?.parts, [
      { type: "tool_result", id: "t4", name: "use_subagents", output: "Total: 1" },
    ]);
    assert.deepEqual(messages[5]?.parts, [{ type: "text", text: "go on" }]);
  });

  it("keeps the tags a user wrote", () => {
    const typed = "turn <task>a</task> and <task>b</task> into JSON";
    history([
      { role: "user", content: [text(`<task>\n${typed}\n</task>`)] },
      { role: "assistant", content: "Done." },
      { role: "user", content: `why is ${typed}` },
    ]);
    const said = readNow()
      .only()
      .messages.filter((message) => message.role === "user");
    assert.deepEqual(
      said.map((message) => message.parts),
      [[{ type: "text", text: typed }], [{ type: "text", text: `why is ${typed}` }]],
    );
  });

  it("takes times from the displayed messages, by index", () => {
    history(XML_HISTORY.slice(0, 4));
    putJson(join(folder, "ui_messages.json"), [
      shown(1, "text", -1, "make the kite fly"),
      shown(2, "api_req_started", -1),
      shown(3, "reasoning", 0),
      shown(4, "text", 0),
      shown(5, "checkpoint_created", 1),
      shown(6, "api_req_started", 1),
      shown(7, "api_req_started", 1),
      shown(8, "text", 2),
    ]);
    const times = readNow()
      .only()
      .messages.map((message) => message.time);
    assert.deepEqual(times, [at(1), at(3), at(7), at(8)]);
  });

  it("takes times by order when there is no index, and none when the order is in doubt", () => {
    history(XML_HISTORY.slice(0, 3));
    const ui = [
      shown(1, "text", undefined),
      shown(2, "api_req_started", undefined),
      shown(3, "text", undefined),
      shown(4, "api_req_started", undefined),
    ];
    putJson(join(folder, "ui_messages.json"), ui);
    const times = (): unknown[] =>
      readNow()
        .only()
        .messages.map((message) => message.time);
    assert.deepEqual(times(), [at(2), at(3), at(4)]);
    putJson(join(folder, "ui_messages.json"), [...ui, shown(9, "api_req_started", undefined)]);
    assert.deepEqual(times(), [undefined, undefined, undefined]);
  });

  it("reads the displayed messages when the model's history is missing", () => {
    putJson(join(folder, "ui_messages.json"), [
      shown(1, "text", undefined, "paint the kite"),
      shown(2, "api_req_started", undefined, '{"request":"..."}'),
      shown(3, "reasoning", undefined, "which colour"),
      { ...shown(4, "text", undefined, "Red it is."), modelInfo: { modelId: "acme-9" } },
      shown(5, "tool", undefined, JSON.stringify({ tool: "editedExistingFile", path: "kite.ts", diff: "+red" })),
      { ts: START + 6000, type: "ask", ask: "command", text: "npm run paint" },
      shown(7, "command_output", undefined, "painted"),
      { ts: START + 8000, type: "ask", ask: "followup", text: '{"question":"Stripes?","options":["yes"]}' },
      shown(9, "user_feedback", undefined, "no stripes"),
      shown(10, "completion_result", undefined, "The kite is red."),
      { ts: START + 11000, type: "ask", ask: "completion_result", text: "" },
    ]);
    const { messages, meta } = readNow().only();
    assert.equal(meta.model, "acme-9");
    assert.deepEqual(
      messages.map((message) => [message.role, message.time, message.parts[0]]),
      [
        ["user", at(1), { type: "text", text: "paint the kite" }],
        ["assistant", at(3), { type: "thinking", text: "which colour" }],
        ["assistant", at(4), { type: "text", text: "Red it is." }],
        [
          "assistant",
          at(5),
          { type: "tool_call", name: "editedExistingFile", input: { path: "kite.ts", diff: "+red" } },
        ],
        ["assistant", at(6), { type: "tool_call", name: "execute_command", input: { command: "npm run paint" } }],
        ["tool", at(7), { type: "tool_result", name: "execute_command", output: "painted" }],
        ["assistant", at(8), { type: "text", text: "Stripes?" }],
        ["user", at(9), { type: "text", text: "no stripes" }],
        ["assistant", at(10), { type: "text", text: "The kite is red." }],
      ],
    );
  });

  it("reads the displayed messages under their former name, and the tasks of Roo's command line", () => {
    putJson(join(folder, "claude_messages.json"), [shown(1, "text", undefined, "paint the kite")]);
    const roo = join(env.home, ".vscode-mock/global-storage/tasks/r1");
    putJson(join(roo, "ui_messages.json"), [shown(1, "text", undefined, "fly the kite")]);
    const texts = [...readNow().conversations.values()].map(({ messages: [first] }) => first?.parts[0]);
    assert.deepEqual(texts.map((part) => part?.type === "text" && part.text).sort(), [
      "fly the kite",
      "paint the kite",
    ]);
  });

  it("takes title, folder and model from the list of tasks", () => {
    history(XML_HISTORY);
    putJson(join(folder, "task_metadata.json"), { model_usage: [{ model_id: "acme-1" }, { model_id: "acme-2" }] });
    putJson(join(extension, "state", "taskHistory.json"), [
      { id: "other", task: "nothing" },
      {
        id: TASK,
        ts: START + 9000,
        task: "\nmake the kite fly\nhigh",
        cwdOnTaskInitialization: "/home/ada/k",
        modelId: "acme-0",
      },
    ]);
    const { meta } = readNow().only();
    assert.deepEqual(meta, {
      id: TASK,
      source: "cline",
      title: "make the kite fly",
      project: "/home/ada/k",
      model: "acme-2",
      created: at(0),
      updated: at(9),
    });
  });

  it("reads Roo's subtasks with their parent, in any editor", () => {
    const roo = join(
      home,
      ".config",
      "Cursor",
      "User",
      "globalStorage",
      "rooveterinaryinc.roo-cline",
      "tasks",
      "sub-1",
    );
    putJson(join(roo, "api_conversation_history.json"), [
      { role: "user", ts: START, content: "<user_message>look</user_message>" },
    ]);
    putJson(join(roo, "history_item.json"), {
      id: "sub-1",
      task: "look",
      workspace: "/home/ada/w",
      parentTaskId: "main-1",
      rootTaskId: "root-1",
    });
    const { meta, messages } = readNow().only();
    assert.deepEqual(
      [meta.parent, meta.parent_kind, meta.project, meta.title],
      ["main-1", "subagent", "/home/ada/w", "look"],
    );
    assert.deepEqual(messages[0]?.parts, [{ type: "text", text: "look" }]);
  });

  it("finds tasks on every platform and on servers, and reads one of two copies", () => {
    const tasks = (...parts: string[]): string =>
      join(home, ...parts, "User", "globalStorage", "kilocode.kilo-code", "tasks", "t", "ui_messages.json");
    const mac = tasks("Library", "Application Support", "VSCodium");
    const windows = tasks("AppData", "Roaming", "Windsurf");
    const server = tasks(".vscode-server", "data");
    for (const path of [mac, windows, server]) putJson(path, []);
    const found = (platform: NodeJS.Platform): string[] =>
      clineHistory.discover({ ...env, platform }).map((each) => each.path);
    utimesSync(server, 1, 1);
    assert.deepEqual(found("darwin"), [mac]);
    assert.deepEqual(found("win32"), [windows]);
    assert.deepEqual(found("linux"), [server]);
  });

  it("finds tasks in the folder that Roo's user chose, which the editor's settings name", () => {
    const chosen = join(home, "roo tasks");
    const settings = join(home, ".config", "Code", "User", "settings.json");
    put(
      settings,
      `{\n  // "roo-cline.customStoragePath": "/not/this",\n  "roo-cline.customStoragePath": ${JSON.stringify(chosen)},\n}`,
    );
    putJson(join(chosen, "tasks", "t", "ui_messages.json"), []);
    const found = clineHistory.discover({ ...env, platform: "linux" }).map((each) => each.path);
    assert.deepEqual(found, [join(chosen, "tasks", "t", "ui_messages.json")]);
  });

  describe("CLI sessions", () => {
    const document = {
      version: 1,
      updated_at: at(9),
      sessionId: "s1",
      messages: [
        {
          id: "m1",
          role: "user",
          ts: START + 1000,
          content: [text('<user_input mode="act">count the knots</user_input>\n<mode_notice>act</mode_notice>')],
        },
        {
          id: "m2",
          role: "assistant",
          ts: START + 2000,
          modelInfo: { id: "acme-9", provider: "acme" },
          content: [{ type: "tool_use", id: "t1", name: "run_commands", input: { commands: ["ls"] } }],
        },
        {
          id: "m3",
          role: "user",
          ts: START + 3000,
          content: [
            { type: "tool_result", tool_use_id: "t1", content: [{ query: "ls", result: "knots", success: true }] },
            text("and the ropes"),
          ],
        },
      ],
    };

    it("are read with their manifest", () => {
      const sessions = join(home, ".cline", "data", "sessions", "s1");
      putJson(join(sessions, "s1.messages.json"), document);
      putJson(join(sessions, "s1.json"), {
        session_id: "s1",
        cwd: "/home/ada/knots",
        model: "acme-8",
        started_at: at(0),
        prompt: '<user_input mode="act">count the knots</user_input>',
        metadata: { git: { branch: "main" } },
      });
      putJson(join(sessions, "diver__1.messages.json"), {
        origin: { subagent: "diver", parentThreadId: "s1" },
        messages: [{ id: "d1", role: "user", ts: START, content: "dive" }],
      });
      const { conversations } = readNow();
      assert.deepEqual(conversations.get("s1")?.meta, {
        id: "s1",
        source: "cline",
        title: "count the knots",
        project: "/home/ada/knots",
        branch: "main",
        model: "acme-9",
        created: at(0),
        updated: at(9),
      });
      assert.deepEqual(
        conversations.get("s1")?.messages.map(({ role, uid, parts }) => ({ role, uid, parts })),
        [
          { role: "user", uid: "m1", parts: [{ type: "text", text: "count the knots" }] },
          {
            role: "assistant",
            uid: "m2",
            parts: [{ type: "tool_call", id: "t1", name: "run_commands", input: { commands: ["ls"] } }],
          },
          {
            role: "tool",
            uid: "m3",
            parts: [{ type: "tool_result", id: "t1", name: "run_commands", output: "knots" }],
          },
          { role: "user", uid: "m3:user", parts: [{ type: "text", text: "and the ropes" }] },
        ],
      );
      const diver = conversations.get("s1__diver__1")?.meta;
      assert.deepEqual([diver?.parent, diver?.parent_kind, diver?.title], ["s1", "subagent", "diver"]);
    });

    it("are looked for where the environment says", () => {
      putJson(join(home, "a", "s1", "s1.messages.json"), document);
      putJson(join(home, "b", "sessions", "s1", "s1.messages.json"), document);
      const found = (vars: Record<string, string>): number => clineHistory.discover(testEnv("/nowhere", vars)).length;
      assert.equal(found({ CLINE_SESSION_DATA_DIR: join(home, "a") }), 1);
      assert.equal(found({ CLINE_DATA_DIR: join(home, "b") }), 1);
      assert.equal(found({}), 0);
    });
  });

  it("gives the whole again after each turn, and nothing without a change", () => {
    const sink = new CollectingSink();
    const states = new Map();
    for (let turns = 1; turns <= XML_HISTORY.length; turns += 1) {
      history(XML_HISTORY.slice(0, turns));
      readAll(clineHistory, env, sink, states);
      const before = sink.delivered;
      readAll(clineHistory, env, sink, states);
      assert.equal(sink.delivered, before);
      assert.deepEqual(sink.conversations, readNow().conversations);
    }
  });

  it("retries files caught half written, and skips those too large or empty", () => {
    history(XML_HISTORY);
    const path = join(folder, "api_conversation_history.json");
    const sink = new CollectingSink();
    const states = readAll(clineHistory, env, sink);
    const before = states.get(path);
    put(path, JSON.stringify(XML_HISTORY).slice(0, 700));
    readAll(clineHistory, env, sink, states);
    assert.deepEqual(states.get(path), before);
    assert.equal(sink.malformedLines.length, 1);
    assert.equal(sink.only().messages.length, 10);
    truncateSync(path, 201 * 1024 * 1024);
    readAll(clineHistory, env, sink, states);
    assert.notDeepEqual(states.get(path), before);
    assert.equal(sink.malformedLines.length, 2);
    history([]);
    assert.equal(readNow().conversations.size, 0);
  });

  it("is not slowed down by a text full of tags that are never closed", () => {
    assertLinear("tags that are never closed", 60_000, (count) => {
      const bomb = `${"<read_file>".repeat(count)}</read_file>${"<task".repeat(count)}`;
      history([
        { role: "assistant", content: bomb },
        { role: "user", content: bomb },
      ]);
      assert.equal(readNow().only().messages.length, 2);
    });
  });

  it("survives damage", () => {
    const path = join(folder, "api_conversation_history.json");
    assertSurvives(clineHistory, env, path, JSON.stringify(XML_HISTORY), 40);
    assertSurvives(
      clineHistory,
      env,
      join(folder, "ui_messages.json"),
      JSON.stringify([shown(1, "text", -1, "x"), shown(2, "tool", 0, "{}")]),
      40,
    );
  });

  it("accepts any JSON", () => {
    for (const odd of [
      null,
      1,
      "x",
      {},
      { messages: 3 },
      [null],
      [[]],
      [{ role: "user", content: { a: 1 } }],
      [{ role: "user", content: [1, null, { type: "tool_result" }] }],
      [{ role: "assistant", content: [{ type: "tool_use" }, { type: "text", text: 5 }] }],
    ]) {
      history(odd);
      putJson(join(folder, "ui_messages.json"), odd);
      putJson(join(folder, "history_item.json"), odd);
      putJson(join(folder, "task_metadata.json"), odd);
      putJson(join(extension, "state", "taskHistory.json"), odd);
      readNow();
    }
  });
});
