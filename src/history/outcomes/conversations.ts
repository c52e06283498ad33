/** Test results in conversations: what commands that run tests printed. */
import { OpenCalls } from "../../conversations/calls.ts";
import type { Message } from "../../conversations/model.ts";
import { shellCommand } from "../../conversations/tools.ts";
import type { SeenOutcome, TrailConversation } from "../../store/history.ts";
import { ownerOf, type Scan } from "../scan.ts";
import { parseOutcomes } from "./text.ts";

export const OUTCOMES_KIND = "tests";

const LONGEST_OUTPUT = 1 << 20;
const MOST_TESTS = 5000;
const MOST_RUNS = 500;
/** Commands that run tests; one that only reads a log of them shows an older run. */
const RUNS =
  /\b(?:test|tests|jest|vitest|pytest|py\.test|mocha|tap|ava|tox|nox|unittest|gotestsum|check|verify|(?:npm|pnpm|yarn|bun) (?:t|run)\b)/;
const LOOKS = /^(?:cd [^&;|]+ && )?(?:cat|head|tail|less|grep|rg|sed|awk|ls|find|git|gh|curl)\b/;

export const outcomeScan: Scan = {
  kind: OUTCOMES_KIND,
  drop: (writer, owner) => writer.removeOutcomes(owner),
  take: (writer, row, messages) => writer.addOutcomes(conversationOutcomes(row, messages)),
};

/** Of each test how it ended last here, and every run that passed as a whole. */
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
        calls.add(part, RUNS.test(command) && !LOOKS.test(command));
      }
      if (part.type !== "tool_result" || calls.take(part) !== true || part.output.length > LONGEST_OUTPUT) continue;
      const time = message.time === undefined ? row.updated : Date.parse(message.time);
      for (const each of parseOutcomes(part.output)?.outcomes ?? []) {
        const seen = { ...each, owner: ownerOf(row), place: `${row.id}#${index}`, time };
        const key = `${each.runner}\0${each.file}\0${each.name}`;
        if (each.name === null && each.status === "passed" && runs.length < MOST_RUNS) runs.push(seen);
        if (each.name !== null && (tests.has(key) || tests.size < MOST_TESTS)) tests.set(key, seen);
      }
    }
  }
  return [...tests.values(), ...runs];
}
