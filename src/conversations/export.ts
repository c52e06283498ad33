/** A conversation as a file for other eyes: Markdown for people, hive-mind's JSON Lines for tools. */
import type { ConversationMeta, Message, Part } from "./model.ts";
import { renderMessage } from "./render.ts";

export interface Indexed {
  index: number;
  message: Message;
}

export function exportMarkdown(meta: ConversationMeta, messages: readonly Indexed[]): string {
  const facts = [
    `- id: ${meta.source}:${meta.id}`,
    meta.project && `- project: ${meta.project}`,
    meta.created && `- from ${meta.created} to ${meta.updated}`,
    meta.parent && `- parent: ${meta.parent}`,
  ].filter(Boolean);
  const parts = [`# ${meta.title ?? meta.id}`, facts.join("\n")];
  for (const { index, message } of messages) {
    const time = message.time ? ` · ${message.time.slice(0, 19).replace("T", " ")}` : "";
    parts.push(`## ${index} ${message.role}${time}`, message.parts.map(markdownPart).filter(Boolean).join("\n\n"));
  }
  return `${parts.join("\n\n")}\n`;
}

function markdownPart(part: Part): string {
  if (part.type === "text") return part.text;
  const text = renderMessage({ role: "assistant", parts: [part] }, "full") ?? "";
  return text === "" ? "" : fenced(text);
}

/** A fence longer than any inside the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** First line metadata, then one entry a message, in the shape of Claude Code's own records. */
export function exportJsonl(meta: ConversationMeta, messages: readonly Indexed[], now: number): string {
  const first = {
    _type: "hive-mind-meta",
    version: "0.1",
    sessionId: meta.parent_kind === "subagent" ? meta.parent : meta.id,
    extractedAt: new Date(now).toISOString(),
    rawMtime: meta.updated,
    messageCount: messages.length,
    rawPath: meta.origin ?? "",
    source: meta.source,
    summary: meta.title,
    ...(meta.parent ? { parentSessionId: meta.parent } : {}),
    ...(meta.parent_kind === "subagent" ? { agentId: meta.id } : {}),
  };
  const lines = messages.map(({ index, message }) => JSON.stringify(entry(meta, index, message)));
  return `${[JSON.stringify(first), ...lines].join("\n")}\n`;
}

function entry(meta: ConversationMeta, index: number, message: Message): object {
  const role = message.role === "tool" ? "user" : message.role;
  const common = {
    type: role,
    uuid: message.uid ?? `${meta.id}#${index}`,
    sessionId: meta.id,
    timestamp: message.time,
    cwd: meta.project,
  };
  if (role === "system") return { ...common, content: renderMessage(message, "full") ?? "" };
  return { ...common, message: { role, model: message.model, content: message.parts.map(block) } };
}

function block(part: Part): object {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.type === "thinking") return { type: "thinking", thinking: part.text };
  if (part.type === "tool_call") return { type: "tool_use", id: part.id, name: part.name, input: part.input };
  return { type: "tool_result", tool_use_id: part.id, content: part.output, is_error: part.is_error };
}
