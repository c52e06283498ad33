/** Reads a chat's messages from OpenCode's own database and writes them to `messages.jsonl` and the chat's metadata. */
import { join } from "node:path";
import type { Message } from "../conversations/model.ts";
import {
  addTokens,
  noTokens,
  type OpencodeSession,
  opencodeSessions,
} from "../integrations/agents/opencode/history/sessions.ts";
import { writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { redactMessage } from "../redact/message.ts";
import { redactText } from "../redact/redact.ts";
import { clip } from "../text/clip.ts";
import { databaseOf } from "./place.ts";
import type { Chat } from "./sessions.ts";

const MAX_SUMMARY_CHARS = 200;

export interface Transcript {
  facts: Pick<Chat, "summary" | "model" | "tokens" | "messages" | "session">;
  /** The model's last text in the main session. */
  answer: string;
  /** Tools whose calls were refused or failed in the last turn. */
  refused: string[];
}

/** Undefined when OpenCode recorded nothing. */
export function writeTranscript(folder: string): Transcript | undefined {
  const sessions = opencodeSessions(databaseOf(folder)).map(redacted);
  const main = mainSession(sessions);
  if (!main) return undefined;
  const lines = sessions.flatMap(({ meta, messages }) =>
    messages.map((message, index) => JSON.stringify({ session: meta.id, parent: meta.parent, index, ...message })),
  );
  writeFileAtomic(join(folder, "messages.jsonl"), lines.map((line) => `${line}\n`).join(""));
  const question = main.messages.find(({ role }) => role === "user");
  return {
    facts: {
      summary: clip(redactText(main.meta.title ?? "").text || (question ? textOf(question) : ""), MAX_SUMMARY_CHARS),
      model: main.meta.model,
      tokens: sessions.reduce((sum, session) => addTokens(sum, session.tokens), noTokens()),
      messages: lines.length,
      session: main.meta.id,
    },
    answer: lastText(main),
    refused: refusedTools(main),
  };
}

function redacted(session: OpencodeSession): OpencodeSession {
  return { ...session, messages: session.messages.map((message) => redactMessage(message).message) };
}

/** The latest session that is not a subagent's: the user may start a new one inside OpenCode. */
function mainSession(sessions: readonly OpencodeSession[]): OpencodeSession | undefined {
  const own = sessions.filter(({ meta, messages }) => meta.parent_kind !== "subagent" && messages.length > 0);
  return own.at(-1);
}

function lastText(session: OpencodeSession): string {
  const last = session.messages.findLast(({ role }) => role === "assistant");
  return last ? textOf(last) : "";
}

function refusedTools({ messages }: OpencodeSession): string[] {
  const from = messages.findLastIndex(({ role }) => role === "user");
  const failed = messages
    .slice(from + 1)
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === "tool_result" && part.is_error ? [part.name ?? "a tool"] : []));
  return [...new Set(failed)];
}

function textOf(message: Message): string {
  return message.parts
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n\n")
    .trim();
}
