/**
 * Exports of ChatGPT and Claude.ai: `conversations.json`, a JSON array of conversations. Large ones come as several
 * numbered files. dex recognises them by their content.
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { DexError } from "../../../kernel/errors.ts";
import { asArray, isObject, parseJson } from "../../../kernel/json.ts";
import { chatgptConversations, isChatgpt } from "./chatgpt.ts";
import { claudeAiConversations, isClaudeAi } from "./claude_ai.ts";
import { type PlainConversation, type PlainProblem, refuseAbove } from "./plain.ts";

interface ReadExport {
  conversations: PlainConversation[];
  problems: PlainProblem[];
}

/** The files of an unpacked export. */
const EXPORT_FILE = /^conversations(?:-\d+)?\.json$/;
const START_BYTES = 64;

/** Whether the bytes may be such an export: JSON Lines never begin with a bracket. */
export function looksLikeChatExport(bytes: Buffer): boolean {
  return bytes
    .toString("utf8", 0, START_BYTES)
    .replace(/^\uFEFF/, "")
    .trimStart()
    .startsWith("[");
}

export function isChatExportFile(path: string): boolean {
  const bytes = Buffer.alloc(START_BYTES);
  const file = openSync(path, "r");
  try {
    return looksLikeChatExport(bytes.subarray(0, readSync(file, bytes, 0, START_BYTES, 0)));
  } finally {
    closeSync(file);
  }
}

export function readChatExportFile(path: string): ReadExport {
  refuseAbove(statSync(path).size);
  return readChatExport(readFileSync(path, "utf8"));
}

/** An unpacked export: one file of conversations, or several numbered ones. */
export function readChatExportFolder(folder: string): ReadExport {
  const names = readdirSync(folder).filter((name) => EXPORT_FILE.test(name));
  if (names.length === 0) {
    throw new DexError("nothing_to_import", `${folder} contains no conversations.json.`, {
      hint: "Name a JSON Lines file, or the unpacked export of ChatGPT or Claude.ai.",
    });
  }
  const read = names.toSorted().map((name) => readChatExportFile(join(folder, name)));
  return {
    conversations: read.flatMap(({ conversations }) => conversations),
    problems: read.flatMap(({ problems }) => problems),
  };
}

export function readChatExport(text: string): ReadExport {
  const value = parseJson(text.replace(/^\uFEFF/, ""));
  if (!Array.isArray(value))
    return { conversations: [], problems: [problem(1, "The file is not a complete JSON array.")] };
  const conversations: PlainConversation[] = [];
  const problems: PlainProblem[] = [];
  for (const [index, each] of asArray(value).entries()) {
    const read = isObject(each)
      ? isChatgpt(each)
        ? chatgptConversations(each)
        : isClaudeAi(each)
          ? claudeAiConversations(each)
          : undefined
      : undefined;
    if (read) conversations.push(...read.filter(({ messages }) => messages.length > 0));
    else problems.push(problem(index + 1, "The item is not a conversation of ChatGPT or Claude.ai."));
  }
  return { conversations, problems };
}

function problem(line: number, sentence: string): PlainProblem {
  return { kind: "problem", line, sentence };
}
