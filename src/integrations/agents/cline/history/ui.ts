/**
 * The messages that Cline displayed (`ui_messages.json`). They give the times of the model history, which has none of
 * its own in most versions, and the conversation itself if that history is missing.
 */
import type { Message, Part, Role } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asNumber,
  asObject,
  asString,
  firstString,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { wordsOf } from "./user.ts";

/**
 * Times of the history's records. Each displayed message says how long the history was when it appeared
 * (`conversationHistoryIndex`): Cline sends a request right before it stores the user record, and shows the assistant's
 * words before it stores their record. Without the index, requests and user records are paired if they are equally
 * many.
 */
export function timesFromUi(
  ui: readonly JsonObject[],
  history: readonly Json[],
): (index: number) => string | undefined {
  const roles = history.map((record) => asObject(record).role);
  const times = ui.some((shown) => asNumber(shown.conversationHistoryIndex) !== undefined)
    ? timesByIndex(ui, roles)
    : timesByOrder(ui, roles);
  return (index) => toIso(times.get(index));
}

function timesByIndex(ui: readonly JsonObject[], roles: readonly (Json | undefined)[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const shown of ui) {
    const before = asNumber(shown.conversationHistoryIndex);
    const ts = asNumber(shown.ts);
    if (before === undefined || ts === undefined) continue;
    const index = before + 1;
    const sent = roles[index] === "user" && index > 0 && shown.say === "api_req_started";
    if (sent || !times.has(index)) times.set(index, ts);
  }
  return times;
}

function timesByOrder(ui: readonly JsonObject[], roles: readonly (Json | undefined)[]): Map<number, number> {
  const times = new Map<number, number>();
  const sent = ui.flatMap((shown, at) => (shown.say === "api_req_started" ? [at] : []));
  const users = roles.flatMap((role, index) => (role === "user" ? [index] : []));
  if (sent.length !== users.length) return times;
  for (const [turn, index] of users.entries()) {
    const at = sent[turn] ?? 0;
    const asked = asNumber(ui[at]?.ts);
    const answered = asNumber(ui[at + 1]?.ts);
    if (asked !== undefined) times.set(index, asked);
    if (answered !== undefined && roles[index + 1] === "assistant") times.set(index + 1, answered);
  }
  return times;
}

/** The tokens of each request, in order. */
export function requestsOf(ui: readonly JsonObject[], task: string): Usage[] {
  return ui.flatMap((shown) => {
    if (shown.say !== "api_req_started") return [];
    const recorded = asObject(parseJson(asString(shown.text) ?? ""));
    const facts = { id: requestId(task, String(shown.ts)), time: toIso(shown.ts), cost: asNumber(recorded.cost) };
    return requestUsage(recorded, {}, defined({ ...facts, model: modelOf(shown) })) ?? [];
  });
}

/** Each answer takes the request before it; requests without an answer belong to the last message. */
export function withRequests(messages: readonly Message[], requests: readonly Usage[]): Message[] {
  const left = [...requests];
  return messages.map((message, i) => {
    const usage = i === messages.length - 1 ? left.splice(0) : message.role === "assistant" ? left.splice(0, 1) : [];
    return usage.length > 0 ? { ...message, usage } : message;
  });
}

export function* uiMessages(ui: readonly JsonObject[]): Generator<Message> {
  for (const [position, shown] of ui.entries()) {
    const kind = asString(shown.type === "ask" ? shown.ask : shown.say) ?? "";
    const text = asString(shown.text) ?? "";
    const parts = position === 0 || USER.has(kind) ? words(text) : shownParts(kind, text);
    const [first] = parts;
    if (!first) continue;
    const role: Role = position === 0 || USER.has(kind) ? "user" : first.type === "tool_result" ? "tool" : "assistant";
    yield defined({ role, time: toIso(shown.ts), parts, model: role === "assistant" ? modelOf(shown) : undefined });
  }
}

const USER = new Set(["task", "user_feedback"]);

function words(text: string): Part[] {
  return wordsOf(text).map((word) => ({ type: "text", text: word }));
}

function shownParts(kind: string, text: string): Part[] {
  const part = shownPart(kind, text);
  return part ? [part] : [];
}

function shownPart(kind: string, text: string): Part | undefined {
  switch (kind) {
    case "text":
    case "completion_result":
      return textPart("text", text);
    case "reasoning":
      return textPart("thinking", text);
    case "followup":
    case "plan_mode_respond":
      return textPart("text", firstString(asObject(parseJson(text)), "question", "response") ?? text);
    case "tool":
    case "use_mcp_server":
      return toolCall(asObject(parseJson(text)), kind);
    case "command":
      return text.trim() === "" ? undefined : { type: "tool_call", name: "execute_command", input: { command: text } };
    case "command_output":
      return text === "" ? undefined : { type: "tool_result", name: "execute_command", output: text };
    case "mcp_server_response":
      return text === "" ? undefined : { type: "tool_result", name: "use_mcp_tool", output: text };
    default:
      return undefined;
  }
}

function toolCall(shown: JsonObject, kind: string): Part | undefined {
  const { tool, ...input } = shown;
  const name = asString(tool) ?? (kind === "use_mcp_server" ? "use_mcp_tool" : undefined);
  return name ? { type: "tool_call", name, input } : undefined;
}

function modelOf(shown: JsonObject): string | undefined {
  return firstString(asObject(shown.modelInfo), "modelId");
}
