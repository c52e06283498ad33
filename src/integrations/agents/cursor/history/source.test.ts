import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import { below, flipped, seeded } from "../../../../../test/support/random.ts";
import { CollectingSink, type ReadConversation, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { Message } from "../../../../conversations/model.ts";
import type { Json } from "../../../../kernel/json.ts";
import type { SourceEnv } from "../../../history/source.ts";
import { cursorHistory } from "./source.ts";

const root = mkdtempSync(join(tmpdir(), "dex-cursor-"));
after(() => rmSync(root, { recursive: true, force: true }));

let made = 0;
function newHome(): string {
  made += 1;
  const home = join(root, `home${made}`);
  mkdirSync(home);
  return home;
}

const T0 = Date.UTC(2026, 4, 5, 9);
const iso = (ms: number): string => new Date(ms).toISOString();
const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
const uuid = (tag: string): string => `${md5(tag).slice(0, 8)}-0000-4000-8000-${md5(tag).slice(0, 12)}`;

function file(path: string, value: object | string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

function read(env: SourceEnv): CollectingSink {
  const sink = new CollectingSink();
  readAll(cursorHistory, env, sink);
  return sink;
}

function conversations(sink: CollectingSink): Record<string, ReadConversation> {
  return Object.fromEntries([...sink.conversations].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function words(messages: readonly Message[] | undefined): string[] {
  return (messages ?? []).flatMap((message) =>
    message.parts.map((part) => {
      if (part.type === "tool_call") return `${message.role} calls ${part.name}`;
      return `${message.role}: ${part.type === "tool_result" ? part.output : part.text}`;
    }),
  );
}

/** The editor's key-value database. */
class State {
  readonly path: string;
  readonly db: DatabaseSync;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.path = path;
    this.db = new DatabaseSync(path);
    this.db.exec(`PRAGMA synchronous=OFF; CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
      CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`);
  }

  put(key: string, value: object | string | null, table = "cursorDiskKV"): this {
    const text = typeof value === "string" || value === null ? value : JSON.stringify(value);
    this.db.prepare(`INSERT INTO ${table} VALUES (?, ?)`).run(key, text);
    return this;
  }

  composer(id: string, bubbles: readonly object[], fields: object = {}): this {
    const headers = bubbles.map((bubble, at) => ({
      bubbleId: `${9 - at}-${id}`,
      type: (bubble as { type: number }).type,
    }));
    for (const [at, bubble] of bubbles.entries()) this.put(`bubbleId:${id}:${9 - at}-${id}`, bubble);
    const data = {
      _v: 10,
      composerId: id,
      createdAt: T0,
      lastUpdatedAt: T0 + 1000,
      fullConversationHeadersOnly: headers,
    };
    return this.put(`composerData:${id}`, { ...data, ...fields });
  }

  /** A prompt and its answer. */
  exchange(id: string, fields: object = {}): this {
    return this.composer(
      id,
      [
        { type: 1, text: `question ${id}` },
        { type: 2, text: `answer ${id}` },
      ],
      fields,
    );
  }
}

const globalPath = (home: string): string => join(home, ".config/Cursor/User/globalStorage/state.vscdb");
const workspacePath = (home: string, hash: string): string => join(home, ".config/Cursor/User/workspaceStorage", hash);

describe("the editor's database", () => {
  it("gives the bubbles of a conversation in the order of its headers", () => {
    const home = newHome();
    const state = new State(globalPath(home));
    const shell = { output: "2 passed\n", exitCodeV2: 0 };
    state.composer(
      "c1",
      [
        { _v: 3, type: 1, text: "Count the gulls", createdAt: iso(T0), images: [{}] },
        {
          _v: 3,
          type: 2,
          text: "",
          capabilityType: 30,
          thinking: { text: "Birds.", signature: "s" },
          timingInfo: { clientStartTime: 1234.5, clientRpcSendTime: T0 + 10.7 },
        },
        {
          _v: 3,
          type: 2,
          text: "Counting",
          modelInfo: { modelName: "composer-2" },
          timingInfo: { clientStartTime: T0 + 20.2, clientEndTime: T0 + 30.9 },
        },
        {
          _v: 3,
          type: 2,
          text: "",
          capabilityType: 15,
          createdAt: iso(T0 + 40),
          toolFormerData: {
            tool: 15,
            name: "run_terminal_command_v2",
            toolCallId: "t1",
            rawArgs: '{"command":"npm test"}',
            params: "{}",
            result: JSON.stringify(shell),
            status: "completed",
          },
        },
        {
          _v: 3,
          type: 2,
          createdAt: iso(T0 + 50),
          toolFormerData: {
            tool: 40,
            name: "read_file_v2",
            toolCallId: "t2",
            rawArgs: "{torn",
            params: '{"targetFile":"src/gull.ts"}',
            result: '{"contents":"export {}"}',
            status: "completed",
          },
        },
        {
          _v: 3,
          type: 2,
          toolFormerData: {
            tool: 1,
            name: "edit_file",
            rawArgs: "",
            params: "",
            result: "",
            status: "error",
            error: '{"modelVisibleErrorMessage":"no match"}',
          },
        },
        {
          _v: 3,
          type: 2,
          toolFormerData: {
            tool: 48,
            name: "task_v2",
            rawArgs: "{}",
            result: '{"agentId":"c1-child"}',
            status: "completed",
          },
        },
        { _v: 3, type: 2, toolFormerData: { name: "delete_file", status: "loading" } },
        { _v: 3, type: 2, text: "Seven.", toolFormerData: { additionalData: { status: "error" } }, thinking: "bare" },
      ],
      {
        name: "Gull census",
        modelConfig: { modelName: "default", maxMode: false },
        workspaceIdentifier: { id: "abc", uri: { fsPath: "/work/gulls", scheme: "file" } },
        trackedGitRepos: [{ branches: [{ branchName: "count" }] }],
      },
    );
    // Of a turn that was reverted: no header names it.
    state.put("bubbleId:c1:orphan", { type: 1, text: "taken back" });
    state.db.close();
    const sink = read(testEnv(home));
    assert.deepEqual(sink.malformedLines, []);
    const { meta, messages } = sink.only();
    assert.deepEqual(meta, {
      id: "c1",
      source: "cursor",
      title: "Gull census",
      project: "/work/gulls",
      branch: "count",
      model: "composer-2",
      created: iso(T0),
      updated: iso(T0 + 1000),
    });
    assert.deepEqual(messages, [
      {
        role: "user",
        time: iso(T0),
        uid: "9-c1",
        parts: [
          { type: "text", text: "Count the gulls" },
          { type: "text", text: "[image]" },
        ],
      },
      { role: "assistant", time: iso(T0 + 10), uid: "8-c1", parts: [{ type: "thinking", text: "Birds." }] },
      {
        role: "assistant",
        time: iso(T0 + 20),
        uid: "7-c1",
        model: "composer-2",
        parts: [{ type: "text", text: "Counting" }],
      },
      {
        role: "assistant",
        time: iso(T0 + 40),
        uid: "6-c1",
        parts: [{ type: "tool_call", id: "t1", name: "run_terminal_command_v2", input: { command: "npm test" } }],
      },
      {
        role: "tool",
        time: iso(T0 + 40),
        parts: [{ type: "tool_result", id: "t1", name: "run_terminal_command_v2", output: "2 passed\n", exit_code: 0 }],
      },
      {
        role: "assistant",
        time: iso(T0 + 50),
        uid: "5-c1",
        parts: [{ type: "tool_call", id: "t2", name: "read_file_v2", input: "{torn", files: ["src/gull.ts"] }],
      },
      {
        role: "tool",
        time: iso(T0 + 50),
        parts: [{ type: "tool_result", id: "t2", name: "read_file_v2", output: "export {}" }],
      },
      { role: "assistant", uid: "4-c1", parts: [{ type: "tool_call", name: "edit_file", input: {} }] },
      { role: "tool", parts: [{ type: "tool_result", name: "edit_file", output: "no match", is_error: true }] },
      { role: "assistant", uid: "3-c1", parts: [{ type: "tool_call", name: "task_v2", input: {} }] },
      {
        role: "tool",
        parts: [{ type: "tool_result", name: "task_v2", output: '{"agentId":"c1-child"}', agent: "c1-child" }],
      },
      { role: "assistant", uid: "2-c1", parts: [{ type: "tool_call", name: "delete_file", input: {} }] },
      {
        role: "assistant",
        uid: "1-c1",
        parts: [
          { type: "thinking", text: "bare" },
          { type: "text", text: "Seven." },
        ],
      },
    ]);
  });

  it("keeps reverted turns as abandoned branches, and drops one that the person took back", () => {
    const home = newHome();
    const says = (type: number, text: string, at: number) => ({ _v: 3, type, text, createdAt: iso(T0 + at) });
    const bubbles = [
      says(1, "Count the gulls", 0),
      says(2, "Seven.", 10),
      says(1, "And terns?", 50),
      says(2, "Two.", 60),
    ];
    const state = new State(globalPath(home)).composer("c1", bubbles);
    // In the order of their keys they make no sense.
    state.put("bubbleId:c1:x2", says(1, "Count the ducks", 20));
    state.put("bubbleId:c1:x1", says(2, "Nine ducks.", 30));
    state.put("bubbleId:c1:x0", says(1, "Paint them", 70));
    state.put("bubbleId:c1:y0", says(2, "An answer without a question.", 5));
    state.put("bubbleId:c1:y1", { type: 1, text: "without a time" });
    const env = testEnv(home);
    const sink = read(env);
    const texts = ({ messages }: { messages: readonly Message[] }): unknown =>
      messages.flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : part.type)));
    assert.deepEqual(texts(sink.only()), ["Count the gulls", "Seven.", "And terns?", "Two."]);
    assert.deepEqual(
      sink.abandoned().map((branch) => [branch.meta.id, branch.meta.parent, texts(branch)]),
      [
        ["c1~x2", "c1", ["Count the ducks", "Nine ducks."]],
        ["c1~x0", "c1", ["Paint them"]],
      ],
    );
    // The revert of the last turn is taken back: the same bubble has a header again.
    const headers = [9, 8, 7, 6].map((at) => ({ bubbleId: `${at}-c1` }));
    const data = { composerId: "c1", fullConversationHeadersOnly: [...headers, { bubbleId: "x0" }] };
    state.put("composerData:c1", { ...data, createdAt: T0, lastUpdatedAt: T0 + 2000 });
    state.db.close();
    readAll(cursorHistory, env, sink);
    assert.deepEqual(
      sink.abandoned().map(({ meta }) => meta.id),
      ["c1~x2"],
    );
    assert.deepEqual((texts(sink.only()) as string[]).at(-1), "Paint them");
  });

  it("reads the older forms, and skips empty or broken values", () => {
    const home = newHome();
    const state = new State(globalPath(home));
    const lexical = {
      root: { type: "root", children: [{ type: "paragraph", children: [{ text: "typed " }, { text: "richly" }] }] },
    };
    state
      .put("composerData:inline", {
        composerId: "inline",
        conversation: [
          { type: 1, bubbleId: "b", richText: JSON.stringify(lexical) },
          { type: 2, text: "old answer" },
        ],
      })
      .put("composerData:mapped", {
        fullConversationHeadersOnly: [{ bubbleId: "m1", type: 1 }],
        conversationMap: { m1: { type: 1, text: "mapped" } },
      })
      .put("composerData:v1", {
        _v: 1,
        fullConversationHeadersOnly: [{ bubbleId: "t", type: 2 }],
        capabilities: [
          {
            type: 15,
            data: { bubbleDataMap: JSON.stringify({ t: { name: "grep", rawArgs: '{"q":1}', result: '"hit"' } }) },
          },
        ],
      })
      .put("bubbleId:v1:t", { type: 2, text: "" })
      .put("composerData:draft", { composerId: "draft", fullConversationHeadersOnly: [] })
      .put("composerData:deleted", null)
      .put("composerData:torn", '{"composerId":"torn","fullConv')
      .put("composerData:list", [1])
      .put("composerData:holes", {
        fullConversationHeadersOnly: [{ bubbleId: "h1" }, { bubbleId: "h2" }, { bubbleId: "h3" }, 7],
      })
      .put("bubbleId:holes:h1", null)
      .put("bubbleId:holes:h2", "{torn")
      .put("bubbleId:holes:h3", { type: 1, text: "kept" })
      .put("composerDatb:other", "x");
    const blob = Buffer.from(JSON.stringify({ composerId: "blob", conversation: [{ type: 1, text: "ünicode" }] }));
    state.db.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)").run("composerData:blob", blob);
    state.db.close();
    const sink = read(testEnv(home));
    const found = conversations(sink);
    assert.deepEqual(Object.keys(found), ["blob", "holes", "inline", "mapped", "v1"]);
    assert.deepEqual(words(found.inline?.messages), ["user: typed richly", "assistant: old answer"]);
    assert.deepEqual(words(found.mapped?.messages), ["user: mapped"]);
    assert.deepEqual(words(found.v1?.messages), ["assistant calls grep", "tool: hit"]);
    assert.deepEqual(words(found.holes?.messages), ["user: kept"]);
    assert.deepEqual(words(found.blob?.messages), ["user: ünicode"]);
    assert.deepEqual(sink.malformedLines.map((line) => line.replace(/^.*vscdb: /, "")).sort(), [
      "bubble h2 is not a JSON object",
      "composer list is not a JSON object",
      "composer torn is not a JSON object",
    ]);
  });

  it("finds the folder of a conversation", () => {
    const home = newHome();
    const state = new State(globalPath(home));
    state.db.exec("CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, value TEXT)");
    file(join(workspacePath(home, "ws1"), "workspace.json"), { folder: "file:///work/my%20reef" });
    file(join(workspacePath(home, "ws2"), "workspace.json"), { workspace: "file:///work/multi/all.code-workspace" });
    file(join(workspacePath(home, "ws3"), "workspace.json"), { folder: "file:///c%3A/Users/ada/reef" });
    file(join(workspacePath(home, "ws4"), "workspace.json"), { folder: "vscode-remote://ssh-remote%2Bbox/srv/reef" });
    const pane = uuid("pane");
    new State(join(workspacePath(home, "ws1"), "state.vscdb"))
      .put(
        "composer.composerData",
        {
          allComposers: [{ composerId: "listed", name: "From the list", createdOnBranch: "main" }],
          selectedComposerIds: ["open"],
        },
        "ItemTable",
      )
      .put("workbench.panel.composerChatViewPane.7", { [`workbench.panel.aichat.view.${pane}`]: {} }, "ItemTable")
      .db.close();
    const id = (hash: string): object => ({ workspaceIdentifier: { id: hash } });
    const files = (...paths: string[]): object => ({
      context: { fileSelections: paths.map((fsPath) => ({ uri: { fsPath } })) },
    });
    state
      .exchange("byHash", id("ws2"))
      .exchange("windows", id("ws3"))
      .exchange("remote", id("ws4"))
      .exchange("escape", { ...id("../../../ws1") })
      .exchange("listed")
      .exchange("open")
      .exchange(pane)
      .exchange("inTable")
      .exchange("inItem")
      .exchange("known", files("/work/known/deep/src/a.ts"))
      .exchange("files", files("/elsewhere/pkg/src/a.ts", "/elsewhere/pkg/lib/b.ts"))
      .exchange("edited", { codeBlockData: { "file:///elsewhere/x%20y/c.ts": {} } })
      .exchange("nowhere")
      .composer("bubble", [{ type: 1, text: "q", workspaceUris: ["file:///work/by-bubble"] }]);
    state.db.prepare("INSERT INTO composerHeaders VALUES ('inTable', 'ws1', ?)").run('{"name":"Head title"}');
    state.put(
      "composer.composerHeaders",
      { allComposers: [{ composerId: "inItem", workspaceIdentifier: { uri: { external: "file:///work/item" } } }] },
      "ItemTable",
    );
    state.db.close();
    const env = testEnv(home, {}, ["/work/known"]);
    const found = conversations(read(env));
    const projects = Object.fromEntries(Object.entries(found).map(([name, each]) => [name, each.meta.project]));
    assert.deepEqual(projects, {
      byHash: "/work/multi",
      windows: "C:\\Users\\ada\\reef",
      remote: "/srv/reef",
      escape: undefined,
      listed: "/work/my reef",
      open: "/work/my reef",
      [pane]: "/work/my reef",
      inTable: "/work/my reef",
      inItem: "/work/item",
      known: "/work/known",
      files: "/elsewhere/pkg",
      edited: "/elsewhere/x y",
      nowhere: undefined,
      bubble: "/work/by-bubble",
    });
    assert.deepEqual([found.listed?.meta.title, found.listed?.meta.branch], ["From the list", "main"]);
    assert.equal(found.inTable?.meta.title, "Head title");
  });

  it("links subagents to the conversation that started them", () => {
    const home = newHome();
    new State(globalPath(home))
      .exchange("parent", { subagentComposerIds: ["child1"] })
      .exchange("child1")
      .exchange("child2", { subagentInfo: { parentComposerId: "parent" } })
      .db.close();
    const { child1, child2, parent } = conversations(read(testEnv(home)));
    for (const child of [child1, child2]) {
      assert.deepEqual([child?.meta.parent, child?.meta.parent_kind], ["parent", "subagent"]);
    }
    assert.equal(parent?.meta.parent, undefined);
  });

  it("is found where the platform puts it", () => {
    const home = newHome();
    const env = (platform: NodeJS.Platform, vars: Record<string, string> = {}): SourceEnv => ({
      ...testEnv(home, vars),
      platform,
    });
    new State(join(home, "Library/Application Support/Cursor/User/globalStorage/state.vscdb"))
      .exchange("mac")
      .db.close();
    new State(join(home, "AppData/Roaming/Cursor/User/globalStorage/state.vscdb")).exchange("windows").db.close();
    new State(join(home, "data/Cursor/User/globalStorage/state.vscdb")).exchange("moved").db.close();
    new State(globalPath(home)).exchange("linux").db.close();
    assert.equal(read(env("darwin")).only().meta.id, "mac");
    assert.equal(read(env("win32")).only().meta.id, "windows");
    assert.equal(read(env("win32", { APPDATA: join(home, "data") })).only().meta.id, "moved");
    assert.equal(read(env("linux")).only().meta.id, "linux");
    assert.equal(read(env("linux", { XDG_CONFIG_HOME: join(home, "data") })).only().meta.id, "moved");
    assert.deepEqual(cursorHistory.discover(testEnv(join(root, "nobody"))), []);
    assert.ok(cursorHistory.places(env("linux")).every((place) => place.path.startsWith(home)));
  });

  it("is resumed: only changed conversations are read", () => {
    const home = newHome();
    const env = testEnv(home);
    const state = new State(globalPath(home));
    for (const id of ["a", "b", "c"]) state.exchange(id);
    const sink = new CollectingSink();
    const states = readAll(cursorHistory, env, sink);
    const changes = (act: () => void): string[] => {
      act();
      const news = new CollectingSink();
      readAll(cursorHistory, env, news, states);
      for (const [id, conversation] of news.conversations) sink.conversations.set(id, conversation);
      assert.deepEqual(conversations(sink), conversations(read(env)));
      return [...news.conversations.keys()];
    };
    assert.deepEqual(
      changes(() => {}),
      [],
    );
    assert.deepEqual(
      changes(() => state.exchange("b", { lastUpdatedAt: T0 + 2000 })),
      ["b"],
    );
    assert.deepEqual(
      changes(() => state.exchange("c", { name: "Named now" })),
      ["c"],
    );
    assert.deepEqual(
      changes(() => state.exchange("d")),
      ["d"],
    );
    assert.deepEqual(
      changes(() => state.put("bubbleId:zz:1", { type: 1, text: "of nobody" })),
      [],
    );
    assert.deepEqual(
      changes(() => {}),
      [],
    );
    state.db.close();
  });

  it("bubble by bubble gives the same as all at once", () => {
    const home = newHome();
    const env = testEnv(home);
    const state = new State(globalPath(home));
    const sink = new CollectingSink();
    const states = new Map<string, Json | undefined>();
    const bubbles = Array.from({ length: 8 }, (_, at) => ({ type: 1 + (at % 2), text: `bubble ${at}` }));
    for (let length = 1; length <= bubbles.length; length += 1) {
      state.composer("g", bubbles.slice(0, length));
      readAll(cursorHistory, env, sink, states);
      assert.equal(sink.only().messages.length, length);
    }
    assert.deepEqual(conversations(sink), conversations(read(env)));
    const before = sink.delivered;
    readAll(cursorHistory, env, sink, states);
    assert.equal(sink.delivered, before);
    state.db.close();
  });

  it("stays as it is while Cursor has it open", () => {
    const home = newHome();
    const state = new State(globalPath(home));
    state.db.exec("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0");
    state.exchange("a");
    const folder = dirname(state.path);
    const picture = (): string[] =>
      readdirSync(folder).map((name) => `${name} ${readFileSync(join(folder, name)).toString("base64")}`);
    const before = picture();
    assert.equal(before.length, 3);
    assert.deepEqual(words(read(testEnv(home)).only().messages), ["user: question a", "assistant: answer a"]);
    assert.deepEqual(picture(), before);
    state.db.close();
  });
});

