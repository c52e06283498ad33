import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, test } from "node:test";
import { rounds } from "../../../../../test/support/program/limits.ts";
import { below, flipped, seeded } from "../../../../../test/support/random.ts";
import {
  CollectingSink,
  type ReadConversation,
  readAll,
  readOne,
  testEnv,
} from "../../../../../test/support/sources/sink.ts";
import type { Message, Part } from "../../../../conversations/model.ts";
import type { JsonObject } from "../../../../kernel/json.ts";
import { copilotHistory } from "./source.ts";

const SESSION_ID = "5b1f0c1e-1111-4222-8333-abcdefabcdef";
const root = mkdtempSync(join(tmpdir(), "dex-copilot-"));
after(() => rmSync(root, { recursive: true, force: true }));

let homes = 0;
function newHome(): string {
  homes += 1;
  return join(root, String(homes));
}
function eventsPath(home: string, id = SESSION_ID): string {
  return join(home, ".copilot/session-state", id, "events.jsonl");
}

let clock = 0;
function event(type: string, data: JsonObject = {}): JsonObject {
  clock += 1;
  const timestamp = new Date(Date.UTC(2026, 4, 5, 9, 0, 0, clock)).toISOString();
  return { type, data, id: `e${clock}`, timestamp, parentId: `e${clock - 1}` };
}
const start = (more: JsonObject = {}): JsonObject =>
  event("session.start", {
    sessionId: SESSION_ID,
    version: 1,
    startTime: "2026-05-05T09:00:00.000Z",
    selectedModel: "model-a",
    context: { cwd: "/work/site", gitRoot: "/work/site", branch: "main" },
    ...more,
  });
const user = (content: string, more: JsonObject = {}): JsonObject => event("user.message", { content, ...more });
const answer = (messageId: string, content: string, more: JsonObject = {}): JsonObject =>
  event("assistant.message", { messageId, content, toolRequests: [], model: "model-b", ...more });
const request = (toolCallId: string, name: string, args: JsonObject): JsonObject => ({
  toolCallId,
  name,
  arguments: args,
});
const started = (toolCallId: string, toolName: string, args: JsonObject): JsonObject =>
  event("tool.execution_start", { toolCallId, toolName, arguments: args });
const finished = (toolCallId: string, content: string): JsonObject =>
  event("tool.execution_complete", { toolCallId, success: true, result: { content, detailedContent: content } });

const SESSION: JsonObject[] = [
  start(),
  event("hook.start", { hookType: "userPromptSubmitted", input: { prompt: "make the header sticky" } }),
  event("system.message", { role: "system", content: "You are the terminal assistant." }),
  user("make the header sticky", {
    transformedContent: "<current_datetime>now</current_datetime>\n\nmake the header sticky",
  }),
  event("assistant.turn_start", { turnId: "0" }),
  answer("m1", "I look first.", {
    reasoningText: "Where is the header?",
    toolRequests: [request("t1", "bash", { command: "ls" }), request("t2", "view", { path: "/work/site/a.css" })],
  }),
  started("t1", "bash", { command: "ls" }),
  started("t2", "view", { path: "/work/site/a.css" }),
  finished("t2", "1. header {}"),
  finished("t1", "a.css\n<shellId: 0 completed with exit code 2>"),
  event("assistant.turn_end", { turnId: "0" }),
  answer("m2", "", { toolRequests: [request("t3", "edit", { path: "/work/site/a.css", old_str: "a", new_str: "b" })] }),
  event("tool.execution_complete", {
    toolCallId: "t3",
    success: false,
    error: { message: "No match", code: "failure" },
  }),
  answer("m3", "Done."),
  event("session.compaction_start", {}),
  event("session.compaction_complete", { success: true, summaryContent: "The header is sticky now." }),
  user("skill text", { source: "skill-pdf" }),
  user("and the footer", {
    delivery: "queued",
    attachments: [
      { type: "file", path: "/work/site/f.css" },
      { type: "blob", mimeType: "image/png" },
    ],
  }),
  answer("m4", "The footer too."),
  event("session.shutdown", { shutdownType: "routine" }),
];

