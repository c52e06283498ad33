import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { putJson } from "../../../../../test/support/sources/forms.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import { codebuddyHistory } from "./source.ts";

const TIME = "2026-03-02T09:15:00.000Z";
const WORKSPACE = Buffer.from("/srv/tides").toString("base64");
let home: string;
let group: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "dex-codebuddy-"));
  group = join(home, ".local/share/CodeBuddyExtension/Data/account/CodeBuddyIDE", WORKSPACE, "history/0f1e");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function putChat(id: string, messages: readonly (readonly [id: string, role: string, message: unknown])[]): void {
  putJson(join(group, id, "index.json"), { messages: messages.map(([each, role]) => ({ id: each, role })) });
  for (const [each, role, message] of messages) {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    putJson(join(group, id, "messages", `${each}.json`), { id: each, role, message: text });
  }
}

function readNow(states = new Map()): CollectingSink {
  const sink = new CollectingSink();
  readAll(codebuddyHistory, testEnv(home), sink, states);
  assert.deepEqual(sink.malformedLines, []);
  return sink;
}

const QUERY = "<project_context>tree</project_context><user_query>draw the table</user_query>";

it("reads the chats of an editor, with their titles and the folder of the workspace", () => {
  putJson(join(group, "index.json"), { conversations: [{ id: "c1", name: "Tides", createdAt: TIME }], current: "c1" });
  putChat("c1", [
    ["m1", "user", { content: [{ type: "text", text: QUERY }], createdAt: TIME }],
    ["m2", "assistant", { content: "The table is drawn.", model: "coder-1", createdAt: TIME }],
    ["m3", "user", "thanks"],
  ]);
  putChat("empty", []);
  const { meta, messages } = readNow().only();
  const facts = { id: "c1", source: "codebuddy", title: "Tides", created: TIME, project: "/srv/tides" };
  assert.deepEqual(meta, { ...facts, model: "coder-1" });
  assert.deepEqual(messages, [
    { role: "user", time: TIME, uid: "m1", parts: [{ type: "text", text: "draw the table" }] },
    {
      role: "assistant",
      time: TIME,
      uid: "m2",
      model: "coder-1",
      parts: [{ type: "text", text: "The table is drawn." }],
    },
    { role: "user", uid: "m3", parts: [{ type: "text", text: "thanks" }] },
  ]);
});

it("reads a chat again when a message is added or the last one grows, and never the folder of accounts", () => {
  putJson(join(home, ".local/share/CodeBuddyExtension/Data/Public/editor/history/0f1e/c9/index.json"), {
    messages: [{ id: "m1", role: "user" }],
  });
  const states = new Map();
  const said = (): string[] =>
    readNow(states)
      .conversations.get("c1")
      ?.messages.map(({ uid = "" }) => uid) ?? [];
  putChat("c1", [["m1", "user", "draw"]]);
  assert.deepEqual(said(), ["m1"]);
  assert.deepEqual(said(), []);
  putChat("c1", [
    ["m1", "user", "draw"],
    ["m2", "assistant", "I"],
  ]);
  assert.deepEqual(said(), ["m1", "m2"]);
  putJson(join(group, "c1/messages/m2.json"), { id: "m2", role: "assistant", message: "I draw." });
  assert.deepEqual(said(), ["m1", "m2"]);
});