describe("the databases of workspaces", () => {
  it("hold the chats of old versions", () => {
    const home = newHome();
    const env = testEnv(home);
    file(join(workspacePath(home, "w"), "workspace.json"), { folder: "file:///work/old" });
    const chats = (extra: object[] = []): object => ({
      tabs: [
        {
          tabId: "tab1",
          chatTitle: "Old chat",
          lastSendTime: T0,
          bubbles: [{ type: "user", rawText: "hello" }, { type: "ai", rawText: "hi" }, ...extra],
        },
        { tabId: "tab2", chatTitle: "Empty", bubbles: [] },
      ],
    });
    const state = new State(join(workspacePath(home, "w"), "state.vscdb"));
    const key = "workbench.panel.aichat.view.aichat.chatdata";
    state.put(key, chats(), "ItemTable");
    const carried = {
      composerId: "carried",
      name: "Carried",
      createdAt: T0,
      conversation: [{ type: 1, text: "inside" }],
    };
    state.put("composer.composerData", { allComposers: [carried, { ...carried, composerId: "moved" }] }, "ItemTable");
    new State(globalPath(home)).exchange("moved").db.close();
    const sink = new CollectingSink();
    const states = readAll(cursorHistory, env, sink);
    const { tab1, carried: inside, moved } = conversations(sink);
    assert.deepEqual(tab1?.meta, {
      id: "tab1",
      source: "cursor",
      title: "Old chat",
      project: "/work/old",
      updated: iso(T0),
    });
    assert.deepEqual(words(tab1?.messages), ["user: hello", "assistant: hi"]);
    assert.deepEqual(words(inside?.messages), ["user: inside"]);
    assert.deepEqual(
      words(moved?.messages),
      ["user: question moved", "assistant: answer moved"],
      "the editor's own record wins",
    );
    assert.equal(sink.conversations.size, 3);

    const before = sink.delivered;
    state.put("window.zoom", "1", "ItemTable");
    readAll(cursorHistory, env, sink, states);
    assert.equal(sink.delivered, before);
    state.put(key, chats([{ type: "user", text: "more" }]), "ItemTable");
    readAll(cursorHistory, env, sink, states);
    assert.equal(sink.delivered, before + 3);
    assert.deepEqual(conversations(sink), conversations(read(env)));
    state.db.close();
  });
});

