import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  call,
  container,
  newHome,
  PROJECT,
  put,
  readOnly,
  results,
  richTranscript,
  SESSION,
  say,
  Transcript,
  texts,
} from "../../../../../test/support/histories/claude.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import type { Json, JsonObject } from "../../../../kernel/json.ts";
import { claudeCodeHistory } from "./source.ts";

describe("finding transcripts", () => {
  it("finds sessions and subagents in the three layouts, and nothing else", () => {
    const home = newHome();
    const line = new Transcript().prompt("hello").text;
    for (const path of [
      `${SESSION}.jsonl`,
      "agent-old.jsonl",
      `${SESSION}/subagents/agent-a1.jsonl`,
      `${SESSION}/subagents/agent-a1.meta.json`,
      `${SESSION}/subagents/workflows/wf/agent-b2.jsonl`,
      `${SESSION}/subagents/workflows/wf/journal.jsonl`,
      `${SESSION}/tool-results/out.jsonl`,
      "sessions-index.json",
    ])
      put(home, path, line);
    const found = claudeCodeHistory.discover(testEnv(home));
    const root = join(home, ".claude", "projects", PROJECT);
    assert.deepEqual(
      found.map((each) => each.path.slice(root.length + 1)).sort(),
      [
        `${SESSION}.jsonl`,
        `${SESSION}/subagents/agent-a1.jsonl`,
        `${SESSION}/subagents/workflows/wf/agent-b2.jsonl`,
        "agent-old.jsonl",
      ].sort(),
    );
    const sink = new CollectingSink();
    readAll(claudeCodeHistory, testEnv(home), sink);
    for (const id of ["agent-a1", "agent-b2", "agent-old"]) {
      const meta = sink.conversations.get(id)?.meta;
      assert.deepEqual([meta?.parent, meta?.parent_kind], [SESSION, "subagent"], id);
    }
    assert.equal(sink.conversations.get(SESSION)?.meta.parent, undefined);
  });

  it("looks where CLAUDE_CONFIG_DIR says, and under XDG", () => {
    const home = newHome();
    const line = new Transcript().prompt("hello").text;
    put(home, "not-read.jsonl", line);
    for (const folder of ["elsewhere", ".config/claude"]) {
      mkdirSync(join(home, folder, "projects/p"), { recursive: true });
      writeFileSync(join(home, folder, "projects/p", `${folder.length}.jsonl`), line);
    }
    const found = claudeCodeHistory.discover(testEnv(home, { CLAUDE_CONFIG_DIR: join(home, "elsewhere") }));
    assert.deepEqual(found.map((each) => each.path.slice(home.length + 1)).sort(), [
      ".config/claude/projects/p/14.jsonl",
      "elsewhere/projects/p/9.jsonl",
    ]);
    assert.deepEqual(claudeCodeHistory.discover(testEnv(join(home, "missing"))), []);
  });
});

