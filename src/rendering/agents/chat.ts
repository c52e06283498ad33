/** Renders the list of chats. */
import type * as z from "zod";
import { formatTokens, plural } from "../../kernel/text.ts";
import type { chatList } from "../../operations/agents/chat_list.ts";
import type { chatRm } from "../../operations/agents/chat_rm.ts";
import { type Terminal, table, when } from "../terminal/terminal.ts";

function renderList(output: z.output<typeof chatList.output>, terminal: Terminal): string {
  if (output.total === 0) return "There are no chats yet. Start one with `dex chat`.";
  const rows = output.chats.map((chat) => [
    chat.id,
    when(terminal, chat.started),
    duration(chat.duration_ms),
    String(chat.messages),
    formatTokens(chat.tokens.input + chat.tokens.output + chat.tokens.cache_read + chat.tokens.cache_write),
    chat.model ?? "",
    chat.summary,
  ]);
  const columns = [
    { title: "chat", style: "cyan" },
    { title: "when" },
    { title: "time", align: "right" },
    { title: "messages", align: "right" },
    { title: "tokens", align: "right" },
    { title: "model" },
    { title: "about", flexible: true },
  ] as const;
  const more = output.total - output.chats.length;
  return [table(terminal, columns, rows), ...(more > 0 ? [`${plural(more, "older chat")} not shown`] : [])].join("\n");
}

function renderRm(output: z.output<typeof chatRm.output>): string {
  return `Removed ${plural(output.removed.length, "chat")}: ${output.removed.join(", ")}`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

export const CHAT_RENDERERS = { "chat list": renderList, "chat rm": renderRm };
