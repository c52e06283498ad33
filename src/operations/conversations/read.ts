/** `dex read`: chosen messages of a conversation in full. */
import * as z from "zod";
import { cutToBudget } from "../../conversations/budget.ts";
import { parseIndices } from "../../conversations/ranges.ts";
import { DexError } from "../../kernel/errors.ts";
import { resolveAddress } from "../../search/filters/resolve.ts";
import { loadMessages } from "../../search/messages.ts";
import { defineOperation } from "../operation.ts";
import { maxTokensField } from "../shared/fields.ts";
import { conversationHead, fullMessage, headOf, messageOutput } from "../shared/messages.ts";

/** Reserved for the line above each message: its index, role and time. */
const HEAD_TOKENS = 10;
/** Reserved for the truncation note and the date. */
const NOTES_TOKENS = 30;

export const read = defineOperation({
  name: "dex_read",
  verb: "read",
  summary: "Read chosen messages in full",
  positionals: ["id", "indices"],
  input: z.strictObject({
    id: z.string().describe("Conversation id or prefix, or id#5"),
    indices: z.string().optional().describe("Indices: 5, 5-10 or 1,5,10-15"),
    max_tokens: maxTokensField,
  }),
  output: z.object({
    ...conversationHead,
    messages: z.array(messageOutput),
    total_tokens: z.number(),
    truncated: z.object({ messages: z.number(), tokens: z.number() }).optional(),
  }),
  readOnly: true,
  idempotent: true,
  shared: () => true,
  syncBefore: "conversations",
  toolset: "conversations",
  run: (dex, input) => {
    const { row, index } = resolveAddress(dex, input.id);
    const wanted = parseIndices(chosenIndices(input.id, index, input.indices), row.messages);
    const picked = new Set(wanted);
    const messages = loadMessages(dex, row, wanted[0], (wanted.at(-1) ?? 0) + 1)
      .filter(({ index }) => picked.has(index))
      .map(({ index, message }) => fullMessage(index, message));
    const total = messages.reduce((sum, { tokens }) => sum + tokens, 0);
    if (input.max_tokens === undefined) return { ...headOf(row), messages, total_tokens: total };
    const cut = cutToBudget(
      messages.map((message) => ({ ...message, text: message.content })),
      input.max_tokens - NOTES_TOKENS,
      HEAD_TOKENS,
    );
    return {
      ...headOf(row),
      messages: cut.kept.map(({ text, ...message }) => ({ ...message, content: text })),
      total_tokens: cut.tokens,
      ...(cut.truncated ? { truncated: { messages: cut.cut_messages, tokens: cut.cut_tokens } } : {}),
    };
  },
});

/** The indices to read: from the address or from the argument, exactly one of which must name them. */
function chosenIndices(id: string, index: number | undefined, indices: string | undefined): string {
  if (index !== undefined && indices !== undefined) {
    throw new DexError("bad_input", `"${id}" names one message and "${indices}" names others.`, {
      hint: `Write ${id.slice(0, id.lastIndexOf("#"))} ${indices}, or leave the indices out.`,
    });
  }
  if (indices !== undefined) return indices;
  if (index !== undefined) return String(index);
  throw new DexError("missing_argument", "No messages were given to read.", {
    hint: `Add the indices, for example 0-4, or write ${id}#4.`,
  });
}