describe("messages", () => {
  it("reads a session with its metadata", () => {
    const { meta, messages } = readOnly(richTranscript());
    assert.deepEqual(meta, {
      id: SESSION,
      source: "claude_code",
      title: "The fast parser",
      project: "/srv/demo",
      branch: "faster",
      model: "claude-test-1",
      prs: ["https://example.com/demo/pull/7"],
    });
    assert.deepEqual(texts(messages), [
      "user: Make the parser faster",
      "assistant: Where is the time spent? | I will look. | Read() | Bash()",
      "tool: =1\tconst a = 1;",
      "tool: =ok",
      "assistant: The tests pass.",
      "user(queued): and update the changelog",
      "assistant: Now the changelog. | Edit()",
      "tool: =edited",
      "assistant: Done.",
      "user(queued): ship it",
      "assistant: Agent()",
      "tool: =Looks good",
      "system: Shipped.",
      "system(summary): Summary: the parser is fast",
      "user: Thanks, ünïcode 🙂 too",
      "assistant: You are welcome.",
      "user(queued): one more thing",
    ]);
    assert.deepEqual(messages[0], {
      role: "user",
      time: "2026-03-01T10:00:05.000Z",
      parts: [{ type: "text", text: "Make the parser faster" }],
      uid: "u3",
    });
  });

  it("joins the records of one answer across another answer and a prompt", () => {
    const t = new Transcript().prompt("go").answer("a", say("A one")).answer("b", say("B")).prompt("wait");
    t.answer("a", say("A two"));
    assert.deepEqual(texts(readOnly(t).messages), [
      "user: go",
      "assistant: A one | A two",
      "assistant: B",
      "user: wait",
    ]);
  });

  it("skips a record that is there twice", () => {
    const t = new Transcript().prompt("once").answer("a", say("yes"));
    const repeated = t.records[1] ?? {};
    t.prompt("twice")
      .raw(repeated)
      .raw(t.records[0] ?? {});
    assert.deepEqual(texts(readOnly(t).messages), ["user: once", "assistant: yes", "user: twice"]);
  });

  it("keeps both branches of a rewind and the records of an inline subagent, in file order", () => {
    const t = new Transcript().prompt("first try", { parentUuid: "root" }).answer("a", say("one"));
    t.prompt("second try", { parentUuid: "root" }).answer("b", call("c", "Task"));
    t.prompt("explore", { isSidechain: true }).answer("s", say("explored")).result("c", "done");
    const { meta, messages } = readOnly(t);
    assert.deepEqual(texts(messages), [
      "user: first try",
      "assistant: one",
      "user: second try",
      "assistant: Task()",
      "user: explore",
      "assistant: explored",
      "tool: =done",
    ]);
    assert.equal(results({ meta, messages })[0]?.name, "Task");
  });

  it("replaces images by a marker and never stores their bytes", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAABBBB" } };
    const t = new Transcript().prompt([image, say("what is this?")]).answer("a", call("c", "Read"));
    const conversation = readOnly(t.result("c", [image]));
    assert.deepEqual(texts(conversation.messages), [
      "user: [image] | what is this?",
      "assistant: Read()",
      "tool: =[image]",
    ]);
    assert.ok(!JSON.stringify(conversation).includes("AAAABBBB"));
  });

  it("records API errors as system text, once for all retries", () => {
    const t = new Transcript().prompt("go");
    for (const retryAttempt of [1, 2, 3])
      t.chain({
        type: "system",
        subtype: "api_error",
        error: { status: 529, formatted: "529 Overloaded" },
        retryAttempt,
      });
    const synthetic = (text: string, isApiErrorMessage: boolean): void => {
      const message = { id: `s${t.last}`, role: "assistant", model: "<synthetic>", content: [say(text)] };
      t.chain({ type: "assistant", message, isApiErrorMessage });
    };
    synthetic("API Error: 401 please log in", true);
    synthetic("No response requested.", false);
    const { meta, messages } = readOnly(t);
    assert.deepEqual(texts(messages), [
      "user: go",
      "system: API error: 529 Overloaded",
      "system: API Error: 401 please log in",
    ]);
    assert.equal(meta.model, undefined);
  });

  it("marks sessions started by programs", () => {
    const started = (fields: JsonObject): boolean | undefined =>
      readOnly(new Transcript().prompt("go", fields).prompt("on")).meta.headless;
    assert.equal(started({ entrypoint: "sdk-cli" }), true);
    assert.equal(started({ sessionKind: "bg" }), true);
    assert.equal(started({ cwd: "/home/me/.dex/ask" }), true);
    assert.equal(started({ entrypoint: "claude-desktop", promptSource: "sdk" }), undefined);
  });
});

