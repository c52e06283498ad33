/**
 * Exports of ChatGPT and Claude.ai: `conversations.json`, a JSON array of conversations. Large ones come as several
 * numbered files. dex recognises them by their content.
 */
import { asArray, isObject, parseJson } from "../../../kernel/json.ts";
import { chatgptConversation, isChatgpt } from "./chatgpt.ts";
import { claudeAiConversation, isClaudeAi } from "./claude_ai.ts";
import type { PlainConversation, PlainProblem } from "./plain.ts";

/** The files of an unpacked export. */
export const CHAT_EXPORT_FILE = /^conversations(?:-\d+)?\.json$/;

/** Whether a text may be such an export: JSON Lines never begin with a bracket. */
export function looksLikeChatExport(start: string): boolean {
  return start.trimStart().startsWith("[");
}

export function readChatExport(text: string): { conversations: PlainConversation[]; problems: PlainProblem[] } {
  const value = parseJson(text);
  if (!Array.isArray(value))
    return { conversations: [], problems: [problem(1, "The file is not a complete JSON array.")] };
  const conversations: PlainConversation[] = [];
  const problems: PlainProblem[] = [];
  for (const [index, each] of asArray(value).entries()) {
    const read = isObject(each)
      ? isChatgpt(each)
        ? chatgptConversation(each)
        : isClaudeAi(each)
          ? claudeAiConversation(each)
          : undefined
      : undefined;
    if (read && read.messages.length > 0) conversations.push(read);
    else if (!read) problems.push(problem(index + 1, "The item is not a conversation of ChatGPT or Claude.ai."));
  }
  return { conversations, problems };
}

function problem(line: number, sentence: string): PlainProblem {
  return { kind: "problem", line, sentence };
}
