import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  agentItem,
  call,
  context,
  event,
  line,
  meta,
  newHome,
  output,
  THREAD,
  text,
  texts,
  userItem,
  write,
} from "../../../../../test/support/histories/rollout.ts";
import { CollectingSink, readAll, testEnv } from "../../../../../test/support/sources/sink.ts";
import { asObject, type JsonObject } from "../../../../kernel/json.ts";
import { traeCliHistory } from "./source.ts";

const mutation = (operation: string, ...records: JsonObject[]): JsonObject =>
  line("history_mutation", { operation, items: records.map(({ payload }) => asObject(payload)) });
const shell = (id: string, script: string): JsonObject => call(id, "exec", { command: ["bash", "-lc", script] });
const completedPrompt = (prompt: string, turn: string): JsonObject =>
  event("item_completed", { turn_id: turn, item: { type: "UserMessage", content: [{ type: "text", text: prompt }] } });

const SESSION: JsonObject[] = [
  meta({ model_provider: "trae" }),
  event("task_started", { turn_id: "t1" }),
  context("t1"),
  userItem("At most 40 processes may run at once."),
  event("user_message", { message: "Why do the tests hang?" }),
  completedPrompt("Why do the tests hang?", "t1"),
  mutation("append", agentItem("I run them first."), shell("c1", "npm test")),
  agentItem("I run them first."),
  event("agent_message", { message: "I run them first." }),
  mutation("append", output("c1", [{ type: "input_text", text: "1 failing" }])),
  output("c1", "1 failing"),
  call("c2", "apply_patch", { input: "*** Begin Patch\n*** End Patch" }),
  mutation("append", call("c2", "apply_patch", { input: "*** Begin Patch\n*** End Patch" }), output("c2", "Success.")),
  output("c2", "Success."),
  mutation("replace", userItem("Why do the tests hang?"), shell("c1", "npm test")),
  event("task_complete", { turn_id: "t1", last_agent_message: "A server was left open." }),
  event("task_started", { turn_id: "t2" }),
  context("t2"),
  event("user_message", { message: "Why do the tests hang?" }),
  agentItem("They no longer do."),
  event("task_complete", { turn_id: "t2", last_agent_message: "They no longer do." }),
];

const READ = [
  "user: Why do the tests hang?",
  'assistant: I run them first. | exec({"command":["bash","-lc","npm test"]})',
  "tool: exec -> 1 failing",
  `assistant: apply_patch(${JSON.stringify({ input: "*** Begin Patch\n*** End Patch" })})`,
  "tool: apply_patch -> Success.",
  "assistant: A server was left open.",
  "user: Why do the tests hang?",
  "assistant: They no longer do.",
];

function traeRollout(home: string): string {
  return join(home, ".trae", "cli", "sessions", "2026", "03", "04", `rollout-2026-03-04T10-00-00-${THREAD}.jsonl`);
}

test("prompts come from events, calls also from history_mutation, and each is read once", () => {
  const home = newHome();
  write(traeRollout(home), SESSION);
  const sink = new CollectingSink();
  readAll(traeCliHistory, testEnv(home), sink);
  assert.deepEqual(texts(sink.only().messages), READ);
});

test("a rollout that grows is read as if it had been whole", () => {
  for (let cut = 1; cut < SESSION.length; cut += 1) {
    const home = newHome();
    write(traeRollout(home), SESSION.slice(0, cut));
    const sink = new CollectingSink();
    const states = readAll(traeCliHistory, testEnv(home), sink);
    appendFileSync(traeRollout(home), text(SESSION.slice(cut)));
    readAll(traeCliHistory, testEnv(home), sink, states);
    assert.deepEqual(texts(sink.only().messages), READ, `cut after ${cut} records`);
  }
});
