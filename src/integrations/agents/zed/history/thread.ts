/** The messages of a thread of Zed: today's form, and the one before version 0.3.0. Threads have no times. */
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
} from "../../../../kernel/json.ts";
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { asList } from "../../../history/building/messages.ts";

export function threadMessages(thread: JsonObject): Message[] {
  return asArray(thread.messages).flatMap((message, position) => {
    const record = asObject(message);
    if (isObject(record.User)) return userMessage(record.User);
    if (isObject(record.Agent)) return agentMessages(record.Agent, `agent-${position}`);
    if (isObject(record.Compaction)) return summary(asString(record.Compaction.Summary));
    return record.role === undefined ? [] : olderMessages(record);
  });
}

function userMessage(user: JsonObject): Message[] {
  const parts = asArray(user.content)
    .map(asObject)
    .flatMap((block): Part[] => {
      if (isObject(block.Mention)) return asList(textPart("text", mention(block.Mention)));
      if (block.Image !== undefined) return [{ type: "text", text: "[image]" }];
      return asList(textPart("text", asString(block.Text)));
    });
  return parts.length > 0 ? [defined<Message>({ role: "user", parts, uid: asString(user.id) })] : [];
}

/** The content of a mentioned file is attached context, not the user's words. */
function mention({ uri }: JsonObject): string | undefined {
  if (typeof uri === "string") return `@${uri}`;
  const [kind] = Object.values(asObject(uri)).map(asObject);
  const named = kind && firstString(kind, "abs_path", "path", "name", "url");
  return named === undefined ? undefined : `@${named}`;
}

function agentMessages(agent: JsonObject, uid: string): Message[] {
  const names = new Map<string, string>();
  const parts = asArray(agent.content)
    .map(asObject)
    .flatMap((block): Part[] => {
      if (isObject(block.Thinking)) return asList(textPart("thinking", asString(block.Thinking.text)));
      if (isObject(block.ToolUse)) return toolCall(block.ToolUse, names);
      return asList(textPart("text", asString(block.Text)));
    });
  const results = Object.entries(asObject(agent.tool_results)).map(([id, value]) =>
    toolResult(id, asObject(value), names),
  );
  return [
    ...(parts.length > 0 ? [{ role: "assistant" as const, parts, uid }] : []),
    ...(results.length > 0 ? [{ role: "tool" as const, parts: results, uid: `${uid}:tool` }] : []),
  ];
}

function toolCall(use: JsonObject, names: Map<string, string>): Part[] {
  const name = firstString(use, "name");
  const id = asString(use.id);
  if (name === undefined) return [];
  if (id !== undefined) names.set(id, name);
  return [defined({ type: "tool_call" as const, id, name, input: inputOf(use.input) })];
}

/** Newer versions wrap the input in its type. */
function inputOf(input: Json | undefined): Json {
  if (isObject(input) && (input.type === "json" || input.type === "text") && input.value !== undefined)
    return input.value;
  return input ?? {};
}

function toolResult(id: string, result: JsonObject, names: ReadonlyMap<string, string>): Part {
  return defined({
    type: "tool_result" as const,
    id,
    name: firstString(result, "tool_name") ?? names.get(id),
    output: resultText(result.content),
    is_error: result.is_error === true ? true : undefined,
  });
}

function resultText(content: Json | undefined): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks
    .map((block) =>
      isObject(block) ? (firstString(block, "Text", "text") ?? (block.Image ? "[image]" : "")) : contentText(block),
    )
    .filter((text) => text !== "")
    .join("\n");
}

function summary(text: string | undefined): Message[] {
  const part = textPart("text", text);
  return part ? [{ role: "system", kind: "summary", parts: [part] }] : [];
}

/** Before 0.3.0: segments, tool uses and results beside each other; in 0.1.0 the next user message has the results. */
function olderMessages(record: JsonObject): Message[] {
  if (record.is_hidden === true || (record.role !== "user" && record.role !== "assistant")) return [];
  const names = new Map<string, string>();
  const segments = asArray(record.segments).map(asObject);
  const texts = segments.length > 0 ? segments : [{ type: "text", text: record.text }];
  const said = texts.flatMap((segment) =>
    asList(textPart(segment.type === "thinking" ? "thinking" : "text", asString(segment.text))),
  );
  const calls = asArray(record.tool_uses).flatMap((use) => toolCall(asObject(use), names));
  const results = asArray(record.tool_results)
    .map(asObject)
    .map((result) => toolResult(asString(result.tool_use_id) ?? "", result, names));
  const uid = typeof record.id === "number" ? String(record.id) : asString(record.id);
  const own: Message[] =
    said.length + calls.length > 0 ? [defined<Message>({ role: record.role, parts: [...said, ...calls], uid })] : [];
  const tools: Message[] =
    results.length > 0 ? [defined<Message>({ role: "tool", parts: results, uid: uid && `${uid}:tool` })] : [];
  return record.role === "user" ? [...tools, ...own] : [...own, ...tools];
}
