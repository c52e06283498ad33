/** Converts one message record of a Gemini CLI session to messages: its text, and then the results of its tools. */
import type { Message, Part, ToolResultPart } from "../../../../conversations/model.ts";
import { requestId } from "../../../../conversations/usage.ts";
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
import { toIso } from "../../../../kernel/time.ts";
import { attachmentText, isAttachment, textPart } from "../../../history/building/blocks.ts";
import { googleUsage } from "../../../history/building/usage.ts";
import { blockTexts, isHousekeeping, stripBlocks } from "../../../history/building/wrappers.ts";

/** Texts that Gemini CLI itself sends to the model: the setting, hooks, reminders. */
const NOISE = ["session_context", "hook_context", "system-reminder", "system_reminder", "loaded_context"];
const SETTING = /^This is the Gemini CLI\. We are setting up the context/;
const ACKNOWLEDGED = /^Got it\. Thanks for the (?:additional )?context!?$/;
/** Gemini CLI frames what a tool read from outside, so that its model does not take it for instructions. */
const FRAME = /^\s*<untrusted_context>\n?|\n?<\/untrusted_context>\s*$/g;
/** Gemini CLI appends files named with `@` to the prompt, between these lines. */
const REFERENCED = /\n*--- Content from referenced files ---[\s\S]*?(?:--- End of content ---|$)/g;

export function recordMessages(record: JsonObject): Message[] {
  if (record.type === "user") return userMessages(record);
  // Agents made from Gemini CLI write their own name.
  if (record.type === "gemini" || record.type === "tabnine") return modelMessages(record);
  return [];
}

/** Ids of a record's tool calls, whether in its list of calls or among its parts. */
export function callIds(record: JsonObject): string[] {
  const listed = asArray(record.toolCalls).map((call) => asString(asObject(call).id));
  const parts = partsOf(record.content).map((part) => asString(asObject(part.functionCall).id));
  return [...listed, ...parts].filter((id) => id !== undefined);
}

export function plainText(content: Json | undefined): string {
  return partsOf(content)
    .map((part) => asString(part.text) ?? "")
    .join("");
}

function userMessages(record: JsonObject): Message[] {
  const raw = plainText(record.content);
  const snapshot = blockTexts(raw, "state_snapshot");
  if (snapshot.length > 0) {
    return [message(record, "system", [{ type: "text", text: snapshot.join("\n\n") }], { kind: "summary" })];
  }
  // The displayed text is what the user typed; without it, dex cuts off the additions.
  const shown = record.displayContent ?? record.content;
  const text = stripBlocks(plainText(shown), NOISE).replace(REFERENCED, "").trim();
  const parts: Part[] = [];
  if (text !== "" && !SETTING.test(text) && !isHousekeeping(text)) parts.push({ type: "text", text });
  for (const part of partsOf(record.content)) {
    if (isAttachment(part)) parts.push({ type: "text", text: attachmentText(part) });
  }
  return parts.length > 0 ? [message(record, "user", parts)] : [];
}

function modelMessages(record: JsonObject): Message[] {
  const parts: Part[] = [];
  for (const thought of asArray(record.thoughts).map(asObject)) {
    const part = textPart(
      "thinking",
      [asString(thought.subject), asString(thought.description)].filter(Boolean).join("\n"),
    );
    if (part) parts.push(part);
  }
  for (const part of partsOf(record.content)) {
    const newPart = textPart(part.thought === true ? "thinking" : "text", partText(part));
    if (newPart && !(newPart.type === "text" && ACKNOWLEDGED.test(newPart.text))) parts.push(newPart);
  }
  const calls = asArray(record.toolCalls).map(asObject);
  const listed = new Set(calls.map((call) => asString(call.id)));
  for (const call of [...calls, ...inlineCalls(record, listed)]) {
    const name = asString(call.name);
    if (name && !isOnlyResult(call))
      parts.push(defined({ type: "tool_call", id: asString(call.id), name, input: call.args ?? {} }));
  }
  const messages: Message[] = [];
  const usage = googleUsage(record.tokens, requestId(firstString(record, "id"), asString(record.timestamp)));
  const answer = { model: firstString(record, "model"), usage };
  if (parts.length > 0) messages.push(message(record, "assistant", parts, answer));
  const results = calls.flatMap((call) => resultPart(call) ?? []);
  if (results.length > 0) messages.push(resultMessage(record, calls, results));
  return messages;
}

/** A compressed history keeps calls only as parts of the content. */
function inlineCalls(record: JsonObject, listed: ReadonlySet<string | undefined>): JsonObject[] {
  return partsOf(record.content)
    .map((part) => part.functionCall)
    .filter(isObject)
    .filter((call) => !listed.has(asString(call.id)));
}

/** Tabnine writes the result of a call in a record of its own, which repeats the call without its arguments. */
function isOnlyResult(call: JsonObject): boolean {
  return call.args === undefined && call.result !== undefined;
}

function resultMessage(record: JsonObject, calls: readonly JsonObject[], results: ToolResultPart[]): Message {
  const id = firstString(record, "id");
  const time = toIso(calls.at(-1)?.timestamp) ?? toIso(record.timestamp);
  return defined({ role: "tool", time, parts: results, uid: id && `${id}:results` });
}

function resultPart(call: JsonObject): ToolResultPart | undefined {
  const responses = partsOf(call.result ?? undefined);
  const output = responses.length > 0 ? responses.map(responseText).filter(Boolean).join("\n") : displayText(call);
  const failed = call.status === "error";
  if (output === undefined && !failed) return undefined;
  const name = asString(call.name);
  return defined({
    type: "tool_result" as const,
    id: asString(call.id),
    name,
    output: output ?? "",
    is_error: failed || responses.some(isFailure) ? true : undefined,
    exit_code: name === "run_shell_command" ? shellExitCode(output ?? "") : undefined,
    agent: firstString(call, "agentId"),
  });
}

function responseText(part: JsonObject): string {
  if (!isObject(part.functionResponse)) return partText(part) ?? "";
  const response = asObject(part.functionResponse.response);
  const text = firstString(response, "output", "error", "result", "content");
  if (text !== undefined) return text.replace(FRAME, "");
  return Object.keys(response).length > 0 ? JSON.stringify(response) : "";
}

function isFailure(part: JsonObject): boolean {
  return asObject(asObject(part.functionResponse).response).error !== undefined;
}

/** The displayed result, for calls whose result for the model was not stored. */
function displayText(call: JsonObject): string | undefined {
  if (typeof call.resultDisplay === "string") return call.resultDisplay;
  return firstString(asObject(call.resultDisplay), "fileDiff", "summary", "text");
}

/** The shell tool ends its report with the status; the command's own output may contain the same words before it. */
export function shellExitCode(output: string): number | undefined {
  const found = [...output.matchAll(/^Exit Code: (-?\d+)$/gm)].at(-1);
  return found ? Number(found[1]) : undefined;
}

function message(record: JsonObject, role: Message["role"], parts: Part[], more: Partial<Message> = {}): Message {
  return defined({ role, time: toIso(record.timestamp), parts, uid: firstString(record, "id"), ...more });
}

/** A part list is a string, one part, or an array of either. */
function partsOf(content: Json | undefined): JsonObject[] {
  const list = Array.isArray(content) ? content : content === undefined || content === null ? [] : [content];
  return list.map((part) => (typeof part === "string" ? { text: part } : asObject(part)));
}

function partText(part: JsonObject): string | undefined {
  return isAttachment(part) ? attachmentText(part) : asString(part.text);
}
