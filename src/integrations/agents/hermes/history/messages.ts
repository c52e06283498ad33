/**
 * The messages of Hermes. They have OpenAI's chat form, in rows of its database as in its files; programs also speak in
 * the role of the user.
 */
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asNumber, asObject, asString, firstString, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { chatMessages } from "../../../history/building/chat.ts";

export interface HermesRecord {
  /** `role`, `content`, `tool_calls`, `tool_call_id`, `tool_name` and `reasoning`. */
  chat: JsonObject;
  time?: string | undefined;
  uid?: string | undefined;
}

const SUMMARY = /^\[CONTEXT (?:COMPACTION|SUMMARY)/;
/** Notices about the end of work in the background, with the tool that began it. */
const NOTICES: readonly [RegExp, string][] = [
  [/^\[ASYNC DELEGATION /, "delegate_task"],
  [/^\[IMPORTANT: Background process /, "terminal"],
];

/** `names` has the tools of the calls so far, by the ids of the calls. */
export function recordMessages({ chat, time, uid }: HermesRecord, names: Map<string, string>): Message[] {
  const common = defined({ time, uid });
  const text = asString(chat.content) ?? "";
  if (SUMMARY.test(text)) return [{ ...common, role: "system", kind: "summary", parts: [{ type: "text", text }] }];
  const notice = chat.role === "user" ? NOTICES.find(([start]) => start.test(text)) : undefined;
  if (notice) return [{ ...common, role: "tool", parts: [{ type: "tool_result", name: notice[1], output: text }] }];
  const typed = chat.role === "user" ? { ...chat, content: invocationOf(text) ?? chat.content } : chat;
  return chatMessages(defined(typed), (id) => names.get(id)).map((message) => {
    for (const part of message.parts) notePart(part, names);
    return { ...message, ...common };
  });
}

function notePart(part: Part, names: Map<string, string>): void {
  if (part.type === "tool_call" && part.id !== undefined) names.set(part.id, part.name);
  if (part.type !== "tool_result" || part.name !== "terminal") return;
  const exit = asNumber(asObject(parseJson(part.output)).exit_code);
  if (exit !== undefined && exit >= 0) part.exit_code = exit;
}

const SKILL = /^\[IMPORTANT: The user has invoked the "([^"\n]{1,80})" skill/;
const INSTRUCTION = "\nThe user has provided the following instruction alongside the skill invocation: ";

/** The text of a skill stands for the command that was typed. */
function invocationOf(text: string): string | undefined {
  const skill = SKILL.exec(text)?.[1];
  if (skill === undefined) return undefined;
  const at = text.lastIndexOf(INSTRUCTION);
  return `/${skill} ${at < 0 ? "" : text.slice(at + INSTRUCTION.length)}`.trim();
}

/** The chat form of a record of a file. */
export function chatOf(record: JsonObject): JsonObject {
  const { role, content, tool_call_id, tool_name } = record;
  const calls = record.tool_calls;
  const tool_calls = typeof calls === "string" ? parseJson(calls) : calls;
  const reasoning = firstString(record, "reasoning_content", "reasoning");
  return defined({ role, content, tool_calls, tool_call_id, tool_name, reasoning });
}
