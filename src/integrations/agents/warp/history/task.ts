/** The messages of a task of Warp. Numbers are those of its published definition of tasks. */
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import type { Json, JsonObject } from "../../../../kernel/json.ts";
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
const COMMAND = 2;
const MCP_CALL = 12;
const MCP_RESULT = 16;
const CANCELLED = 14;
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
  return [defined({ type: "tool_call" as const, id, name, input: inputOf(arm, body) })];
}

function inputOf(arm: number, body: ProtoMessage | undefined): Json {
  if (arm === COMMAND) return { command: body?.text(1) ?? "" };
  if (arm === MCP_CALL) return structOf(body?.message(2), MAX_DEPTH);
  return { arguments: body?.texts() ?? [] };
}

/** Deeper values of an input are left out. */
const MAX_DEPTH = 20;
/** A value in Google's form of JSON is one of these. */
const VALUE = { number: 2, text: 3, truth: 4, struct: 5, list: 6 } as const;

function structOf(struct: ProtoMessage | undefined, depth: number): JsonObject {
  const entries = struct?.messages(1) ?? [];
  return Object.fromEntries(entries.map((entry) => [entry.text(1) ?? "", structValue(entry.message(2), depth)]));
}

function structValue(value: ProtoMessage | undefined, depth: number): Json {
  if (!value || depth === 0) return null;
  switch (value.numbers.at(-1)) {
    case VALUE.number:
      return value.double(VALUE.number) ?? null;
    case VALUE.text:
      return value.text(VALUE.text) ?? "";
    case VALUE.truth:
      return value.number(VALUE.truth) === 1;
    case VALUE.struct:
      return structOf(value.message(VALUE.struct), depth - 1);
    case VALUE.list:
      return (value.message(VALUE.list)?.messages(1) ?? []).map((each) => structValue(each, depth - 1));
    default:
      return null;
  }
}

function resultOf(result: ProtoMessage, names: ReadonlyMap<string, string>): Part {
  const id = result.text(CALL_ID);
  const arm = result.numbers.findLast((number) => number !== CALL_ID);
  const body = arm === undefined ? undefined : result.message(arm);
  const isServers = arm === MCP_RESULT;
  return defined({
    type: "tool_result" as const,
    id,
    name: id === undefined ? undefined : names.get(id),
    output: (isServers ? serverTexts(body) : (body?.texts() ?? [])).join("\n"),
    is_error: arm === CANCELLED || (isServers && body?.has(SERVER_ERROR)) ? true : undefined,
  });
}

/** Fields of a server tool's result: items, or an error. */
const SERVER_ITEMS = 1;
const SERVER_ERROR = 2;
/** An item is one of these; a resource has its address, and then a text or bytes. */
const ITEM = { text: 1, image: 2, resource: 3 } as const;

function serverTexts(body: ProtoMessage | undefined): string[] {
  if (body?.has(SERVER_ERROR)) return asList(body.textAt(SERVER_ERROR, 1));
  return (body?.messageAt(SERVER_ITEMS)?.messages(1) ?? []).flatMap((item) => {
    switch (item.numbers.at(-1)) {
      case ITEM.text:
        return asList(item.textAt(ITEM.text, 1));
      case ITEM.image:
        return ["[image]"];
      case ITEM.resource:
        return [item.textAt(ITEM.resource, 2, 1) ?? `[file] ${item.textAt(ITEM.resource, 1) ?? ""}`.trim()];
      default:
        return [];
    }
  });
}
