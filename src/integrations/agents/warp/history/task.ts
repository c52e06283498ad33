/** The messages of a task of Warp. Numbers are those of its published definition of tasks. */
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import type { ProtoMessage } from "../../../history/reading/protobuf.ts";

const TASK_MESSAGES = 5;
const MESSAGE = { id: 1, userQuery: 2, agentOutput: 3, toolCall: 4, toolResult: 5, time: 14, reasoning: 15 } as const;
/** A message is one of these. */
const KINDS: readonly number[] = [
  MESSAGE.userQuery,
  MESSAGE.agentOutput,
  MESSAGE.toolCall,
  MESSAGE.toolResult,
  MESSAGE.reasoning,
];
const CALL_ID = 1;
const MCP_CALL = 12;
/** The tools by the number of their arm in a call; a result names its call. */
const TOOLS: Readonly<Record<number, string>> = {
  2: "run_shell_command",
  3: "search_codebase",
  5: "read_files",
  6: "apply_file_diffs",
  9: "grep",
  [MCP_CALL]: "call_mcp_tool",
  15: "file_glob",
  19: "subagent",
  22: "create_documents",
  23: "read_shell_command_output",
  26: "read_skill",
  29: "start_agent",
  30: "send_message_to_agent",
};

export function taskMessages(task: ProtoMessage): Message[] {
  const names = new Map<string, string>();
  return task.messages(TASK_MESSAGES).flatMap((message) => messagesOf(message, names));
}

function messagesOf(message: ProtoMessage, names: Map<string, string>): Message[] {
  const common = { time: timeOf(message), uid: message.text(MESSAGE.id) };
  const kind = message.numbers.findLast((number) => KINDS.includes(number));
  const body = kind === undefined ? undefined : message.message(kind);
  if (!body) return [];
  switch (kind) {
    case MESSAGE.userQuery:
      return unlessEmpty({ ...common, role: "user", parts: asList(textPart("text", body.text(1))) });
    case MESSAGE.agentOutput:
      return unlessEmpty({ ...common, role: "assistant", parts: asList(textPart("text", body.text(1))) });
    case MESSAGE.reasoning:
      return unlessEmpty({ ...common, role: "assistant", parts: asList(textPart("thinking", body.text(1))) });
    case MESSAGE.toolCall:
      return unlessEmpty({ ...common, role: "assistant", parts: callOf(body, names) });
    default:
      return unlessEmpty({ ...common, role: "tool", parts: [resultOf(body, names)] });
  }
}

function timeOf(message: ProtoMessage): string | undefined {
  const time = message.message(MESSAGE.time);
  const seconds = time?.number(1);
  return seconds === undefined ? undefined : toIso(seconds * 1000 + Math.floor((time?.number(2) ?? 0) / 1e6));
}

function callOf(call: ProtoMessage, names: Map<string, string>): Part[] {
  const id = call.text(CALL_ID);
  const arm = call.numbers.findLast((number) => number !== CALL_ID);
  if (arm === undefined) return [];
  const body = call.message(arm);
  const name = (arm === MCP_CALL ? body?.text(1) : undefined) || (TOOLS[arm] ?? `tool_${arm}`);
  if (id !== undefined) names.set(id, name);
  const texts = body?.texts() ?? [];
  const input = arm === 2 ? { command: body?.text(1) ?? "" } : { arguments: texts };
  return [defined({ type: "tool_call" as const, id, name, input })];
}

function resultOf(result: ProtoMessage, names: ReadonlyMap<string, string>): Part {
  const id = result.text(CALL_ID);
  const arm = result.numbers.findLast((number) => number !== CALL_ID);
  const texts = arm === undefined ? [] : (result.message(arm)?.texts() ?? []);
  return defined({
    type: "tool_result" as const,
    id,
    name: id === undefined ? undefined : names.get(id),
    output: texts.join("\n"),
  });
}
