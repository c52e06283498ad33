/** Converts one entry of a pi session file to messages. */
import type { Message, Part, Role } from "../../../../conversations/model.ts";
import { requestId } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  type Json,
  type JsonObject,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { attachmentText, contentText, isAttachment, textPart } from "../../../history/building/blocks.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { isHousekeeping } from "../../../history/building/wrappers.ts";

export function entryMessages(entry: JsonObject): Message[] {
  switch (entry.type) {
    case "message":
      return recordMessages(entry, asObject(entry.message));
    case "compaction":
    case "branch_summary":
      return summary(entry, asString(entry.summary));
    case "custom_message":
      return custom(entry, entry);
    default:
      return [];
  }
}

/** The model that the session uses from this entry on, if the entry names one. */
export function entryModel(entry: JsonObject): string | undefined {
  if (entry.type === "model_change" || entry.type === "session") return firstString(entry, "modelId");
  if (entry.type !== "message") return undefined;
  const message = asObject(entry.message);
  return message.role === "assistant" ? firstString(message, "model") : undefined;
}

function recordMessages(entry: JsonObject, message: JsonObject): Message[] {
  switch (message.role) {
    case "user":
      return entryMessage(entry, "user", userParts(message.content));
    case "assistant":
      return answer(entry, message);
    case "toolResult":
      return [toolResult(entry, message)];
    case "bashExecution":
      return bashExecution(entry, message);
    case "branchSummary":
    case "compactionSummary":
      return summary(entry, asString(message.summary));
    case "custom":
    case "hookMessage":
      return custom(entry, message);
    default:
      return [];
  }
}

function entryMessage(entry: JsonObject, role: Role, parts: Part[], model?: string): Message[] {
  return parts.length === 0 ? [] : [defined({ role, time: timeOf(entry), parts, uid: uidOf(entry), model })];
}

function answer(entry: JsonObject, message: JsonObject): Message[] {
  const recorded = asObject(message.usage);
  const facts = defined({ id: requestId(uidOf(entry), timeOf(entry)), cost: asNumber(asObject(recorded.cost).total) });
  const usage = requestUsage(recorded, {}, facts);
  const model = firstString(message, "model");
  return entryMessage(entry, "assistant", assistantParts(message.content), model).map((each) =>
    defined({ ...each, usage }),
  );
}

function userParts(content: Json | undefined): Part[] {
  const parts: Part[] = [];
  for (const block of contentBlocks(content)) {
    const text = isAttachment(block) ? attachmentText(block) : asString(block.text);
    const part = text !== undefined && isHousekeeping(text) ? undefined : textPart("text", text);
    if (part) parts.push(part);
  }
  return parts;
}

function assistantParts(content: Json | undefined): Part[] {
  const parts: Part[] = [];
  for (const block of contentBlocks(content)) {
    const part = assistantPart(block);
    if (part) parts.push(part);
  }
  return parts;
}

function assistantPart(block: JsonObject): Part | undefined {
  if (block.type === "text") return textPart("text", asString(block.text));
  if (block.type === "thinking") return textPart("thinking", asString(block.thinking));
  if (isAttachment(block)) return textPart("text", attachmentText(block));
  const name = asString(block.name);
  if (block.type !== "toolCall" || !name) return undefined;
  return defined({ type: "tool_call" as const, id: asString(block.id), name, input: block.arguments ?? {} });
}

function toolResult(entry: JsonObject, message: JsonObject): Message {
  const output = contentText(message.content);
  const part = defined({
    type: "tool_result" as const,
    id: asString(message.toolCallId),
    name: asString(message.toolName),
    output,
    is_error: message.isError === true ? true : undefined,
    exit_code: asNumber(asObject(message.details).exitCode) ?? exitCode(message.toolName, output),
  });
  return defined({ role: "tool" as const, time: timeOf(entry), parts: [part], uid: uidOf(entry) });
}

/** pi's bash tool records a nonzero exit status only as the last line of its output. */
function exitCode(tool: Json | undefined, output: string): number | undefined {
  const failed = tool === "bash" ? /Command exited with code (\d+)\s*$/.exec(output) : null;
  return failed ? Number(failed[1]) : undefined;
}

/** A command the user ran with `!`: the command and its output. */
function bashExecution(entry: JsonObject, message: JsonObject): Message[] {
  const command = asString(message.command)?.trim();
  if (!command) return [];
  const uid = uidOf(entry);
  const time = timeOf(entry);
  const typed: Part[] = [{ type: "text", text: `! ${command}` }];
  const result = defined({
    type: "tool_result" as const,
    name: "bash",
    output: asString(message.output) ?? "",
    exit_code: asNumber(message.exitCode),
  });
  return [
    defined({ role: "user", time, parts: typed, uid }),
    defined({ role: "tool", time, parts: [result], uid: uid && `${uid}:result` }),
  ];
}

function summary(entry: JsonObject, text: string | undefined): Message[] {
  const part = textPart("text", text);
  if (!part) return [];
  return [defined({ role: "system" as const, time: timeOf(entry), parts: [part], uid: uidOf(entry), kind: "summary" })];
}

/** A message that an extension inserted, if it is meant for people. */
function custom(entry: JsonObject, holder: JsonObject): Message[] {
  if (holder.display === false) return [];
  const part = textPart("text", contentText(holder.content));
  return part ? entryMessage(entry, "system", [part]) : [];
}

function contentBlocks(content: Json | undefined): JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : asArray(content).map(asObject);
}

function timeOf(entry: JsonObject): string | undefined {
  return toIso(entry.timestamp) ?? toIso(asObject(entry.message).timestamp);
}

/** Entries of the first version have no id. Forks repeat them with their times, so a time and a role identify them. */
function uidOf(entry: JsonObject): string | undefined {
  const id = asString(entry.id);
  if (id) return id;
  const time = timeOf(entry);
  const message = asObject(entry.message);
  return time && `${time}:${firstString(message, "toolCallId", "role") ?? asString(entry.type) ?? ""}`;
}