const varint = (value: number): Buffer =>
  value < 128 ? Buffer.from([value]) : Buffer.from([(value & 127) | 128, value >> 7]);
const field = (number: number, content: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);

/** The store of one chat of cursor-agent. */
class Chat {
  readonly path: string;
  readonly db: DatabaseSync;

  constructor(home: string, folder: string, id: string) {
    this.path = join(home, ".cursor/chats", md5(folder), id, "store.db");
    mkdirSync(dirname(this.path), { recursive: true });
    this.db = new DatabaseSync(this.path);
    this.db.exec(
      "PRAGMA synchronous=OFF; CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)",
    );
  }

  blob(data: object | Buffer): string {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(JSON.stringify(data));
    const id = createHash("sha256").update(bytes).digest("hex");
    this.db.prepare("INSERT OR IGNORE INTO blobs VALUES (?, ?)").run(id, bytes);
    return id;
  }

  node(children: readonly string[], extra: Buffer = Buffer.alloc(0), number = 1): string {
    return this.blob(Buffer.concat([...children.map((child) => field(number, Buffer.from(child, "hex"))), extra]));
  }

  meta(fields: object): this {
    const hex = Buffer.from(JSON.stringify({ agentId: "x", mode: "default", ...fields })).toString("hex");
    this.db.prepare("INSERT OR REPLACE INTO meta VALUES ('0', ?)").run(hex);
    return this;
  }