describe("titles", () => {
  const titled = (build: (t: Transcript) => void): string | undefined => {
    const t = new Transcript();
    build(t);
    return readOnly(t).meta.title;
  };
  const summary = (text: string, leafUuid: string): JsonObject => ({ type: "summary", summary: text, leafUuid });

  it("ranks the person's above the model's above a summary above the first prompt", () => {
    const custom = { type: "custom-title", customTitle: "Mine" };
    const ai = { type: "ai-title", aiTitle: "The model's" };
    assert.equal(
      titled((t) => t.raw(custom).raw(ai).raw(summary("A summary", "u4")).prompt("the prompt")),
      "Mine",
    );
    assert.equal(
      titled((t) => t.raw(ai).raw(summary("A summary", "u3")).prompt("the prompt")),
      "The model's",
    );
    assert.equal(
      titled((t) => t.raw(summary("A summary", "u2")).prompt("the prompt")),
      "A summary",
    );
    assert.equal(
      titled((t) => t.prompt("the prompt").raw(summary("A summary", "u1"))),
      "A summary",
    );
    assert.equal(
      titled((t) => t.raw(summary("Another session's", "far")).prompt("the prompt\nand more")),
      "the prompt",
    );
    assert.equal(
      titled((t) => t.prompt("Implement the following plan:\n\n# Faster parser\n\nFirst, …")),
      "Faster parser",
    );
  });

  it("takes the title that the desktop app shows, also after the app changed it", () => {
    const home = newHome();
    put(home, `${SESSION}.jsonl`, new Transcript().prompt("the prompt").text);
    put(home, "other.jsonl", new Transcript().prompt("another prompt").text);
    const folder = join(home, ".config", "Claude", "claude-code-sessions", "org", "work");
    mkdirSync(folder, { recursive: true });
    const shownAs = (title: string): (string | undefined)[] => {
      writeFileSync(join(folder, "local_1.json"), JSON.stringify({ cliSessionId: SESSION, title }));
      writeFileSync(join(folder, "local_2.json"), "{");
      const sink = new CollectingSink();
      readAll(claudeCodeHistory, testEnv(home), sink);
      return [SESSION, "other"].map((id) => sink.conversations.get(id)?.meta.title);
    };
    assert.deepEqual(shownAs("Sort the shells"), ["Sort the shells", "another prompt"]);
    assert.deepEqual(shownAs("Shells, sorted"), ["Shells, sorted", "another prompt"]);
  });

  it("takes a title given with /rename", () => {
    const command = "<command-name>/rename</command-name>\n<command-args>Called so</command-args>";
    const conversation = readOnly(
      new Transcript().prompt("go").chain({ type: "system", subtype: "local_command", content: command }),
    );
    assert.equal(conversation.meta.title, "Called so");
    assert.equal(conversation.messages.length, 1);
  });

  it("calls a subagent by the description it was started with", () => {
    const home = newHome();
    put(
      home,
      `${SESSION}/subagents/agent-a1.jsonl`,
      new Transcript().prompt("A long task", { isSidechain: true }).text,
    );
    put(home, `${SESSION}/subagents/agent-a1.meta.json`, '{"agentType":"Explore","description":"Look around"}');
    const sink = new CollectingSink();
    readAll(claudeCodeHistory, testEnv(home), sink);
    assert.equal(sink.only().meta.title, "Look around");
  });
});

