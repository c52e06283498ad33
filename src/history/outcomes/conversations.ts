/** Finds test outcomes in the output of test commands in conversations. */
import { OpenCalls } from "../../conversations/activity/calls.ts";
import { shellCommand } from "../../conversations/activity/tools.ts";
import type { Message } from "../../conversations/model.ts";
import type { SeenOutcome, TrailConversation } from "../../store/history.ts";
import { type ConversationScan, ownerOf } from "../scan.ts";
import { parseOutcomes } from "./text.ts";

export const OUTCOMES_KIND = "tests";

const MAX_OUTPUT_CHARS = 1 << 20;
const MAX_TESTS = 5000;
const MAX_RUNS = 500;
/** Commands that run tests. A command that reads a log shows an older run, so READS_LOG excludes it. */
const RUNS_TESTS =
  /\b(?:test|tests|jest|vitest|pytest|py\.test|mocha|tap|ava|tox|nox|unittest|gotestsum|check|verify|(?:npm|pnpm|yarn|bun) (?:t|run)\b)/;
const READS_LOG = /^(?:cd [^&;|]+ && )?(?:cat|head|tail|less|grep|rg|sed|awk|ls|find|git|gh|curl)\b/;

export const outcomeScan: ConversationScan = {
  kind: OUTCOMES_KIND,
  drop: (writer, owner) => writer.removeOutcomes(owner),
  take: (writer, row, messages) => writer.addOutcomes(conversationOutcomes(row, messages)),
};

/** The last outcome of each test in the conversation, and every run that passed completely. */
export function conversationOutcomes(
  row: TrailConversation,
  messages: Iterable<{ index: number; message: Message }>,
): SeenOutcome[] {
  const calls = new OpenCalls<boolean>();
  const tests = new Map<string, SeenOutcome>();
  const runs: SeenOutcome[] = [];
  for (const { index, message } of messages) {
    for (const part of message.parts) {
      if (part.type === "tool_call") {
        const command = shellCommand(part) ?? "";
        calls.add(part, RUNS_TESTS.test(command) && !READS_LOG.test(command));
      }
      if (part.type !== "tool_result" || calls.take(part) !== true || part.output.length > MAX_OUTPUT_CHARS) continue;
      const time = message.time === undefined ? row.updated : Date.parse(message.time);
      for (const each of parseOutcomes(part.output)?.outcomes ?? []) {
        const seen = { ...each, owner: ownerOf(row), place: `${row.id}#${index}`, time };
        const key = `${each.runner}\0${each.file}\0${each.name}`;
        if (each.name === null && each.status === "passed" && runs.length < MAX_RUNS) runs.push(seen);
        if (each.name !== null && (tests.has(key) || tests.size < MAX_TESTS)) tests.set(key, seen);
      }
    }
  }
  return [...tests.values(), ...runs];
}
