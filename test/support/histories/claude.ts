/** Claude Code transcripts for tests: invented sessions in the agent's format, written into a home of their own. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Message, Part } from "../../../src/conversations/model.ts";
import { claudeCodeHistory } from "../../../src/integrations/agents/claude_code/history/source.ts";
import type { Container, SourceEnv } from "../../../src/integrations/history/source.ts";
import type { Json, JsonObject } from "../../../src/kernel/json.ts";
import { temporaryFolder } from "../repository.ts";
import { CollectingSink, type ReadConversation, readAll, testEnv } from "../sources/sink.ts";

export const SESSION = "11111111-2222-4333-8444-555555555555";
export const PROJECT = "-srv-demo";

export function newHome(): string {
  return temporaryFolder();
}

export function put(home: string, path: string, content: string | Buffer): string {
  const file = join(home, ".claude", "projects", PROJECT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Records of one session with rising times and ids `u1`, `u2`, … */
export class Transcript {
  readonly records: JsonObject[] = [];
  readonly session: string;
  branch = "main";
  #clock = Date.parse("2026-03-01T10:00:00.000Z");

  constructor(session = SESSION) {
    this.session = session;
  }

  get last(): string {
    return `u${this.records.length}`;
  }

  now(): string {
    this.#clock += 5000;
    return new Date(this.#clock).toISOString();
  }

  chain(fields: JsonObject): this {
    const uuid = `u${this.records.length + 1}`;
    const common = { isSidechain: false, cwd: "/srv/demo", sessionId: this.session, gitBranch: this.branch };
    return this.raw({ parentUuid: null, ...common, uuid, timestamp: this.now(), entrypoint: "cli", ...fields });
  }

  raw(record: JsonObject): this {
    this.records.push(record);
    return this;
  }

  prompt(content: Json, fields: JsonObject = {}): this {
    return this.chain({ type: "user", message: { role: "user", content }, ...fields });
  }

  answer(id: string, ...content: Json[]): this {
    return this.chain({ type: "assistant", message: { id, role: "assistant", model: "claude-test-1", content } });
  }

  result(id: string, content: Json, toolUseResult?: Json, fields: JsonObject = {}): this {
    const block = { type: "tool_result", tool_use_id: id, content, ...fields };
    return this.chain({ type: "user", message: { role: "user", content: [block] }, toolUseResult });
  }

  queue(operation: string, content?: string): this {
    const record = { type: "queue-operation", operation, timestamp: this.now(), sessionId: this.session };
    return this.raw(content === undefined ? record : { ...record, content });
  }

  handedOver(prompt: string): this {
    return this.chain({ type: "attachment", attachment: { type: "queued_command", prompt, commandMode: "prompt" } });
  }

  get text(): string {
    return this.records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }
}

export const say = (text: string): JsonObject => ({ type: "text", text });
export const call = (id: string, name: string, input: JsonObject = {}): JsonObject => ({
  type: "tool_use",
  id,
  name,
  input,
});

export function readText(text: string, path = `${SESSION}.jsonl`): CollectingSink {
  const home = newHome();
  put(home, path, text);
  const sink = new CollectingSink();
  readAll(claudeCodeHistory, testEnv(home), sink);
  return sink;
}

export function readOnly(transcript: Transcript): ReadConversation {
  return readText(transcript.text).only();
}

export function texts(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    const kind = message.kind ? `(${message.kind})` : "";
    return `${message.role}${kind}: ${message.parts.map(partText).join(" | ")}`;
  });
}

function partText(part: Part): string {
  if (part.type === "tool_call") return `${part.name}()`;
  return part.type === "tool_result" ? `=${part.output}` : part.text;
}

export function results(conversation: ReadConversation): JsonObject[] {
  return conversation.messages.flatMap((message) =>
    message.parts.filter((part) => part.type === "tool_result").map((part) => ({ ...part })),
  );
}

export function container(env: SourceEnv, ending: string): Container {
  const found = claudeCodeHistory.discover(env).find((each) => each.path.endsWith(ending));
  assert.ok(found, `no container ${ending}`);
  return found;
}

/** A session with every kind of record, for the tests that cut and damage it. */
export function richTranscript(): Transcript {
  const t = new Transcript();
  t.raw({ type: "file-history-snapshot", messageId: "x", snapshot: {}, isSnapshotUpdate: false });
  t.raw({ type: "summary", summary: "Of another session", leafUuid: "elsewhere" });
  t.prompt("Make the parser faster");
  t.answer("m1", { type: "thinking", thinking: "Where is the time spent?", signature: "s" });
  t.answer("m1", say("I will look."));
  t.answer("m1", call("c1", "Read", { file_path: "/srv/demo/parse.ts" }));
  t.result("c1", "1\tconst a = 1;");
  t.answer("m1", call("c2", "Bash", { command: "npm test" }));
  t.chain({ type: "progress", data: { type: "hook_progress" } });
  t.queue("enqueue", "and update the changelog");
  t.result("c2", "ok", { stdout: "ok", stderr: "", interrupted: false });
  t.queue("remove");
  t.answer("m2", say("The tests pass."));
  t.answer("m3", say("Now the changelog."), call("c3", "Edit", { file_path: "/srv/demo/CHANGELOG.md" }));
  t.result("c3", "edited");
  t.raw({ type: "ai-title", aiTitle: "Faster parser", sessionId: SESSION });
  t.chain({ type: "system", subtype: "turn_duration", durationMs: 1 });
  t.queue("enqueue", "ship it");
  t.answer("m4", say("Done."));
  t.queue("dequeue");
  t.prompt("ship it");
  t.answer("m5", call("c4", "Agent", { prompt: "Review" }));
  t.result("c4", [say("Looks good")], { agentId: "abc", status: "completed" });
  t.raw({ type: "pr-link", prNumber: 7, prUrl: "https://example.com/demo/pull/7", sessionId: SESSION });
  t.chain({ type: "system", subtype: "away_summary", content: "Shipped. (disable recaps in /config)" });
  t.chain({ type: "system", subtype: "compact_boundary", content: "Conversation compacted" });
  t.prompt("Summary: the parser is fast", { isCompactSummary: true, isVisibleInTranscriptOnly: true });
  t.branch = "faster";
  t.prompt("Thanks, ünïcode 🙂 too");
  t.answer("m6", say("You are welcome."));
  t.queue("enqueue", "one more thing");
  t.raw({ type: "custom-title", customTitle: "The fast parser", sessionId: SESSION });
  return t;
}
