/** Codex rollouts as Codex writes them, with invented content. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import type { Message, Part } from "../../../src/conversations/model.ts";
import { codexHistory } from "../../../src/integrations/agents/codex/history/source.ts";
import type { Json, JsonObject } from "../../../src/kernel/json.ts";
import { CollectingSink, type ReadConversation, readAll, testEnv } from "../sources/sink.ts";

export const THREAD = "0199aaaa-0000-7000-8000-000000000001";
export const CHILD = "0199aaaa-0000-7000-8000-000000000002";
export const LATER = "0199bbbb-0000-7000-8000-000000000003";
const root = mkdtempSync(join(tmpdir(), "dex-codex-"));
after(() => rmSync(root, { recursive: true, force: true }));

let homes = 0;
export function newHome(): string {
  homes += 1;
  const home = join(root, String(homes));
  mkdirSync(join(home, ".codex"), { recursive: true });
  return home;
}

export function rolloutPath(home: string, thread = THREAD, folder = "sessions/2026/03/04"): string {
  return join(home, ".codex", folder, `rollout-2026-03-04T10-00-00-${thread}.jsonl`);
}

let clock = 0;
export function line(type: string, payload: JsonObject, more: JsonObject = {}): JsonObject {
  clock += 1;
  return { timestamp: new Date(Date.UTC(2026, 2, 4, 10, 0, 0, clock)).toISOString(), ...more, type, payload };
}
export const event = (type: string, payload: JsonObject = {}, more: JsonObject = {}): JsonObject =>
  line("event_msg", { type, ...payload }, more);
export const item = (type: string, payload: JsonObject = {}, more: JsonObject = {}): JsonObject =>
  line("response_item", { type, ...payload }, more);
export const meta = (more: JsonObject = {}): JsonObject =>
  line("session_meta", {
    id: THREAD,
    timestamp: "2026-03-04T10:00:00.000Z",
    cwd: "/work/shop",
    originator: "codex-tui",
    source: "cli",
    base_instructions: { text: "You are a careful engineer." },
    git: { branch: "main" },
    ...more,
  });
export const userItem = (...texts: string[]): JsonObject =>
  item("message", { role: "user", content: texts.map((text) => ({ type: "input_text", text })) });
export const agentItem = (text: string): JsonObject =>
  item("message", { role: "assistant", content: [{ type: "output_text", text }] });
export const context = (turn: string, model = "gpt-9"): JsonObject =>
  line("turn_context", { turn_id: turn, cwd: "/work/shop", model });
export const call = (id: string, name: string, input: Json, more: JsonObject = {}): JsonObject =>
  item("function_call", {
    name,
    arguments: typeof input === "string" ? input : JSON.stringify(input),
    call_id: id,
    ...more,
  });
export const output = (id: string, text: Json): JsonObject =>
  item("function_call_output", { call_id: id, output: text });

/** One turn as Codex writes it: every text is recorded twice. */
export function turn(id: string, prompt: string, answer: string): JsonObject[] {
  return [
    event("task_started", { turn_id: id }),
    context(id),
    userItem(prompt),
    event("user_message", { message: prompt }),
    event("token_count", { info: null }),
    event("agent_message", { message: answer }),
    agentItem(answer),
    event("task_complete", { turn_id: id, last_agent_message: answer }),
  ];
}

export function write(path: string, records: (JsonObject | string)[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text(records));
}
export function text(records: (JsonObject | string)[]): string {
  return records.map((record) => `${typeof record === "string" ? record : JSON.stringify(record)}\n`).join("");
}

export function readHome(home: string, options: { inherited?: ReadonlySet<string> } = {}): CollectingSink {
  const sink = new CollectingSink();
  readAll(codexHistory, testEnv(home), sink, new Map(), options);
  return sink;
}
export function readRecords(
  records: (JsonObject | string)[],
  options: { inherited?: ReadonlySet<string> } = {},
): ReadConversation {
  const home = newHome();
  write(rolloutPath(home), records);
  return readHome(home, options).only();
}

export function texts(messages: Message[]): string[] {
  return messages.map((message) => `${message.role}: ${message.parts.map(partText).join(" | ")}`);
}
function partText(part: Part): string {
  if (part.type === "tool_call") return `${part.name}(${JSON.stringify(part.input)})`;
  return part.type === "tool_result" ? `${part.name} -> ${part.output}` : part.text;
}

export const SESSION: JsonObject[] = [
  meta(),
  event("task_started", { turn_id: "t1" }),
  item("message", {
    role: "developer",
    content: [{ type: "input_text", text: "<permissions instructions>ask</permissions instructions>" }],
  }),
  userItem(
    "# AGENTS.md instructions for /work/shop\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>",
    "<environment_context>\n<cwd>/work/shop</cwd>\n</environment_context>",
  ),
  context("t1"),
  userItem("Why does the cart total drift?"),
  event("user_message", { message: "Why does the cart total drift?", images: [] }),
  event("agent_reasoning", { text: "**Looking at rounding**" }),
  item("reasoning", {
    summary: [{ type: "summary_text", text: "**Looking at rounding**" }],
    content: null,
    encrypted_content: "xx",
  }),
  event("agent_message", { message: "I look at the rounding first." }),
  agentItem("I look at the rounding first."),
  call("c1", "exec_command", { cmd: "rg -n round src" }),
  call("c2", "shell", { command: ["bash", "-lc", "npm test"] }),
  event("exec_command_end", { call_id: "c1", exit_code: 0, aggregated_output: "src/cart.ts:4" }),
  output(
    "c1",
    "Chunk ID: 1a2b3c\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 4\nOutput:\nsrc/cart.ts:4: round()\n",
  ),
  output("c2", JSON.stringify({ output: "1 failing\n", metadata: { exit_code: 1, duration_seconds: 2.5 } })),
  event("token_count", { info: { total_token_usage: { input_tokens: 10 } } }),
  item("custom_tool_call", {
    name: "apply_patch",
    call_id: "c3",
    input: "*** Begin Patch\n*** Update File: src/cart.ts\n@@\n-a\n+b\n*** Add File: src/money.ts\n+x\n*** End Patch",
  }),
  event("patch_apply_end", { call_id: "c3", success: true, changes: { "/work/shop/src/cart.ts": {} } }),
  item("custom_tool_call_output", { call_id: "c3", output: "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess." }),
  event("agent_message", { message: "Fixed: totals are kept in cents." }),
  agentItem("Fixed: totals are kept in cents."),
  event("task_complete", { turn_id: "t1", last_agent_message: "Fixed: totals are kept in cents." }),
  ...turn("t2", "And the tax?", "The tax follows."),
  event("task_started", { turn_id: "t3" }),
  context("t3", "gpt-9-mini"),
  userItem("Run everything"),
  event("user_message", { message: "Run everything" }),
  call("c4", "exec_command", { cmd: "npm run all" }),
  output("c4", "Chunk ID: 9\nWall time: 1.0 seconds\nProcess running with session ID 77\nOutput:\nstarting\n"),
  userItem("only the unit tests"),
  event("user_message", { message: "only the unit tests" }),
  agentItem("All right."),
];