  /** A prompt and its answer below a root. */
  exchange(tag: string): this {
    const prompt = { role: "user", content: [{ type: "text", text: `<user_query>\nquestion ${tag}\n</user_query>` }] };
    const root = this.node([this.blob(prompt), this.blob({ role: "assistant", content: `answer ${tag}` })]);
    return this.meta({ latestRootBlobId: root, createdAt: T0 });
  }
}

describe("the chats of cursor-agent", () => {
  const folder = "/work/harbour";

  it("are walked from the newest root", () => {
    const home = newHome();
    const id = uuid("chat");
    const chat = new Chat(home, folder, id);
    const text = (role: string, words: string): object => ({ role, content: [{ type: "text", text: words }] });
    const last = chat.blob(text("assistant", "The crane is fixed."));
    const again = chat.blob(text("user", "<user_query>go on</user_query>"));
    const result = chat.blob({
      role: "tool",
      id: "r",
      content: [{ type: "tool-result", toolCallId: "t1", result: "Exit code: 2\n\nCommand output:\nboom" }],
    });
    const call = chat.blob({
      role: "assistant",
      id: "1",
      content: [
        { type: "reasoning", text: "Look first." },
        { type: "redacted-reasoning", data: "x" },
        { type: "text", text: "Running." },
        { type: "tool-call", toolCallId: "t1", toolName: "Shell", args: { command: "make" } },
      ],
    });
    const info = chat.blob(text("user", "<user_info>\nOS: linux\n</user_info>"));
    const prompt = chat.blob({
      role: "user",
      content: [
        { type: "text", text: "<user_info>x</user_info>\n<user_query>\nFix the <b>crane</b>\n</user_query>" },
        { type: "image", image: "AAAA" },
      ],
    });
    chat.blob(text("assistant", "an answer that was taken back"));
    const system = chat.blob({ role: "system", content: "You are an agent." });
    const older = chat.node([system, info, prompt, call, result], Buffer.alloc(0), 2);
    const root = chat.node(
      [older, again, last, again, last],
      Buffer.concat([varint(5 * 8), varint(300), field(7, Buffer.from("x"))]),
    );
    chat.meta({ latestRootBlobId: root, name: "Crane", createdAt: T0, lastUsedModel: "gpt-9" });
    chat.db.close();
    const sink = read(testEnv(home, {}, ["/work/other", folder]));
    assert.deepEqual(sink.malformedLines, []);
    const { meta, messages } = sink.only();
    assert.deepEqual(
      [meta.id, meta.title, meta.project, meta.model, meta.created],
      [id, "Crane", folder, "gpt-9", iso(T0)],
    );
    assert.ok(meta.updated !== undefined);
    assert.deepEqual(words(messages), [
      "user: Fix the <b>crane</b>",
      "user: [image]",
      "assistant: Look first.",
      "assistant: Running.",
      "assistant calls Shell",
      "tool: Exit code: 2\n\nCommand output:\nboom",
      "user: go on",
      "assistant: The crane is fixed.",
      "user: go on",
      "assistant: The crane is fixed.",
    ]);
    assert.deepEqual(messages[2]?.parts, [
      {
        type: "tool_result",
        id: "t1",
        name: "Shell",
        output: "Exit code: 2\n\nCommand output:\nboom",
        is_error: true,
        exit_code: 2,
      },
    ]);
    assert.equal(new Set(messages.map((message) => message.uid)).size, 6, "a repeated blob has no id of its own");
  });

  it("without a root are read in the order they were stored", () => {
    const home = newHome();
    const chat = new Chat(home, folder, "noroot");
    chat.blob({ role: "user", content: "first" });
    chat.blob(Buffer.from([0x0a, 0x20, 1, 2]));
    chat.blob({ role: "assistant", content: "second" });
    chat.blob({ some: "json" });
    chat.meta({ latestRootBlobId: "00" });
    chat.db.close();
    assert.deepEqual(words(read(testEnv(home)).only().messages), ["user: first", "assistant: second"]);
  });

  it("name their folder in several ways", () => {
    const home = newHome();
    new Chat(home, "/unknown/a", "side").exchange("side").db.close();
    file(join(home, ".cursor/chats", md5("/unknown/a"), "side/meta.json"), {
      schemaVersion: 1,
      cwd: "/told/side",
      title: "Side",
      updatedAtMs: T0 + 5,
    });
    const named = new Chat(home, "/unknown/b", "root");
    const root = named.node(
      [named.blob({ role: "user", content: "q" })],
      field(9, Buffer.from("file:///told/by%20root")),
    );
    named.meta({ latestRootBlobId: root }).db.close();
    const project = join(home, "work.d/sea-side_app");
    mkdirSync(project, { recursive: true });
    mkdirSync(join(home, "work.d/sea"));
    new Chat(home, project, "disk").exchange("disk").db.close();
    mkdirSync(join(home, ".cursor/projects", project.replace(/[^A-Za-z0-9]+/g, "-").slice(1)), { recursive: true });
    new Chat(home, "/told/trusted", "trusted").exchange("trusted").db.close();
    file(join(home, ".cursor/projects/told-trusted/.workspace-trusted"), { workspacePath: "/told/trusted" });
    new Chat(home, "/nobody/knows", "lost").exchange("lost").db.close();
    const found = conversations(read(testEnv(home)));
    assert.deepEqual(Object.fromEntries(Object.entries(found).map(([id, each]) => [id, each.meta.project])), {
      side: "/told/side",
      root: "/told/by root",
      disk: project,
      trusted: "/told/trusted",
      lost: undefined,
    });
    assert.deepEqual([found.side?.meta.title, found.side?.meta.updated], ["Side", iso(T0 + 5)]);
  });

  it("are read again when the root moved, not otherwise", () => {
    const home = newHome();
    const env = testEnv(home, {}, [folder]);
    const chat = new Chat(home, folder, "grow");
    const sink = new CollectingSink();
    const states = new Map<string, Json | undefined>();
    const ids: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      ids.push(chat.blob({ role: turn % 2 ? "assistant" : "user", content: `turn ${turn}` }));
      chat.meta({ latestRootBlobId: chat.node(ids), createdAt: T0 });
      readAll(cursorHistory, env, sink, states);
      assert.equal(sink.only().messages.length, turn + 1);
    }
    assert.deepEqual(conversations(sink), conversations(read(env)));
    const before = sink.delivered;
    readAll(cursorHistory, env, sink, states);
    assert.equal(sink.delivered, before);
    chat.db.close();
  });

  it("nodes that name each other do not loop forever", () => {
    const home = newHome();
    const chat = new Chat(home, folder, "loop");
    const [one, two] = ["11".repeat(32), "22".repeat(32)];
    const put = (id: string, data: Buffer): unknown => chat.db.prepare("INSERT INTO blobs VALUES (?, ?)").run(id, data);
    const said = chat.blob({ role: "user", content: "still here" });
    const list = (...ids: string[]): Buffer => Buffer.concat(ids.map((id) => field(1, Buffer.from(id, "hex"))));
    put(one, list(two, said, one));
    put(two, list(one, said));
    chat.meta({ latestRootBlobId: one }).db.close();
    assert.deepEqual(words(read(testEnv(home)).only().messages), ["user: still here"]);
  });
});

