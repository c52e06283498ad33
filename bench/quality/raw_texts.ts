/**
 * The texts of agents' transcripts, read by this file alone: none of dex's readers is involved, so a text that dex loses
 * is noticed. It reads what a person or agent wrote or saw: texts, thinking, the input of tools and their output. Texts
 * around these, which dex may store or not, are marked: a program's own words in the user's name, the lines with which
 * Codex begins the output of a command, the comments of a SpecStory file and the output of a host's own commands in it, and
 * what Claude Code keeps besides the conversation: queued prompts, its own notes, more of a tool's result.
 */
import { readFileSync } from "node:fs";

type Value = unknown;

const CODEX_HEADER =
  /^(?:(?:Command|Chunk ID|Wall time|Process exited|Process running|Original token count|Total output lines|Exit code)[^\n]*\n)+(?:Output:\n)?/;

/** Comments, the output of a host's own commands, the tags around tools and thoughts, and the line with the speaker. */
const SPECSTORY =
  /<!--[\s\S]*?-->|<(local-command-[a-z]+)>[\s\S]*?<\/\1>|<\/?(?:tool-use|think|details|summary|command-[a-z]+|local-command-[a-z]+)\b[^>]*>|^_\*\*(?:User|Agent)[^\n]*$/gm;
/** A reminder that Claude Code adds to what the user or a tool wrote. */
const REMINDER = /<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g;

export interface RawText {
  /** With runs of white space as one space. */
  text: string;
  /** The record's id, or its text: forks and resumed sessions repeat the records of another file. */
  record: string;
  /** Such a text around the conversation. */
  byProgram: boolean;
}

export function rawTexts(path: string): RawText[] {
  const content = readFileSync(path, "utf8");
  if (path.endsWith(".md")) {
    const comments = [...content.matchAll(SPECSTORY)].map(([comment]) => comment);
    return [
      { text: flat(content.replace(SPECSTORY, " ")), record: path, byProgram: false },
      { text: flat(comments.join(" ")), record: path, byProgram: true },
    ];
  }
  const found: RawText[] = [];
  for (const line of content.split("\n")) {
    if (line.trim() === "") continue;
    let record: Value;
    try {
      record = JSON.parse(line);
    } catch {
      continue;
    }
    const texts: string[] = [];
    const around: string[] = [];
    collect(record, texts, around);
    const payload = field(record, "payload");
    const id = field(record, "uuid") ?? field(payload, "call_id");
    const isUser = [field(record, "type"), field(payload, "role")].includes("user");
    for (const whole of texts.map(flat)) {
      const text = whole.replace(REMINDER, " ");
      if (text !== whole) around.push(whole);
      if (text.trim() === "") continue;
      const byProgram = field(record, "isMeta") === true || (isUser && /^(<[a-z]|# AGENTS\.md|Caveat:)/.test(text));
      found.push({ text, record: typeof id === "string" ? id : text, byProgram });
    }
    for (const text of around.map(flat)) {
      if (text !== "") found.push({ text, record: typeof id === "string" ? id : text, byProgram: true });
    }
  }
  return found;
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function collect(record: Value, into: string[], around: string[]): void {
  const type = field(record, "type");
  // Claude Code, Pi.
  const message = field(record, "message");
  if (type === "user" || type === "assistant" || type === "message") collectContent(field(message, "content"), into);
  strings(field(record, "toolUseResult"), around);
  if (type === "system" || type === "queue-operation") strings(field(record, "content"), around);
  // A command that the user of Pi ran.
  if (field(message, "role") === "bashExecution") strings([field(message, "command"), field(message, "output")], into);
  // Codex.
  if (type === "response_item") collectCodex(field(record, "payload"), into, around);
  // Copilot.
  const data = field(record, "data");
  if (type === "user.message" || type === "assistant.message") collectContent(field(data, "content"), into);
  if (type === "assistant.message") strings(field(data, "reasoningText"), into);
  const tool = field(data, "toolName");
  if (type === "tool.execution_start" && typeof tool === "string") into.push(tool);
  if (type === "tool.execution_start") strings(field(data, "arguments"), into);
  if (type === "tool.execution_complete") collectContent(field(field(data, "result"), "content"), into);
}

function collectContent(content: Value, into: string[]): void {
  if (typeof content === "string") into.push(content);
  if (!Array.isArray(content)) return;
  for (const part of content) {
    for (const name of ["text", "thinking"]) {
      const text = field(part, name);
      if (typeof text === "string") into.push(text);
    }
    const type = field(part, "type");
    const name = field(part, "name");
    if ((type === "tool_use" || type === "toolCall") && typeof name === "string") into.push(name);
    if (type === "tool_use") strings(field(part, "input"), into);
    if (type === "toolCall") strings(field(part, "arguments"), into);
    if (type === "tool_result") collectContent(field(part, "content"), into);
  }
}

function collectCodex(payload: Value, into: string[], around: string[]): void {
  const type = field(payload, "type");
  const role = field(payload, "role");
  if (type === "message" && (role === "user" || role === "assistant")) collectContent(field(payload, "content"), into);
  const name = field(payload, "name");
  if ((type === "function_call" || type === "custom_tool_call") && typeof name === "string") into.push(name);
  if (type === "reasoning") collectContent(field(payload, "summary"), into);
  if (type === "function_call") strings(parsed(field(payload, "arguments")), into);
  if (type === "custom_tool_call") strings(field(payload, "input"), into);
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    const output = parsed(field(payload, "output"));
    const inner = field(output, "output") ?? field(output, "content") ?? output;
    if (typeof inner === "string") {
      const [header = ""] = CODEX_HEADER.exec(inner) ?? [];
      around.push(header);
      into.push(inner.slice(header.length));
    } else {
      collectContent(inner, into);
    }
  }
}

function parsed(value: Value): Value {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function strings(value: Value, into: string[]): void {
  if (typeof value === "string") into.push(value);
  else if (typeof value === "number") into.push(String(value));
  else if (Array.isArray(value)) for (const each of value) strings(each, into);
  else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) strings(each, into);
}

function field(value: Value, name: string): Value {
  return typeof value === "object" && value !== null ? (value as Record<string, Value>)[name] : undefined;
}