describe("forks", () => {
  const FORK = "99999999-2222-4333-8444-555555555555";

  function parentAndFork(): { home: string; fork: string; inherited: Set<string>; parent: Transcript } {
    const home = newHome();
    const parent = new Transcript().prompt("start").answer("a", say("one")).answer("a", call("c", "Bash"));
    parent.result("c", "x").queue("enqueue", "queued").answer("b", say("two")).answer("b", say("three"));
    put(home, `${SESSION}.jsonl`, parent.text);
    const copied = parent.records
      .filter((record) => record.type !== "queue-operation")
      .map((record) => `${JSON.stringify({ ...record, sessionId: FORK })}\n`);
    const fork = put(home, `${FORK}.jsonl`, copied.join(""));
    return { home, fork, inherited: new Set(["u1", "u2", "u4", "u6"]), parent };
  }

  it("are recognised by their first record and by the session they name", () => {
    const { home } = parentAndFork();
    const env = testEnv(home);
    assert.deepEqual(claudeCodeHistory.lineage?.(container(env, `${SESSION}.jsonl`), env), {
      id: SESSION,
      family: "u1",
    });
    assert.deepEqual(claudeCodeHistory.lineage?.(container(env, `${FORK}.jsonl`), env), { id: FORK, family: "u1" });
    put(home, "resumed.jsonl", new Transcript().prompt("go").text);
    put(home, "agent-x.jsonl", new Transcript().prompt("go").text);
    const lineage = (name: string) => claudeCodeHistory.lineage?.(container(env, name), env);
    assert.deepEqual(lineage("resumed.jsonl"), { id: "resumed", family: "u1", forkOf: SESSION });
    assert.deepEqual(lineage("agent-x.jsonl"), { id: "agent-x", family: "u1" });
  });

  it("hold only what is new, also when the copy grew between two reads", () => {
    const { home, fork, inherited } = parentAndFork();
    const env = testEnv(home);
    const sink = new CollectingSink();
    const read = (state?: Json): Json | undefined =>
      claudeCodeHistory.read({
        container: container(env, `${FORK}.jsonl`),
        env,
        state,
        inherited,
        inheritedFrom: SESSION,
        sink,
      });
    const copy = readFileSync(fork, "utf8");
    const half = copy.indexOf("\n", copy.length / 2) + 1;
    writeFileSync(fork, copy.slice(0, half));
    const early = read();
    appendFileSync(fork, copy.slice(half));
    const state = read(early);
    assert.equal(sink.conversations.size, 0);
    const t = new Transcript(FORK);
    t.records.length = 20;
    t.records.fill({});
    t.prompt("another way").answer("z", say("as you wish"));
    const added = t.records.slice(20).map((record) => `${JSON.stringify(record)}\n`);
    appendFileSync(fork, added.join(""));
    const next = read(state);
    assert.deepEqual(texts(sink.only().messages), ["user: another way", "assistant: as you wish"]);
    assert.deepEqual([sink.only().meta.parent, sink.only().meta.parent_kind], [SESSION, "fork"]);
    assert.equal(sink.only().meta.title, "another way");
    const before = structuredClone(sink.only());
    read();
    assert.deepEqual(sink.only(), before);
    appendFileSync(fork, `${JSON.stringify(t.prompt("and on").records.at(-1))}\n`);
    read(next);
    assert.equal(sink.only().messages.length, 3);
    assert.equal(sink.only().meta.parent, SESSION);
  });

  it("keep a prompt that was queued before the copied records", () => {
    const { home, fork, inherited, parent } = parentAndFork();
    const time = parent.now();
    const queue = (operation: string, content?: string): JsonObject => {
      const record = { type: "queue-operation", operation, timestamp: time, sessionId: FORK };
      return content === undefined ? record : { ...record, content };
    };
    const copied = parent.records.map((record) => ({ ...record, sessionId: FORK }));
    const prompt = parent.prompt("start").records.at(-1) ?? {};
    const records = [queue("enqueue", "start"), queue("dequeue"), ...copied];
    writeFileSync(fork, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const sink = new CollectingSink();
    const env = testEnv(home);
    const request = { container: container(env, `${FORK}.jsonl`), env, inherited, inheritedFrom: SESSION, sink };
    const state = claudeCodeHistory.read({ ...request, state: undefined });
    assert.deepEqual(texts(sink.only().messages), ["user(queued): start"]);
    appendFileSync(fork, `${JSON.stringify(prompt)}\n`);
    claudeCodeHistory.read({ ...request, state });
    assert.deepEqual(texts(sink.only().messages), ["user: start"]);
    assert.equal(sink.only().messages[0]?.uid, prompt.uuid);
  });
});
