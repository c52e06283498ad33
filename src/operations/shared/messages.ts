/** The form of single messages in the answers of `read`, `timeline` and `get`. */
import * as z from "zod";
import { type Message, ROLES } from "../../conversations/model.ts";
import { type Format, renderMessage } from "../../conversations/render.ts";
import { type ListedConversation, originOf } from "../../search/results/describe.ts";
import { originFields } from "../../search/results/result_schema.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { estimateTokens } from "../../tokens/estimate.ts";

export const messageOutput = z.object({
  index: z.number(),
  role: z.enum(ROLES),
  time: z.string().nullable(),
  content: z.string(),
  tokens: z.number(),
});

export type MessageOutput = z.output<typeof messageOutput>;

export const conversationHead = {
  id: z.string(),
  title: z.string(),
  source: z.string(),
  project: z.string(),
  message_count: z.number(),
  ...originFields,
};

export function headOf(
  row: ConversationRow,
): Pick<ListedConversation, "id" | "title" | "source" | "project" | "message_count" | keyof typeof originFields> {
  return {
    id: row.id,
    title: row.title,
    source: row.source,
    project: row.project ?? "",
    message_count: row.messages,
    ...originOf(row),
  };
}

export function fullMessage(index: number, message: Message, format: Format = "full"): MessageOutput {
  const content = renderMessage(message, format) ?? "";
  return { index, role: message.role, time: message.time ?? null, content, tokens: estimateTokens(content) };
}
