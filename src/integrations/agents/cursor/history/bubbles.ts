/**
 * Cursor's bubbles: one bubble is a prompt, a thought, a text or one tool call together with its result. A result
 * becomes a message of its own after the call.
 */
import type { Message, Part, ToolCallPart, ToolResultPart } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { promptText } from "./prompt.ts";

export interface BubbleContext {
  id: string | undefined;
  /** The bubble's entry in the list of headers. */
  header?: JsonObject;
  /** The tool call of bubbles that do not contain it themselves (before version 3). */
  tool?: JsonObject;
}

const USER = 1;
const ASSISTANT = 2;

export function bubbleMessages(bubble: JsonObject, context: BubbleContext): Message[] {
  const type = asNumber(bubble.type) ?? asNumber(context.header?.type);
  const time = bubbleTime(bubble, context.header);
  if (type === USER || bubble.type === "user") return userMessage(bubble, context, time);
  if (type === ASSISTANT || bubble.type === "ai") return assistantMessages(bubble, context, time);
  return [];
}

export function bubbleModel(bubble: JsonObject): string | undefined {
  return modelName(firstString(asObject(bubble.modelInfo), "modelName") ?? firstString(bubble, "modelType"));
}

/** "default" lets Cursor choose: it does not name a model. */
export function modelName(name: string | undefined): string | undefined {
  return name === "default" || name === "auto" ? undefined : name;
}

function userMessage(bubble: JsonObject, context: BubbleContext, time: string | undefined): Message[] {
  const typed = firstString(bubble, "text", "rawText") ?? richText(asString(bubble.richText));
  const text = typed?.includes("<user_query>") ? promptText(typed) : typed;
  const parts: Part[] = some(textPart("text", text));
  for (const _image of asArray(bubble.images)) parts.push({ type: "text", text: "[image]" });
  return parts.length === 0 ? [] : [defined({ role: "user" as const, time, parts, uid: context.id })];
}

function assistantMessages(bubble: JsonObject, context: BubbleContext, time: string | undefined): Message[] {
  const parts: Part[] = thoughts(bubble).flatMap((thought) => some(textPart("thinking", thought)));
  parts.push(...some(textPart("text", firstString(bubble, "text", "rawText"))));
  const tool = isObject(bubble.toolFormerData) ? bubble.toolFormerData : context.tool;
  const call = tool && toolCall(tool);
  if (call) parts.push(call);
  if (parts.length === 0) return [];
  const model = bubbleModel(bubble);
  const said: Message = defined({ role: "assistant" as const, time, parts, uid: context.id, model });
  const result = call && tool && toolResult(tool, call);
  if (!result) return [said];
  return [said, defined({ role: "tool" as const, time: endTime(bubble) ?? time, parts: [result] })];
}

function thoughts(bubble: JsonObject): (string | undefined)[] {
  const thinking = asString(bubble.thinking) ?? asString(asObject(bubble.thinking).text);
  if (thinking) return [thinking];
  return asArray(bubble.allThinkingBlocks).map((block) => firstString(asObject(block), "text", "thinking"));
}

/** Some tool data is the remainder of a failed call, without a name. */
function toolCall(tool: JsonObject): ToolCallPart | undefined {
  const name = firstString(tool, "name");
  if (name === undefined) return undefined;
  const params = embedded(tool.params);
  const given = embedded(tool.rawArgs);
  const input = isEmpty(given) ? params : given;
  const files = ["relativeWorkspacePath", "targetFile", "effectiveUri", "path"].flatMap(
    (key) => firstString(asObject(params), key) ?? [],
  );
  return defined({
    type: "tool_call" as const,
    id: firstString(tool, "toolCallId"),
    name,
    input: isEmpty(input) ? {} : (input ?? {}),
    files: files.length > 0 ? [...new Set(files)] : undefined,
  });
}

function toolResult(tool: JsonObject, call: ToolCallPart): ToolResultPart | undefined {
  const result = embedded(tool.result);
  const error = failure(tool);
  const refused = tool.userDecision === "rejected" || tool.status === "cancelled";
  if (isEmpty(result) && error === undefined && !refused && tool.status !== "error") return undefined;
  const fields = asObject(result);
  const exit = asNumber(fields.exitCodeV2) ?? asNumber(fields.exitCode);
  const output = [resultText(result), error, refused ? "[cancelled]" : undefined].filter((text) => text).join("\n");
  const failed = tool.status === "error" || error !== undefined || refused || (exit !== undefined && exit !== 0);
  return defined({
    type: "tool_result" as const,
    id: call.id,
    name: call.name,
    output,
    is_error: failed ? true : undefined,
    exit_code: exit,
    agent: firstString(fields, "agentId", "subagentId"),
  });
}

function resultText(result: Json | undefined): string | undefined {
  if (isEmpty(result)) return undefined;
  if (typeof result === "string") return result;
  const fields = asObject(result);
  const contents = Array.isArray(fields.contents) ? undefined : firstString(fields, "output", "contents");
  return contents ?? JSON.stringify(result);
}

function failure(tool: JsonObject): string | undefined {
  const error = embedded(tool.error);
  if (isEmpty(error)) return undefined;
  if (typeof error === "string") return error;
  return (
    firstString(asObject(error), "modelVisibleErrorMessage", "clientVisibleErrorMessage", "message") ??
    JSON.stringify(error)
  );
}

/** JSON in a string; any other string is returned as it is. */
function embedded(value: Json | undefined): Json | undefined {
  if (typeof value !== "string") return value;
  return parseJson(value) ?? value;
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** The editor's form of a prompt: a tree whose leaves are texts, and paragraphs between them. */
function richText(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const tree = parseJson(text);
  if (!isObject(tree) || !isObject(tree.root)) return isObject(tree) ? undefined : text;
  const leaves = (node: JsonObject, depth: number): string => {
    if (typeof node.text === "string") return node.text;
    if (node.type === "linebreak") return "\n";
    const inside = depth > 0 ? asArray(node.children).map((child) => leaves(asObject(child), depth - 1)) : [];
    return inside.join("") + (node.type === "paragraph" ? "\n" : "");
  };
  return leaves(tree.root, 50).trim() || undefined;
}

/** Some of Cursor's times are milliseconds since the window was opened: dex uses only values that can be dates. */
const EARLIEST = Date.UTC(2020, 0);

function plausible(value: Json | undefined): string | undefined {
  if (typeof value === "string") return toIso(value);
  return typeof value === "number" && value >= EARLIEST ? toIso(Math.floor(value)) : undefined;
}

function bubbleTime(bubble: JsonObject, header: JsonObject | undefined): string | undefined {
  const timing = asObject(bubble.timingInfo);
  return (
    plausible(bubble.createdAt) ??
    plausible(header?.createdAt) ??
    plausible(bubble.timestamp) ??
    plausible(timing.clientRpcSendTime) ??
    plausible(timing.clientStartTime)
  );
}

function endTime(bubble: JsonObject): string | undefined {
  const timing = asObject(bubble.timingInfo);
  return plausible(timing.clientSettleTime) ?? plausible(timing.clientEndTime);
}

function some<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