function write(path: string, records: (JsonObject | string)[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text(records));
}
function text(records: (JsonObject | string)[]): string {
  return records.map((record) => `${typeof record === "string" ? record : JSON.stringify(record)}\n`).join("");
}
function readHome(home: string): CollectingSink {
  const sink = new CollectingSink();
  readAll(copilotHistory, testEnv(home), sink);
  return sink;
}
function readRecords(records: (JsonObject | string)[]): ReadConversation {
  const home = newHome();
  write(eventsPath(home), records);
  return readHome(home).only();
}
function texts(messages: Message[]): string[] {
  return messages.map((message) => `${message.role}: ${message.parts.map(partText).join(" | ")}`);
}
function partText(part: Part): string {
  if (part.type === "tool_call") return `${part.name}(${JSON.stringify(part.input)})`;
  return part.type === "tool_result" ? `${part.name} -> ${part.output}` : part.text;
}

test("a session reads as prompts, answers with their requests, and results", () => {
  const { meta, messages } = readRecords(SESSION);
  assert.deepEqual(meta, {
    id: SESSION_ID,
    source: "copilot",
    title: "make the header sticky",
    project: "/work/site",
    branch: "main",
    model: "model-b",
    created: "2026-05-05T09:00:00.000Z",
  });
  assert.deepEqual(texts(messages), [
    "user: make the header sticky",
    'assistant: Where is the header? | I look first. | bash({"command":"ls"}) | view({"path":"/work/site/a.css"})',
    "tool: view -> 1. header {} | bash -> a.css",
    'assistant: edit({"path":"/work/site/a.css","old_str":"a","new_str":"b"})',
    "tool: edit -> No match",
    "assistant: Done.",
    "system: The header is sticky now.",
    "user: and the footer\n[file: /work/site/f.css]\n[image]",
    "assistant: The footer too.",
  ]);
  assert.deepEqual(messages[2]?.parts[1], {
    type: "tool_result",
    id: "t1",
    name: "bash",
    output: "a.css",
    is_error: true,
    exit_code: 2,
  });
  assert.deepEqual(messages[4]?.parts, [
    { type: "tool_result", id: "t3", name: "edit", output: "No match", is_error: true },
  ]);
  assert.deepEqual([messages[6]?.kind, messages[7]?.kind], ["summary", "queued"]);
  assert.deepEqual([messages[0]?.uid, messages[1]?.uid, messages[1]?.model], [SESSION[3]?.id, "m1", "model-b"]);
  assert.equal(messages[0]?.time, SESSION[3]?.timestamp);
});

test("a tool that no answer called is a call of its own", () => {
  const { messages } = readRecords([
    start(),
    user("x"),
    started("u1", "bash", { command: "date" }),
    finished("u1", "Mon\n<exited with exit code 0>"),
  ]);
  assert.deepEqual(texts(messages), ["user: x", 'assistant: bash({"command":"date"})', "tool: bash -> Mon"]);
});

test("both layouts are found, a folder before a file of the same session", () => {
  const home = newHome();
  write(eventsPath(home), SESSION);
  const folder = join(home, ".copilot/session-state");
  write(join(folder, `${SESSION_ID}.jsonl`), SESSION);
  write(join(folder, "older.jsonl"), [start({ sessionId: "older" }), user("old layout")]);
  mkdirSync(join(folder, "empty"));
  writeFileSync(join(folder, "notes.txt"), "");
  const env = testEnv("/nowhere", { COPILOT_HOME: join(home, ".copilot") });
  assert.deepEqual(
    copilotHistory.discover(env).map((each) => basename(each.path)),
    ["events.jsonl", "older.jsonl"],
  );
  const sink = new CollectingSink();
  readAll(copilotHistory, env, sink);
  assert.deepEqual([...sink.conversations.keys()].sort(), [SESSION_ID, "older"]);
  assert.deepEqual(
    copilotHistory.places(env).map((place) => place.path),
    [folder],
  );
  assert.deepEqual(copilotHistory.discover(testEnv("/nowhere")), []);
});

test("the workspace file names the session, also when it is written last", () => {
  const home = newHome();
  const path = eventsPath(home);
  const side = join(dirname(path), "workspace.yaml");
  write(path, [...SESSION, event("session.title_changed", { title: "From the events" })]);
  const sink = new CollectingSink();
  const states = readAll(copilotHistory, testEnv(home), sink);
  assert.equal(sink.only().meta.title, "From the events");
  const titles = {
    'name: "Sticky: header"': "Sticky: header",
    "name: 'It''s done'": "It's done",
    "summary: |-\n  Header\n  work\nid: x": "Header",
    "name: plain words": "plain words",
  };
  for (const [yaml, title] of Object.entries(titles)) {
    writeFileSync(side, `id: ${SESSION_ID}\ncwd: /work/site\n${yaml}\n`);
    utimesSync(side, 1, Object.keys(titles).indexOf(yaml) + 1);
    readAll(copilotHistory, testEnv(home), sink, states);
    assert.equal(sink.only().meta.title, title);
    assert.equal(readHome(home).only().meta.title, title);
  }
  assert.equal(sink.only().messages.length, 9);
  writeFileSync(side, "cwd: /home/u/.dex/chat\n");
  assert.equal(readHome(home).only().meta.headless, true);
});