const transcripts = (home: string, project = "work-pier"): string =>
  join(home, ".cursor/projects", project, "agent-transcripts");

function line(role: string, ...content: object[]): string {
  return `${JSON.stringify({ role, message: { content } })}\n`;
}

const say = (text: string): object => ({ type: "text", text });

const TRANSCRIPT = [
  line("user", say("<timestamp>now</timestamp>\n<user_query>\nFix the pier – süß\n</user_query>")),
  line("assistant", say("Looking."), { type: "tool_use", name: "Shell", input: { command: "ls" } }),
  line("user", say("<system_reminder>noise</system_reminder>")),
  '{"broken": \n',
  line("assistant", { type: "tool_use", name: "Read", input: { path: "pier.ts" } }),
  `${JSON.stringify({ type: "turn_ended", status: "success" })}\n`,
  line("user", say("<user_query>thanks</user_query>"), { type: "image", source: {} }),
];

describe("agent transcripts", () => {
  it("become conversations, subagents with their parent", () => {
    const home = newHome();
    const folder = transcripts(home);
    const [flat, nested, child] = [uuid("flat"), uuid("nested"), uuid("child")];
    const path = file(join(folder, `${flat}.jsonl`), TRANSCRIPT.join(""));
    utimesSync(path, T0 / 1000, T0 / 1000);
    file(join(folder, nested, `${nested}.jsonl`), line("user", say("nested")));
    file(join(folder, nested, "subagents", `${child}.jsonl`), line("user", say("child")));
    // The same conversation, seen from a window without a folder, and in the older form.
    file(
      join(transcripts(home, "empty-window"), nested, `${nested}.jsonl`),
      line("user", say("a ghost of it")) + line("user", say("x")),
    );
    file(join(folder, `${nested}.txt`), "user:\nolder form\n");
    const sink = read(testEnv(home, {}, ["/work/pier"]));
    const found = conversations(sink);
    assert.equal(sink.conversations.size, 3);
    assert.deepEqual(found[flat]?.meta, {
      id: flat,
      source: "cursor",
      project: "/work/pier",
      created: iso(T0),
      updated: iso(T0),
    });
    assert.deepEqual(words(found[flat]?.messages), [
      "user: Fix the pier – süß",
      "assistant: Looking.",
      "assistant calls Shell",
      "assistant calls Read",
      "user: thanks",
      "user: [image]",
    ]);
    assert.equal(sink.malformedLines.length, 1);
    assert.deepEqual(words(found[nested]?.messages), ["user: nested"]);
    assert.deepEqual([found[child]?.meta.parent, found[child]?.meta.parent_kind], [nested, "subagent"]);
    const elsewhere = testEnv(join(home, "nobody"), { CURSOR_CONFIG_DIR: join(home, ".cursor") });
    assert.equal(read(elsewhere).conversations.size, 3);
  });

  it("of older versions are plain text", () => {
    const home = newHome();
    const text = `user:
<user_query>
Paint it. The file says:
user:
[Tool call] not one
</user_query>

assistant:
[Thinking] Which colour?
Blue, I think.

I will look.
[Tool call] Read
  path: src/paint.ts
  note: two
    lines

[Tool result] Read
export const colour = 1;
[Thinking] Good.
[Tool call] Shell
  command: make paint
assistant:
Done.
user:
plain prompt
`;
    file(join(transcripts(home), "old.txt"), text);
    const env = testEnv(home);
    const sink = new CollectingSink();
    const states = readAll(cursorHistory, env, sink);
    const { messages } = sink.only();
    assert.deepEqual(messages, [
      { role: "user", parts: [{ type: "text", text: "Paint it. The file says:\nuser:\n[Tool call] not one" }] },
      {
        role: "assistant",
        parts: [
          { type: "thinking", text: "Which colour?\nBlue, I think." },
          { type: "text", text: "I will look." },
          { type: "tool_call", name: "Read", input: { path: "src/paint.ts", note: "two\n    lines" } },
        ],
      },
      { role: "tool", parts: [{ type: "tool_result", name: "Read", output: "export const colour = 1;" }] },
      {
        role: "assistant",
        parts: [
          { type: "thinking", text: "Good." },
          { type: "tool_call", name: "Shell", input: { command: "make paint" } },
        ],
      },
      { role: "assistant", parts: [{ type: "text", text: "Done." }] },
      { role: "user", parts: [{ type: "text", text: "plain prompt" }] },
    ]);
    const before = sink.delivered;
    readAll(cursorHistory, env, sink, states);
    assert.equal(sink.delivered, before);
  });

  it("are resumed from where they ended, wherever that was", () => {
    const whole = Buffer.from(TRANSCRIPT.join(""));
    const cuts = [0, 1, 30, 200, whole.indexOf("ü") + 1, whole.length - 1];
    for (let at = whole.indexOf("\n"); at >= 0; at = whole.indexOf("\n", at + 1)) cuts.push(at, at + 1);
    for (const cut of cuts) {
      const home = newHome();
      const env = testEnv(home);
      const path = file(join(transcripts(home), "t.jsonl"), "");
      const append = (bytes: Buffer): void => {
        appendFileSync(path, bytes);
        // A transcript has no times; the file's time is used for them.
        utimesSync(path, T0 / 1000, T0 / 1000);
      };
      append(whole.subarray(0, cut));
      const sink = new CollectingSink();
      const states = readAll(cursorHistory, env, sink);
      append(whole.subarray(cut));
      readAll(cursorHistory, env, sink, states);
      assert.deepEqual(conversations(sink), conversations(read(env)), `cut at ${cut}`);
      const before = sink.delivered;
      readAll(cursorHistory, env, sink, states);
      assert.equal(sink.delivered, before);
    }
  });

  it("are read whole when they were rewritten", () => {
    const home = newHome();
    const env = testEnv(home);
    const path = file(join(transcripts(home), "t.jsonl"), TRANSCRIPT.join(""));
    const sink = new CollectingSink();
    const states = readAll(cursorHistory, env, sink);
    writeFileSync(
      path,
      [...TRANSCRIPT.slice(0, 2), TRANSCRIPT[6], TRANSCRIPT[5], line("user", say("and more"))].join(""),
    );
    readAll(cursorHistory, env, sink, states);
    assert.deepEqual(conversations(sink), conversations(read(env)));
    assert.equal(words(sink.only().messages).at(-1), "user: and more");
  });
});

