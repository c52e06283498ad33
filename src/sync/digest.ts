/** What the index keeps of a message. A pure function of the archived message, so that a rebuild gives the same index. */
import { hash } from "node:crypto";
import { deriveCommits } from "../conversations/commits.ts";
import { deriveFiles } from "../conversations/derive.ts";
import type { Message, Part, Role } from "../conversations/model.ts";
import { headLine, measureMessage } from "../conversations/render.ts";
import type { Json } from "../kernel/json.ts";
import { roleMark, toolMark } from "../kernel/marks.ts";
import { extraWords } from "../kernel/words.ts";
import type { MessageDigest, MessageTexts } from "../store/ports.ts";

export function digestMessage(message: Message, line: string): MessageDigest {
  const tokens = measureMessage(message);
  return {
    role: message.role,
    time: message.time === undefined ? null : Date.parse(message.time),
    tokens: tokens.full,
    tokens_stripped: tokens.stripped,
    tokens_user: tokens.user_only,
    hash: lineHash(line),
    head: headLine(message),
    texts: messageTexts(message),
    files: deriveFiles(message),
    commits: deriveCommits(message),
  };
}

/** 48 bits: small enough to be an exact number, large enough to tell two messages of one conversation apart. */
function lineHash(line: string): number {
  return Number.parseInt(hash("sha1", line, "hex").slice(0, 12), 16);
}

function messageTexts(message: Message): MessageTexts {
  const texts: MessageTexts = {};
  const extra = new Set<string>([roleMark(message.role)]);
  for (const part of message.parts) {
    const text = partText(part);
    if (part.type === "tool_call" || (part.type === "tool_result" && part.name)) extra.add(toolMark(part.name ?? ""));
    if (text === "") continue;
    const column = columnOf(part, message.role);
    const before = texts[column];
    texts[column] = before === undefined ? text : `${before}\n${text}`;
    extraWords(text, extra);
  }
  texts.extra = [...extra].join(" ");
  return texts;
}

function columnOf(part: Part, role: Role): Exclude<keyof MessageTexts, "extra"> {
  if (part.type === "thinking") return "thinking";
  if (part.type === "tool_call") return "call";
  if (part.type === "tool_result") return "output";
  return role === "tool" ? "output" : role;
}

function partText(part: Part): string {
  if (part.type === "tool_result") return part.output;
  if (part.type !== "tool_call") return part.text;
  const words = [part.name];
  collectStrings(part.input, words);
  return words.join("\n");
}

/** Every string and number of a tool's input; the keys are the tool's, not the user's, and are left out. */
function collectStrings(value: Json | undefined, into: string[]): void {
  if (typeof value === "string") into.push(value);
  else if (typeof value === "number") into.push(String(value));
  else if (Array.isArray(value)) for (const each of value) collectStrings(each, into);
  else if (value !== null && typeof value === "object")
    for (const each of Object.values(value)) collectStrings(each, into);
}
