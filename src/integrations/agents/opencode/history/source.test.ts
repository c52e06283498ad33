import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import { rounds } from "../../../../../test/support/program/limits.ts";
import { below, flipped, seeded } from "../../../../../test/support/random.ts";
import { CollectingSink, type ReadConversation, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { Json } from "../../../../kernel/json.ts";
import { opencodeHistory } from "./source.ts";

const root = mkdtempSync(join(tmpdir(), "dex-opencode-"));
after(() => rmSync(root, { recursive: true, force: true }));

let made = 0;
function newHome(): string {
  made += 1;
  const home = join(root, `home${made}`);
  mkdirSync(join(home, ".local/share/opencode"), { recursive: true });
  return home;
}

const T0 = Date.UTC(2026, 2, 1, 10);
const iso = (ms: number): string => new Date(ms).toISOString();

const SCHEMA = `
  CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL, vcs text, name text, time_created integer, time_updated integer);
  CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, workspace_id text, parent_id text, fork_session_id text,
    slug text NOT NULL, directory text NOT NULL, path text, title text NOT NULL, version text NOT NULL, share_url text,
    metadata text, cost real DEFAULT 0 NOT NULL, agent text, model text, revert text, time_created integer NOT NULL,
    time_updated integer NOT NULL, time_compacting integer, time_archived integer);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE INDEX part_message_id_id_idx ON part (message_id, id);
  CREATE INDEX part_session_idx ON part (session_id);
  CREATE TABLE session_message (id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  INSERT INTO project VALUES ('global', '/', NULL, NULL, 0, 0), ('p1', '/work/tide', 'git', NULL, 0, 0);`;

/** A database as OpenCode writes it. */
class Fixture {
  readonly path: string;
  readonly db: DatabaseSync;

  constructor(home: string, name = "opencode.db", schema = SCHEMA) {
    this.path = join(home, ".local/share/opencode", name);
    this.db = new DatabaseSync(this.path);
    this.db.exec(`PRAGMA synchronous=OFF; BEGIN; ${schema}; COMMIT`);
  }

  session(id: string, fields: Record<string, string | number | null> = {}): this {
    const row = { id, project_id: "p1", slug: id, directory: "/work/tide/app", title: "Tide tables", version: "1.4.0" };
    return this.insert("session", { ...row, time_created: T0, time_updated: T0, ...fields });
  }

  message(session: string, id: string, at: number, data: object, updated = at): this {
    const json = JSON.stringify({ time: { created: at }, ...data });
    return this.insert("message", { id, session_id: session, time_created: at, time_updated: updated, data: json });
  }

  part(session: string, message: string, id: string, at: number, data: object): this {
    const json = JSON.stringify(data);
    const row = { id, message_id: message, session_id: session, time_created: at, time_updated: at, data: json };
    return this.insert("part", row);
  }

  projected(session: string, id: string, seq: number, at: number, type: string, data: object): this {
    const json = JSON.stringify({ time: { created: at }, ...data });
    return this.insert("session_message", {
      id,
      session_id: session,
      type,
      seq,
      time_created: at,
      time_updated: at,
      data: json,
    });
  }

  insert(table: string, row: Record<string, string | number | null>): this {
    const names = Object.keys(row);
    const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
    this.db.prepare(sql).run(...Object.values(row));
    return this;
  }

  /** A user prompt with its answer: the smallest conversation. */
  exchange(session: string, tag: string, at: number): this {
    return this.message(session, `msg_${tag}1`, at, { role: "user" })
      .part(session, `msg_${tag}1`, `prt_${tag}1`, at, { type: "text", text: `question ${tag}` })
      .message(session, `msg_${tag}2`, at + 10, {
        role: "assistant",
        modelID: "sonnet",
        time: { created: at + 10, completed: at + 90 },
      })
      .part(session, `msg_${tag}2`, `prt_${tag}2`, at + 20, { type: "text", text: `answer ${tag}` });
  }
}

function readWhole(home: string, vars: Record<string, string> = {}): CollectingSink {
  const sink = new CollectingSink();
  readAll(opencodeHistory, testEnv(home, vars), sink);
  return sink;
}

function conversations(sink: CollectingSink): Record<string, ReadConversation> {
  return Object.fromEntries(sink.conversations);
}

function texts(conversation: ReadConversation | undefined): string[] {
  return (conversation?.messages ?? []).flatMap((message) =>
    message.parts.map((part) => (part.type === "text" ? part.text : `${part.type}`)),
  );
}

/** One session that has every kind of part. */
function rich(fixture: Fixture): Fixture {
  const ses = "ses_rich";
  fixture.session(ses, {
    title: "Fix the tide clock",
    time_updated: T0 + 9000,
    model: '{"id":"opus","providerID":"x"}',
  });
  fixture
    .message(ses, "msg_a", T0, { role: "user", agent: "build", summary: { title: "not a compaction", diffs: [] } })
    .part(ses, "msg_a", "prt_a1", T0, { type: "text", text: "  Why is the clock an hour late?  " })
    .part(ses, "msg_a", "prt_a2", T0, { type: "text", synthetic: true, text: "Called the Read tool" })
    .part(ses, "msg_a", "prt_a3", T0, { type: "text", ignored: true, text: "ignored" })
    .part(ses, "msg_a", "prt_a4", T0, { type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" })
    .part(ses, "msg_a", "prt_a5", T0, {
      type: "file",
      mime: "text/plain",
      url: "file:///work/tide/a.ts",
      source: { path: "src/a.ts" },
    })
    .part(ses, "msg_a", "prt_a6", T0, { type: "agent", name: "plan" });
  const step = { role: "assistant", modelID: "opus", providerID: "x", mode: "build" };
  fixture
    .message(ses, "msg_b", T0 + 1000, { ...step, time: { created: T0 + 1000, completed: T0 + 4000 } })
    .part(ses, "msg_b", "prt_b0", T0 + 1000, { type: "step-start" })
    .part(ses, "msg_b", "prt_b1", T0 + 1000, { type: "reasoning", text: "Daylight saving?", time: { start: 1 } })
    .part(ses, "msg_b", "prt_b2", T0 + 1100, { type: "text", text: "Let me run the tests." })
    .part(ses, "msg_b", "prt_b3", T0 + 1200, {
      type: "tool",
      callID: "call_1",
      tool: "bash",
      state: {
        status: "completed",
        input: { command: "npm test" },
        output: "1 failed",
        title: "t",
        metadata: { exit: 1 },
        time: { start: T0 + 1200, end: T0 + 2000 },
      },
    })
    .part(ses, "msg_b", "prt_b4", T0 + 1300, {
      type: "tool",
      callID: "call_2",
      tool: "invalid",
      state: {
        status: "completed",
        input: { tool: "edit", error: "oldString" },
        output: "The arguments are invalid",
        metadata: {},
        time: { start: 1, end: T0 + 2100 },
      },
    })
    .part(ses, "msg_b", "prt_b5", T0 + 2200, { type: "step-finish", reason: "tool-calls", cost: 0, tokens: {} })
    .part(ses, "msg_b", "prt_b6", T0 + 2300, { type: "step-start" })
    .part(ses, "msg_b", "prt_b7", T0 + 2400, { type: "text", text: "It is the offset." })
    .part(ses, "msg_b", "prt_b8", T0 + 2500, {
      type: "tool",
      callID: "call_3",
      tool: "task",
      state: {
        status: "completed",
        input: { prompt: "look" },
        output: "found",
        metadata: { sessionId: "ses_child" },
        time: { start: 1, end: T0 + 3000 },
      },
    })
    .part(ses, "msg_b", "prt_b9", T0 + 2600, {
      type: "tool",
      callID: "call_4",
      tool: "edit",
      state: {
        status: "error",
        input: { filePath: "/work/tide/clock.ts" },
        error: "no such file",
        time: { start: 1, end: T0 + 3100 },
      },
    })
    .part(ses, "msg_b", "prt_bA", T0 + 2700, {
      type: "tool",
      callID: "call_5",
      tool: "read",
      state: { status: "running", input: { filePath: "/x" }, time: { start: 1 } },
    })
    .part(ses, "msg_b", "prt_bB", T0 + 2800, { type: "patch", hash: "h", files: ["/work/tide/clock.ts"] });
  fixture
    .message(ses, "msg_c", T0 + 5000, { role: "user" })
    .part(ses, "msg_c", "prt_c1", T0 + 5000, { type: "compaction", auto: true })
    .message(ses, "msg_d", T0 + 5100, { ...step, mode: "compaction", summary: true })
    .part(ses, "msg_d", "prt_d1", T0 + 5100, { type: "text", text: "## Goal\nFix the clock" })
    .message(ses, "msg_e", T0 + 6000, { role: "user" })
    .part(ses, "msg_e", "prt_e1", T0 + 6000, { type: "text", synthetic: true, text: "Continue if you have next steps" })
    .message(ses, "msg_f", T0 + 7000, { ...step, error: { name: "APIError", data: { message: "rate limited" } } })
    .message(ses, "msg_g", T0 + 8000, {
      ...step,
      error: { name: "MessageAbortedError", data: { message: "stopped" } },
    });
  return fixture;
}

describe("message and part rows", () => {
  it("become messages", () => {
    const home = newHome();
    rich(new Fixture(home)).db.close();
    const sink = readWhole(home);
    assert.deepEqual(sink.malformedLines, []);
    const { meta, messages } = sink.only();
    assert.deepEqual(meta, {
      id: "ses_rich",
      source: "opencode",
      title: "Fix the tide clock",
      project: "/work/tide/app",
      model: "opus",
      created: iso(T0),
      updated: iso(T0 + 9000),
    });
    assert.deepEqual(messages, [
      {
        role: "user",
        time: iso(T0),
        uid: "msg_a",
        parts: [
          { type: "text", text: "Why is the clock an hour late?" },
          { type: "text", text: "[image]" },
          { type: "text", text: "[file src/a.ts]" },
        ],
      },
      {
        role: "assistant",
        time: iso(T0 + 1000),
        uid: "msg_b",
        model: "opus",
        parts: [
          { type: "thinking", text: "Daylight saving?" },
          { type: "text", text: "Let me run the tests." },
          { type: "tool_call", id: "call_1", name: "bash", input: { command: "npm test" } },
          { type: "tool_call", id: "call_2", name: "invalid", input: { tool: "edit", error: "oldString" } },
        ],
      },
      {
        role: "tool",
        time: iso(T0 + 2100),
        uid: "prt_b3",
        parts: [
          { type: "tool_result", id: "call_1", name: "bash", output: "1 failed", is_error: true, exit_code: 1 },
          { type: "tool_result", id: "call_2", name: "invalid", output: "The arguments are invalid", is_error: true },
        ],
      },
      {
        role: "assistant",
        time: iso(T0 + 1000),
        uid: "prt_b6",
        model: "opus",
        parts: [
          { type: "text", text: "It is the offset." },
          { type: "tool_call", id: "call_3", name: "task", input: { prompt: "look" } },
          {
            type: "tool_call",
            id: "call_4",
            name: "edit",
            input: { filePath: "/work/tide/clock.ts" },
            files: ["/work/tide/clock.ts"],
          },
          { type: "tool_call", id: "call_5", name: "read", input: { filePath: "/x" }, files: ["/x"] },
        ],
      },
      {
        role: "tool",
        time: iso(T0 + 3100),
        uid: "prt_b8",
        parts: [
          { type: "tool_result", id: "call_3", name: "task", output: "found", agent: "ses_child" },
          { type: "tool_result", id: "call_4", name: "edit", output: "no such file", is_error: true },
        ],
      },
      {
        role: "system",
        kind: "summary",
        time: iso(T0 + 5100),
        uid: "msg_d",
        model: "opus",
        parts: [{ type: "text", text: "## Goal\nFix the clock" }],
      },
      {
        role: "assistant",
        time: iso(T0 + 7000),
        uid: "msg_f",
        model: "opus",
        parts: [{ type: "text", text: "[error] rate limited" }],
      },
    ]);
  });

  it("order by time, not by id: ids restart every two years", () => {
    const home = newHome();
    const fixture = new Fixture(home).session("ses_wrap");
    fixture.exchange("ses_wrap", "zz", T0).exchange("ses_wrap", "aa", T0 + 1000);
    fixture.db.close();
    assert.deepEqual(texts(readWhole(home).only()), ["question zz", "answer zz", "question aa", "answer aa"]);
  });

  it("of the first databases, which have fewer columns", () => {
    const home = newHome();
    const schema = `CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, time_created integer, time_updated integer);
      CREATE TABLE project (id text PRIMARY KEY, worktree text);
      INSERT INTO project VALUES ('p1', '/work/reef'), ('global', '/');
      CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
      CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text);`;
    const fixture = new Fixture(home, "opencode.db", schema);
    const base = { time_created: T0, time_updated: T0, directory: "" };
    fixture.insert("session", {
      id: "ses_1",
      project_id: "p1",
      title: "New session - 2026-03-01T10:00:00.000Z",
      ...base,
    });
    fixture.insert("session", { id: "ses_2", project_id: "global", parent_id: "ses_1", title: "Child", ...base });
    fixture.insert("session", { id: "ses_3", project_id: "p1", title: "No messages", ...base });
    fixture.exchange("ses_1", "a", T0).exchange("ses_2", "b", T0);
    fixture.db.close();
    const { ses_1, ses_2, ses_3 } = conversations(readWhole(home));
    assert.deepEqual([ses_1?.meta.project, ses_1?.meta.title, ses_1?.meta.model], ["/work/reef", undefined, "sonnet"]);
    assert.deepEqual(
      [ses_2?.meta.project, ses_2?.meta.parent, ses_2?.meta.parent_kind],
      [undefined, "ses_1", "subagent"],
    );
    assert.equal(ses_3, undefined);
  });

  it("that are broken are counted and skipped", () => {
    const home = newHome();
    const fixture = new Fixture(home).session("ses_1").exchange("ses_1", "a", T0);
    fixture.insert("message", {
      id: "msg_x",
      session_id: "ses_1",
      time_created: T0 + 5,
      time_updated: 0,
      data: "{torn",
    });
    fixture.insert("part", {
      id: "prt_x",
      message_id: "msg_a1",
      session_id: "ses_1",
      time_created: T0,
      time_updated: 0,
      data: "[1]",
    });
    fixture.db.close();
    const sink = readWhole(home);
    assert.deepEqual(texts(sink.only()), ["question a", "answer a"]);
    assert.equal(sink.malformedLines.length, 2);
  });
});

describe("session_message rows", () => {
  it("become messages", () => {
    const home = newHome();
    const ses = "ses_new";
    const fixture = new Fixture(home).session(ses);
    const tool = (id: string, name: string, state: object): object => ({
      type: "tool",
      id,
      name,
      state,
      time: { created: T0, completed: T0 + 50 },
    });
    fixture
      .projected(ses, "msg_5", 5, T0 + 5, "compaction", { reason: "auto", summary: "So far so good", recent: "…" })
      .projected(ses, "msg_1", 1, T0 + 1, "user", {
        text: "Start",
        files: [{ uri: "data:x", mime: "image/png" }],
        agents: [],
      })
      .projected(ses, "msg_2", 2, T0 + 2, "assistant", {
        agent: "build",
        model: { id: "haiku", providerID: "x" },
        content: [
          { type: "reasoning", id: "r", text: "hmm" },
          { type: "text", id: "t", text: "Working" },
          tool("c1", "bash", {
            status: "completed",
            input: { command: "ls" },
            content: [{ type: "text", text: "a.ts" }],
            structured: { exit: 0 },
          }),
          tool("c2", "read", {
            status: "error",
            input: { filePath: "/q" },
            content: [],
            structured: {},
            error: { type: "unknown", message: "gone" },
          }),
          tool("c3", "grep", { status: "streaming", input: '{"pat' }),
        ],
      })
      .projected(ses, "msg_3", 3, T0 + 3, "shell", { callID: "s1", command: "git status", output: "clean", exit: 0 })
      .projected(ses, "msg_4", 4, T0 + 4, "synthetic", { text: "noise" })
      .projected(ses, "msg_6", 6, T0 + 6, "system", { text: "noise" })
      .projected(ses, "msg_7", 7, T0 + 7, "model-switched", { model: { id: "z" } });
    fixture.db.close();
    const { messages } = readWhole(home).only();
    assert.deepEqual(
      messages.map((message) => [message.role, message.kind, message.uid, message.parts]),
      [
        [
          "user",
          undefined,
          "msg_1",
          [
            { type: "text", text: "Start" },
            { type: "text", text: "[image]" },
          ],
        ],
        [
          "assistant",
          undefined,
          "msg_2",
          [
            { type: "thinking", text: "hmm" },
            { type: "text", text: "Working" },
            { type: "tool_call", id: "c1", name: "bash", input: { command: "ls" } },
            { type: "tool_call", id: "c2", name: "read", input: { filePath: "/q" }, files: ["/q"] },
            { type: "tool_call", id: "c3", name: "grep", input: '{"pat' },
          ],
        ],
        [
          "tool",
          undefined,
          undefined,
          [
            { type: "tool_result", id: "c1", name: "bash", output: "a.ts", exit_code: 0 },
            { type: "tool_result", id: "c2", name: "read", output: "gone", is_error: true },
          ],
        ],
        [
          "user",
          undefined,
          "msg_3",
          [{ type: "tool_call", id: "s1", name: "shell", input: { command: "git status" } }],
        ],
        [
          "tool",
          undefined,
          undefined,
          [{ type: "tool_result", id: "s1", name: "shell", output: "clean", exit_code: 0 }],
        ],
        ["system", "summary", "msg_5", [{ type: "text", text: "So far so good" }]],
      ],
    );
  });

  it("next to the older rows of the same session: duplicates appear once", () => {
    const home = newHome();
    const ses = "ses_both";
    const fixture = new Fixture(home)
      .session(ses)
      .exchange(ses, "a", T0)
      .exchange(ses, "b", T0 + 1000);
    fixture
      .projected(ses, "evt_1", 1, T0 + 3, "user", { text: "question a" })
      .projected(ses, "evt_2", 2, T0 + 30, "assistant", { content: [{ type: "text", text: "answer a" }] })
      .projected(ses, "msg_b1", 3, T0 + 1000, "user", { text: "question b" })
      .projected(ses, "evt_4", 4, T0 + 500, "user", { text: "typed in the new program" })
      .projected(ses, "evt_5", 5, T0 + 9000, "user", { text: "question c" })
      .projected(ses, "evt_6", 6, T0 + 9100, "assistant", { content: [{ type: "text", text: "answer c" }] });
    fixture.db.close();
    assert.deepEqual(texts(readWhole(home).only()), [
      "question a",
      "answer a",
      "typed in the new program",
      "question b",
      "answer b",
      "question c",
      "answer c",
    ]);
  });
});

describe("forks", () => {
  it("name their origin and contain only their new messages", () => {
    const home = newHome();
    const fixture = new Fixture(home).session("ses_o", { title: "Buoys" }).exchange("ses_o", "o", T0);
    const copy = (id: string, fields: Record<string, string | number>): void => {
      fixture
        .session(id, { time_created: T0 + 500, ...fields })
        .exchange(id, `${id}x`, T0)
        .exchange(id, `${id}y`, T0 + 2000 + id.length);
    };
    copy("ses_title", { title: "Buoys (fork #1)" });
    copy("ses_title2", { title: "Buoys (fork #2)" });
    copy("ses_named", { title: "Anything", fork_session_id: "ses_o" });
    copy("ses_meta", { title: "Anything", metadata: '{"fork":{"sessionID":"ses_o"}}' });
    copy("ses_child", { title: "Buoys (fork #1)", parent_id: "ses_o" });
    fixture.session("ses_same", { title: "Buoys (fork #1)" }).exchange("ses_same", "same", T0);
    fixture.session("ses_other", { title: "Buoys (fork #1)" }).exchange("ses_other", "other", T0 + 7000);
    fixture.db.close();
    const found = conversations(readWhole(home));
    for (const id of ["ses_title", "ses_named", "ses_meta", "ses_child"]) {
      assert.deepEqual([found[id]?.meta.parent, found[id]?.meta.parent_kind], ["ses_o", "fork"], id);
      assert.deepEqual(texts(found[id]), [`question ${id}y`, `answer ${id}y`], id);
    }
    assert.equal(found.ses_title2?.meta.parent, "ses_title");
    assert.equal(found.ses_same, undefined, "a fork nobody went on with");
    assert.deepEqual([found.ses_other?.meta.parent, found.ses_other?.messages.length], [undefined, 2]);
  });
});

describe("the order of reading", () => {
  it("is newest first, and reports its progress", () => {
    const home = newHome();
    const db = new Fixture(home);
    for (const [n, age] of [3, 1, 2].entries()) {
      const at = T0 - age * 1000;
      db.session(`s${age}`, { time_created: T0 - (3 - n) * 5000, time_updated: at });
      db.message(`s${age}`, `m${age}`, at, { role: "user" });
      db.part(`s${age}`, `m${age}`, `p${age}`, at, { type: "text", text: `said ${age}` });
    }
    db.db.close();
    const shares: number[] = [];
    const sink = Object.assign(new CollectingSink(), { progress: (share: number) => void shares.push(share) });
    readAll(opencodeHistory, testEnv(home), sink);
    assert.deepEqual([...sink.conversations.keys()], ["s1", "s2", "s3"]);
    assert.deepEqual(shares, [0, 1 / 3, 2 / 3]);
  });
});

describe("incremental reading of a database", () => {
  it("reads only changed sessions again", () => {
    const home = newHome();
    const env = testEnv(home);
    const fixture = new Fixture(home);
    for (const id of ["a", "b", "c", "d"]) fixture.session(`ses_${id}`).exchange(`ses_${id}`, id, T0);
    const sink = new CollectingSink();
    const states = readAll(opencodeHistory, env, sink);
    const changes = (act: () => void): string[] => {
      act();
      const news = new CollectingSink();
      readAll(opencodeHistory, env, news, states);
      for (const [id, conversation] of news.conversations) sink.conversations.set(id, conversation);
      assert.deepEqual(conversations(sink), conversations(readWhole(home)));
      return [...news.conversations.keys()];
    };
    assert.deepEqual(
      changes(() => {}),
      [],
    );
    assert.deepEqual(
      changes(() =>
        fixture.db.exec(
          `UPDATE part SET data = '{"type":"text","text":"new"}', time_updated = ${T0 + 500} WHERE id = 'prt_b2'`,
        ),
      ),
      ["ses_b"],
    );
    assert.deepEqual(
      changes(() => {}),
      [],
    );
    assert.deepEqual(
      changes(() =>
        fixture.db.exec(`UPDATE session SET title = 'Renamed', time_updated = ${T0 + 600} WHERE id = 'ses_c'`),
      ),
      ["ses_c"],
    );
    assert.deepEqual(
      changes(() =>
        fixture.db.exec(
          `UPDATE session SET title = 'In the same instant', time_updated = ${T0 + 600} WHERE id = 'ses_d'`,
        ),
      ),
      ["ses_d"],
    );
    assert.deepEqual(
      changes(() => fixture.session("ses_old", { time_updated: 5 }).exchange("ses_old", "old", T0 - 9_000_000)),
      ["ses_old"],
      "an import",
    );
    assert.deepEqual(
      changes(() => fixture.projected("ses_a", "evt_1", 1, T0 + 700, "user", { text: "more" })),
      ["ses_a"],
    );
    assert.deepEqual(
      changes(() => fixture.db.exec("VACUUM")),
      [],
    );
    // A row from the future: read, and later rows with correct times are still found.
    assert.deepEqual(
      changes(() =>
        fixture.db.exec(`UPDATE session SET title = 'Ahead', time_updated = ${Date.now() + 1e10} WHERE id = 'ses_c'`),
      ),
      ["ses_c"],
    );
    assert.deepEqual(changes(() => fixture.exchange("ses_d", "d2", Date.now())).includes("ses_d"), true);
    fixture.db.close();
  });

  it("finds what an upgrade added, and survives a time when it cannot be read", () => {
    const home = newHome();
    const env = testEnv(home);
    const fixture = new Fixture(home).session("ses_1").exchange("ses_1", "a", T0);
    fixture.db.exec("ALTER TABLE session_message RENAME TO later");
    const sink = new CollectingSink();
    const states = readAll(opencodeHistory, env, sink);
    fixture.db.exec("ALTER TABLE later RENAME TO session_message");
    fixture.projected("ses_1", "evt_1", 1, T0 + 9000, "user", { text: "after the upgrade" });
    fixture.db.close();
    const good = readFileSync(fixture.path);
    writeFileSync(fixture.path, "for a moment this is something else");
    readAll(opencodeHistory, env, sink, states);
    assert.deepEqual([sink.malformedLines.length, sink.delivered], [1, 2]);
    writeFileSync(fixture.path, good);
    readAll(opencodeHistory, env, sink, states);
    assert.deepEqual(texts(sink.only()), ["question a", "answer a", "after the upgrade"]);
    assert.deepEqual(conversations(sink), conversations(readWhole(home)));
  });

  it("row by row gives the same as all at once", () => {
    const source = newHome();
    const full = rich(new Fixture(source));
    full.session("ses_n").projected("ses_n", "evt_1", 1, T0, "user", { text: "hi" });
    const home = newHome();
    const env = testEnv(home);
    const growing = new Fixture(home);
    const sink = new CollectingSink();
    const states = new Map<string, Json | undefined>();
    for (const table of ["session", "message", "part", "session_message"]) {
      for (const row of full.db.prepare(`SELECT * FROM ${table} ORDER BY time_created, id`).all()) {
        growing.insert(table, row as Record<string, string | number | null>);
        readAll(opencodeHistory, env, sink, states);
      }
    }
    assert.deepEqual(conversations(sink), conversations(readWhole(source)));
    const before = sink.delivered;
    readAll(opencodeHistory, env, sink, states);
    assert.equal(sink.delivered, before);
    assert.ok(JSON.stringify([...states.values()]).length < 2000);
    full.db.close();
    growing.db.close();
  });

  it("while OpenCode has it open, leaving its files unchanged", () => {
    const home = newHome();
    const fixture = new Fixture(home);
    fixture.db.exec("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0");
    fixture.session("ses_1").exchange("ses_1", "a", T0);
    const folder = dirname(fixture.path);
    const picture = (): string[] =>
      readdirSync(folder).map((name) => `${name} ${readFileSync(join(folder, name)).toString("base64")}`);
    const before = picture();
    assert.equal(before.length, 3);
    const sink = readWhole(home);
    assert.deepEqual([texts(sink.only()), sink.malformedLines], [["question a", "answer a"], []]);
    assert.deepEqual(picture(), before);
    fixture.db.close();
  });
});

describe("where sessions are", () => {
  it("in every channel's database, in OPENCODE_DB, below XDG_DATA_HOME", () => {
    const home = newHome();
    new Fixture(home).session("ses_1").exchange("ses_1", "a", T0).db.close();
    new Fixture(home, "opencode-dev.db").session("ses_2").exchange("ses_2", "b", T0).db.close();
    new Fixture(home, "mine.db").session("ses_3").exchange("ses_3", "c", T0).db.close();
    writeFileSync(join(home, ".local/share/opencode/opencode.db.bak"), "x");
    assert.deepEqual([...readWhole(home).conversations.keys()].sort(), ["ses_1", "ses_2"]);
    assert.deepEqual([...readWhole(home, { OPENCODE_DB: "mine.db" }).conversations.keys()].sort(), [
      "ses_1",
      "ses_2",
      "ses_3",
    ]);
    const absolute = join(home, ".local/share/opencode/mine.db");
    assert.equal(readWhole(home, { OPENCODE_DB: absolute }).conversations.size, 3);
    assert.equal(readWhole(home, { OPENCODE_DB: ":memory:" }).conversations.size, 2);
    assert.equal(readWhole("/nowhere", { XDG_DATA_HOME: join(home, ".local/share") }).conversations.size, 2);
    assert.deepEqual(opencodeHistory.discover(testEnv(join(root, "nobody"))), []);
    assert.ok(opencodeHistory.places(testEnv(home)).every((place) => place.path.startsWith(home)));
  });

  it("a file of that name that is not a database is reported", () => {
    const home = newHome();
    writeFileSync(join(home, ".local/share/opencode/opencode.db"), "not a database at all");
    new DatabaseSync(join(home, ".local/share/opencode/opencode-x.db")).exec("CREATE TABLE t(a)");
    const sink = readWhole(home);
    assert.equal(sink.conversations.size, 0);
    assert.match(sink.malformedLines.join("\n"), /opencode-x\.db: has no sessions/);
    assert.match(sink.malformedLines.join("\n"), /opencode\.db: is not a SQLite database/);
  });
});

function file(path: string, value: object | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
}

/** The tree of JSON files that versions before 1.2 wrote. */
function tree(home: string, layout: "newer" | "older"): string {
  const storage = join(home, ".local/share/opencode/storage");
  const base = layout === "newer" ? storage : join(storage, "session");
  const info = layout === "newer" ? join(storage, "session/p9/ses_t.json") : join(base, "info/ses_t.json");
  const part = layout === "newer" ? join(base, "part") : join(base, "part/ses_t");
  file(join(storage, "project/p9.json"), { id: "p9", worktree: "/work/kelp" });
  file(info, { id: "ses_t", projectID: "p9", title: "Kelp", version: "1.0", time: { created: T0, updated: T0 + 5 } });
  file(join(base, "message/ses_t/msg_1.json"), {
    id: "msg_1",
    sessionID: "ses_t",
    role: "user",
    time: { created: T0 },
  });
  file(join(part, "msg_1/prt_1.json"), { id: "prt_1", messageID: "msg_1", type: "text", text: "Where is the kelp?" });
  file(join(base, "message/ses_t/msg_2.json"), {
    id: "msg_2",
    role: "assistant",
    modelID: "m",
    time: { created: T0 + 1 },
  });
  file(join(part, "msg_2/prt_3.json"), { id: "prt_3", type: "text", text: "there" });
  file(join(part, "msg_2/prt_2.json"), { id: "prt_2", type: "reasoning", text: "north" });
  return base;
}

describe("the JSON files before 1.2", () => {
  for (const layout of ["newer", "older"] as const) {
    it(`in the ${layout} layout`, () => {
      const home = newHome();
      const base = tree(home, layout);
      const env = testEnv(home);
      const sink = new CollectingSink();
      const states = readAll(opencodeHistory, env, sink);
      assert.deepEqual(sink.malformedLines, []);
      const { meta, messages } = sink.only();
      assert.deepEqual(
        [meta.id, meta.title, meta.project, meta.created, meta.model],
        ["ses_t", "Kelp", "/work/kelp", iso(T0), "m"],
      );
      assert.deepEqual(
        messages.map((message) => message.parts),
        [
          [{ type: "text", text: "Where is the kelp?" }],
          [
            { type: "thinking", text: "north" },
            { type: "text", text: "there" },
          ],
        ],
      );
      const before = sink.delivered;
      readAll(opencodeHistory, env, sink, states);
      assert.equal(sink.delivered, before);

      const stamp = (): string => opencodeHistory.discover(env)[0]?.stamp ?? "";
      const first = stamp();
      file(join(base, "message/ses_t/msg_3.json"), { id: "msg_3", role: "user", time: { created: T0 + 2 } });
      const second = stamp();
      file(join(base, "part", ...(layout === "older" ? ["ses_t"] : []), "msg_3/prt_4.json"), {
        type: "text",
        text: "thanks",
      });
      const third = stamp();
      utimesSync(join(base, "message/ses_t/msg_3.json"), 2_000_000_000, 2_000_000_000);
      assert.equal(new Set([first, second, third, stamp()]).size, 4, "each step of writing shows in the stamp");
      readAll(opencodeHistory, env, sink, states);
      assert.deepEqual(conversations(sink), conversations(readWhole(home)));
      assert.equal(sink.only().messages.length, 3);
    });
  }

  it("are skipped when a database has the session", () => {
    const home = newHome();
    tree(home, "newer");
    const fixture = new Fixture(home).session("ses_t", { title: "From the database" });
    assert.equal(readWhole(home).only().meta.title, "Kelp", "an empty session in the database does not count");
    fixture.exchange("ses_t", "q", T0);
    fixture.db.close();
    assert.equal(readWhole(home).only().meta.title, "From the database");
  });

  it("parts inside the message, and a project folder of the first versions", () => {
    const home = newHome();
    const session = join(home, ".local/share/opencode/project/work-kelp/storage/session");
    file(join(session, "info/ses_0.json"), { id: "ses_0", title: "First", time: { created: T0 } });
    file(join(session, "message/ses_0/msg_1.json"), {
      id: "msg_1",
      role: "user",
      parts: [{ type: "text", text: "hello" }],
    });
    assert.deepEqual(texts(readWhole(home).only()), ["hello"]);
  });
});

describe("damage", () => {
  const random = seeded(11);
  const damaged = (good: Buffer): Buffer => {
    const bad = flipped(random, good, 30);
    return below(random, 3) === 0 ? bad.subarray(0, below(random, bad.length)) : bad;
  };

  it("to the database never throws", () => {
    const home = newHome();
    const fixture = rich(new Fixture(home));
    fixture.session("ses_n").projected("ses_n", "evt_1", 1, T0, "user", { text: "hi" });
    fixture.db.close();
    const good = readFileSync(fixture.path);
    for (let round = 0; round < rounds(30, 120); round += 1) {
      writeFileSync(fixture.path, damaged(good));
      readWhole(home);
    }
  });

  it("to the JSON files never throws", () => {
    const home = newHome();
    const base = tree(home, "newer");
    for (const name of ["session/p9/ses_t.json", "message/ses_t/msg_2.json", "part/msg_2/prt_3.json"]) {
      const path = join(base, name);
      const good = readFileSync(path);
      for (let round = 0; round < rounds(12, 40); round += 1) {
        writeFileSync(path, damaged(good));
        readWhole(home);
      }
      writeFileSync(path, good);
    }
    assert.equal(readWhole(home).only().messages.length, 2);
  });
});