describe("one conversation in several stores", () => {
  it("is read once, from the richest store", () => {
    const home = newHome();
    const env = testEnv(home, {}, ["/work/pier"]);
    const state = new State(globalPath(home));
    const transcript = (id: string): string =>
      file(join(transcripts(home), id, `${id}.jsonl`), line("user", say(`transcript ${id}`)));
    for (const id of ["all", "chat", "alone", "hollow", "sealed"]) transcript(id);
    new Chat(home, "/work/pier", "all").exchange("all").db.close();
    new Chat(home, "/work/pier", "chat").exchange("chat").db.close();
    const sealed = new Chat(home, "/work/pier", "sealed");
    sealed.blob(Buffer.from("8f3a".repeat(40), "hex"));
    sealed.meta({ latestRootBlobId: "77", blobEncryptionKey: "k" }).db.close();
    state.exchange("all", { name: "In the editor" });
    state.put("composerData:hollow", {
      name: "Only a name",
      createdAt: T0,
      lastUpdatedAt: T0 + 9,
      fullConversationHeadersOnly: [{ bubbleId: "gone" }],
    });
    state.put("bubbleId:hollow:gone", null);

    const sink = new CollectingSink();
    const states = readAll(cursorHistory, env, sink);
    const first = conversations(sink);
    assert.deepEqual(Object.fromEntries(Object.entries(first).map(([id, each]) => [id, words(each.messages)[0]])), {
      all: "user: question all",
      chat: "user: question chat",
      alone: "user: transcript alone",
      hollow: "user: transcript hollow",
      sealed: "user: transcript sealed",
    });
    assert.equal(first.all?.meta.title, "In the editor");
    assert.deepEqual([first.hollow?.meta.title, first.hollow?.meta.created], ["Only a name", iso(T0)]);
    assert.match(sink.malformedLines.join(), /has no readable message/);

    // The editor writes late: once it has written, its record replaces the messages of the transcript.
    state.exchange("alone", { name: "Late" });
    appendFileSync(join(transcripts(home), "alone/alone.jsonl"), line("user", say("more")));
    readAll(cursorHistory, env, sink, states);
    assert.deepEqual(words(sink.conversations.get("alone")?.messages), [
      "user: question alone",
      "assistant: answer alone",
    ]);
    state.db.close();
  });
});

