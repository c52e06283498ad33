/**
 * Exports a conversation to a file: Markdown for people, with the text of each message as a quotation; JSON Lines that
 * `dex import` reads back without loss; and the JSON Lines of hive-mind for its tools.
 */
import { cleanLine, cleanText } from "../text/clean.ts";
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
  const parts = [`# ${cleanLine(meta.title ?? meta.id)}`, facts.map((fact) => cleanLine(fact ?? "")).join("\n")];
  for (const { index, message } of messages) {
    const time = message.time ? ` · ${message.time.slice(0, 19).replace("T", " ")}Z` : "";
    parts.push(`## ${index} ${message.role}${time}`, message.parts.map(markdownPart).filter(Boolean).join("\n\n"));
  }
  return `${parts.join("\n\n")}\n`;
}

/** Cleaned: it is read in editors and terminals, which escape sequences would drive. */
function markdownPart(part: Part): string {
  if (part.type === "text") return part.text.trim() === "" ? "" : quoted(part.text);
  // Cleaned before the fence is chosen: removed characters may be between backticks.
  const text = cleanText(renderMessage({ role: "assistant", parts: [part] }, "full") ?? "");
  return text === "" ? "" : fenced(text);
}

/**
 * Quotes the text of a message, so that an unclosed heading, fence or list in it ends with the quotation and cannot
 * look like a message or swallow the next one.
 */
function quoted(text: string): string {
  const lines = withoutFrameTags(cleanText(text)).trimEnd().split("\n");
  return lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
}

/**
 * In viewers that render HTML, this tag would end the quotation, and an unclosed comment would hide everything after
 * it.
 */
function withoutFrameTags(text: string): string {
  const closed = text.replace(/<(?=\/blockquote)/gi, "<\\");
  const comment = closed.lastIndexOf("<!--");
  return comment > closed.lastIndexOf("-->") ? `${closed.slice(0, comment)}<\\${closed.slice(comment + 1)}` : closed;
}

/** Uses a fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** The first line of a conversation in the form that `dex import` reads back. */
export const EXPORT_TYPE = "dex-conversation";
export const EXPORT_VERSION = 1;
export const HIVE_MIND_TYPE = "hive-mind-meta";

/** A line of metadata, then one archived message per line. */
export function exportJsonl({ origin: _, ...meta }: ConversationMeta, messages: readonly Indexed[]): string {
  const first = { _type: EXPORT_TYPE, version: EXPORT_VERSION, messages: messages.length, meta };
  return `${[first, ...messages.map(({ message }) => message)].map((line) => JSON.stringify(line)).join("\n")}\n`;
}

/** A line of metadata, then one entry per message in the format of Claude Code's records. */
export function exportHiveMind(meta: ConversationMeta, messages: readonly Indexed[], now: number): string {
  const first = {
    _type: HIVE_MIND_TYPE,
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