test("a rewind takes back the prompt it names and everything after it", () => {
  const second = user("second");
  const records = [
    start(),
    user("first"),
    answer("m1", "one"),
    second,
    answer("m2", "two"),
    event("session.snapshot_rewind", { upToEventId: second.id, eventsRemoved: 2 }),
    event("session.snapshot_rewind", { upToEventId: "unknown" }),
    user("third"),
  ];
  assert.deepEqual(texts(readRecords(records).messages), ["user: first", "assistant: one", "user: third"]);
  sameInPieces(records);
});

/**
 * Reads the file cut at every line and within lines, then whole with the state of that read: the messages must be
 * equal.
 */
function sameInPieces(records: JsonObject[]): void {
  const whole = text(records);
  const fresh = readRecords(records);
  const home = newHome();
  const path = eventsPath(home);
  mkdirSync(dirname(path), { recursive: true });
  for (const cut of [...whole.matchAll(/\n/g)].flatMap((match) => [match.index + 1, match.index, match.index - 9])) {
    writeFileSync(path, whole.slice(0, cut));
    const sink = new CollectingSink();
    const states = readAll(copilotHistory, testEnv(home), sink);
    writeFileSync(path, whole);
    utimesSync(path, 1, cut);
    readAll(copilotHistory, testEnv(home), sink, states);
    assert.deepEqual(sink.only(), fresh, `cut at ${cut}: ${whole.slice(cut - 60, cut)}`);
    const delivered = sink.delivered;
    readAll(copilotHistory, testEnv(home), sink, states);
    assert.equal(sink.delivered, delivered, "nothing new, nothing delivered");
    utimesSync(path, 2, 2);
    readAll(copilotHistory, testEnv(home), sink, states);
    assert.ok(sink.delivered - delivered <= 1, "touched, but not changed");
    assert.deepEqual(sink.only(), fresh);
  }
}

test("reading in pieces equals reading the whole", () => {
  sameInPieces(SESSION);
});

test("a session without messages is not opened, and bad lines are counted", () => {
  const home = newHome();
  write(eventsPath(home), [start(), event("hook.start"), "{broken", event("session.shutdown")]);
  const sink = readHome(home);
  assert.equal(sink.conversations.size, 0);
  assert.equal(sink.malformedLines.length, 1);
  const container = { source: "copilot", path: join(home, "gone.jsonl"), stamp: "", bytes: 0, mtimeMs: 0 };
  readOne(copilotHistory, testEnv(home), container, sink, new Map());
  assert.match(sink.malformedLines.join(), /ENOENT/);
});

test("a file that was rewritten is read whole again", () => {
  const home = newHome();
  const path = eventsPath(home);
  write(path, SESSION);
  const sink = new CollectingSink();
  const states = readAll(copilotHistory, testEnv(home), sink);
  write(path, [start(), user("another")]);
  readAll(copilotHistory, testEnv(home), sink, states);
  assert.deepEqual(texts(sink.only().messages), ["user: another"]);
});

test("damage is skipped", () => {
  const home = newHome();
  const path = eventsPath(home);
  const bytes = Buffer.from(text(SESSION));
  mkdirSync(dirname(path), { recursive: true });
  const random = seeded(11);
  for (let round = 0; round < rounds(30, 120); round += 1) {
    const damaged = flipped(random, bytes.subarray(0, 1 + below(random, bytes.length)), 12);
    writeFileSync(path, damaged);
    writeFileSync(join(dirname(path), "workspace.yaml"), damaged.subarray(0, 300));
    const sink = new CollectingSink();
    const states = readAll(copilotHistory, testEnv(home), sink);
    appendFileSync(path, bytes.subarray(below(random, bytes.length)));
    readAll(copilotHistory, testEnv(home), sink, states);
  }
});