describe("damage never throws", () => {
  const random = seeded(5);
  const hurt = (path: string, home: string, rounds: number): void => {
    const good = readFileSync(path);
    for (let round = 0; round < rounds; round += 1) {
      const bad = flipped(random, good, 30);
      writeFileSync(path, round % 3 === 0 ? bad.subarray(0, below(random, bad.length)) : bad);
      read(testEnv(home));
    }
    writeFileSync(path, good);
  };

  it("to any of the stores", () => {
    const home = newHome();
    const state = new State(globalPath(home));
    for (let at = 0; at < 6; at += 1) state.exchange(`composer${at}`, { name: `n${at}`, pad: "x".repeat(500) });
    state.db.close();
    const chat = new Chat(home, "/w", "chat").exchange("chat");
    chat.db.close();
    const jsonl = file(join(transcripts(home), "t.jsonl"), TRANSCRIPT.join(""));
    const txt = file(
      join(transcripts(home), "o.txt"),
      "user:\n<user_query>\nq\n</user_query>\nassistant:\n[Tool call] A\n  b: c\n[Tool result] A\nd\n",
    );
    const chats = new State(join(workspacePath(home, "w"), "state.vscdb"));
    chats
      .put(
        "workbench.panel.aichat.view.aichat.chatdata",
        { tabs: [{ tabId: "tab", bubbles: [{ type: "user", text: "q" }] }] },
        "ItemTable",
      )
      .db.close();
    for (const path of [state.path, chat.path, jsonl, txt, chats.path]) hurt(path, home, 20);
    assert.equal(read(testEnv(home)).conversations.size, 10);
  });

  it("in values of any shape", () => {
    const home = newHome();
    const state = new State(globalPath(home));
    const odd: (object | string)[] = [
      [],
      {},
      { conversation: {} },
      { conversation: [null, 1, "x", []] },
      { fullConversationHeadersOnly: [{}, { bubbleId: 5 }] },
    ];
    odd.push({
      conversation: [
        { type: 2, toolFormerData: [], thinking: 4, text: {} },
        { type: 1, text: 3, images: {} },
        { type: 2, toolFormerData: { name: "n", result: 7, rawArgs: [], error: {} } },
      ],
    });
    odd.push({
      conversation: [{ type: 1, text: "q", createdAt: 1e30, timestamp: "never" }],
      createdAt: "x",
      lastUpdatedAt: -1,
      context: 5,
      capabilities: [{ data: { bubbleDataMap: "{" } }],
      workspaceIdentifier: { uri: "::" },
    });
    for (const [at, value] of odd.entries()) state.put(`composerData:o${at}`, value);
    state.db.close();
    const sink = read(testEnv(home));
    assert.deepEqual(words(conversations(sink).o6?.messages), ["user: q"]);
  });
});
