/**
 * OpenCode's messages as stored in the newer `session_message` rows, projected from events: one row is one message with
 * its content inside. A session may have rows of this kind, of the older kind, or of both: a program that migrates from
 * one to the other writes both for a while, and dex must deduplicate them.
 */
import type { Message, Part, ToolResultPart } from "../../../../conversations/model.ts";
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
import { textPart } from "../../../history/building/blocks.ts";
import {
  attachment,
  errorText,
  messageModel,
  type StoredMessage,
  storedMessages,
  tokensOf,
  toolCall,
} from "./parts.ts";

export interface ProjectedMessage {
  id: string;
  type: string;
  /** Milliseconds. */
  created: number;
  data: JsonObject;
}

/** A user's own prompt is stored within this time in both forms. */
const SAME_PROMPT_MS = 60_000;

/** Both kinds as one list in the order of their times. */
export function joinedMessages(stored: readonly StoredMessage[], projected: readonly ProjectedMessage[]): Message[] {
  const fresh = withoutRepeats(stored, projected);
  const joined: Message[] = [];
  let next = 0;
  for (const message of stored) {
    for (let row = fresh[next]; row && row.created < message.created; row = fresh[next]) {
      joined.push(...projectedMessages(row));
      next += 1;
    }
    joined.push(...storedMessages(message));
  }
  return [...joined, ...fresh.slice(next).flatMap(projectedMessages)];
}

/** Rows that only repeat an older message. */
function withoutRepeats(
  stored: readonly StoredMessage[],
  projected: readonly ProjectedMessage[],
): readonly ProjectedMessage[] {
  if (stored.length === 0) return projected;
  const ids = new Set(stored.map((message) => message.id));
  const prompts = stored.filter((message) => message.data.role === "user");
  const answers = spans(stored);
  return projected.filter((row) => {
    if (ids.has(row.id)) return false;
    if (row.type !== "user") return !answers.some(([from, to]) => row.created >= from && row.created <= to);
    const text = asString(row.data.text)?.trim();
    const twin = prompts.findIndex(
      (prompt) => Math.abs(prompt.created - row.created) <= SAME_PROMPT_MS && promptText(prompt) === text,
    );
    if (twin < 0) return true;
    prompts.splice(twin, 1);
    return false;
  });
}

/** While OpenCode was answering an older message, a newer row is its projection. */
function spans(stored: readonly StoredMessage[]): [number, number][] {
  return stored.flatMap((message, at): [number, number][] => {
    if (message.data.role !== "assistant") return [];
    const completed = asNumber(asObject(message.data.time).completed);
    return [[message.created, completed ?? stored[at + 1]?.created ?? message.created]];
  });
}

function promptText(prompt: StoredMessage): string {
  return prompt.parts
    .filter(({ data }) => data.type === "text" && data.synthetic !== true && data.ignored !== true)
    .map(({ data }) => asString(data.text) ?? "")
    .join("\n")
    .trim();
}

function projectedMessages(row: ProjectedMessage): Message[] {
  const time = toIso(row.created);
  if (row.type === "user") return userMessage(row, time);
  if (row.type === "assistant") return assistantMessages(row, time);
  if (row.type === "shell") return shellMessages(row, time);
  if (row.type !== "compaction") return [];
  const summary = textPart("text", asString(row.data.summary));
  return summary
    ? [defined({ role: "system" as const, time, parts: [summary], uid: row.id, kind: "summary" as const })]
    : [];
}

function userMessage(row: ProjectedMessage, time: string | undefined): Message[] {
  const parts: Part[] = [];
  const text = textPart("text", asString(row.data.text));
  if (text) parts.push(text);
  for (const file of asArray(row.data.files)) parts.push({ type: "text", text: attachment(asObject(file)) });
  return parts.length === 0 ? [] : [defined({ role: "user" as const, time, parts, uid: row.id })];
}

function assistantMessages(row: ProjectedMessage, time: string | undefined): Message[] {
  const parts: Part[] = [];
  const results: ToolResultPart[] = [];
  let ended = 0;
  for (const content of asArray(row.data.content).map(asObject)) {
    const newPart = contentPart(content);
    if (newPart) parts.push(newPart);
    if (content.type !== "tool") continue;
    const state = asObject(content.state);
    const id = firstString(content, "callID", "id");
    const name = asString(content.name) ?? "";
    parts.push(toolCall(id, name, state));
    const result = toolResult(id, name, state);
    if (!result) continue;
    results.push(result);
    ended = Math.max(ended, asNumber(asObject(content.time).completed) ?? 0);
  }
  const error = errorText(row.data.error);
  if (error !== undefined) parts.push({ type: "text", text: error });
  const messages: Message[] = [];
  const model = messageModel(row.data);
  if (parts.length > 0) messages.push(defined({ role: "assistant" as const, time, parts, uid: row.id, model }));
  if (results.length > 0) messages.push({ role: "tool", time: toIso(ended) ?? time, parts: results });
  if (messages[0]) messages[0].usage = tokensOf(row.data, row.id);
  return messages.map(defined);
}

function contentPart(content: JsonObject): Part | undefined {
  if (content.synthetic === true || content.ignored === true) return undefined;
  if (content.type === "text") return textPart("text", asString(content.text));
  return content.type === "reasoning" ? textPart("thinking", asString(content.text)) : undefined;
}

function toolResult(id: string | undefined, name: string, state: JsonObject): ToolResultPart | undefined {
  if (state.status !== "completed" && state.status !== "error") return undefined;
  const structured = asObject(state.structured);
  const exit = asNumber(structured.exit) ?? asNumber(structured.exitCode);
  const output = asArray(state.content).map(outputText);
  if (output.length === 0) output.push(asString(state.result) ?? asString(structured.output) ?? "");
  if (state.status === "error")
    output.push(asString(state.error) ?? firstString(asObject(state.error), "message") ?? "");
  return defined({
    type: "tool_result" as const,
    id,
    name,
    output: output.filter((text) => text !== "").join("\n"),
    is_error: state.status === "error" || name === "invalid" || (exit !== undefined && exit !== 0) ? true : undefined,
    exit_code: exit,
    agent: firstString(structured, "sessionID", "sessionId"),
  });
}

function outputText(content: Json): string {
  const object = asObject(content);
  return object.type === "file" ? attachment(object) : (asString(object.text) ?? "");
}

/** A command the user ran in the session: the call is the user's. */
function shellMessages(row: ProjectedMessage, time: string | undefined): Message[] {
  const command = firstString(row.data, "command");
  if (command === undefined) return [];
  const id = firstString(row.data, "callID", "shellID");
  const call = defined({ type: "tool_call" as const, id, name: "shell", input: { command } });
  const messages: Message[] = [defined({ role: "user" as const, time, parts: [call], uid: row.id })];
  const output = asString(row.data.output) ?? asString(asObject(row.data.output).text);
  const exit = asNumber(row.data.exit);
  if (output === undefined && exit === undefined) return messages;
  const result = defined({
    type: "tool_result" as const,
    id,
    name: "shell",
    output: output ?? "",
    is_error: exit !== undefined && exit !== 0 ? true : undefined,
    exit_code: exit,
  });
  const ended = toIso(asObject(row.data.time).completed) ?? time;
  return [...messages, defined({ role: "tool" as const, time: ended, parts: [result] })];
}
