/** `dex message`: one message in full, or a stretch of one that is larger than the budget of a caller. */
import * as z from "zod";
import { cutToBudget } from "../../conversations/budget.ts";
import { FORMATS } from "../../conversations/render.ts";
import { DexError } from "../../kernel/errors.ts";
import { resolveMessage } from "../../search/filters/resolve.ts";
import { checkSession } from "../../search/filters/session.ts";
import { loadMessages } from "../../search/messages.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import { defineOperation } from "../operation.ts";
import { sessionField } from "../shared/fields.ts";
import { conversationHead, fullMessage, headOf, type MessageOutput, messageOutput } from "../shared/messages.ts";

export const message = defineOperation({
  name: "dex_message",
  verb: "message",
  summary: "Read one message in full",
  positionals: ["address"],
  input: z.strictObject({
    address: z.string().describe("The message: id#index"),
    head: z.int("must be a whole number").min(1, "must be positive").optional().describe("At most this many tokens"),
    format: z.enum(FORMATS).default("full").describe("full, stripped (no tool outputs) or user_only"),
    chars: z.string().optional().describe("Only these characters of it: 0-40000"),
    session: sessionField,
  }),
  output: z.object({ ...conversationHead, message: messageOutput, truncated: z.boolean() }),
  readOnly: true,
  idempotent: true,
  shared: () => true,
  syncBefore: "conversations",
  traced: true,
  toolset: "context",
  aliases: { address: ["id", "anchor"] },
  run: (dex, input, context) => {
    const { row, index } = resolveMessage(dex, input.address);
    checkSession(dex, input.session, row);
    const stored = loadMessages(dex, row, index, index + 1)[0];
    const whole = fullMessage(index, stored?.message ?? { role: "system", parts: [] }, input.format);
    const message = input.chars === undefined ? whole : stretchOf(whole, input.chars);
    context.trace?.({
      session: row.id,
      inputs: { messages: row.messages, tokens: message.tokens },
      ranking: [{ id: `${row.id}#${index}`, source: row.source, summary: row.title }],
    });
    if (input.head === undefined) return { ...headOf(row), message, truncated: false };
    const cut = cutToBudget([{ text: message.content }], input.head);
    const content = cut.kept[0]?.text ?? "";
    context.trace?.({ budgets: { head: input.head }, truncation: { tokens: message.tokens - cut.tokens } });
    return { ...headOf(row), message: { ...message, content, tokens: cut.tokens }, truncated: cut.truncated };
  },
});

/** A message that is larger than a caller's budget is read in stretches. */
function stretchOf(message: MessageOutput, chars: string): MessageOutput {
  const match = /^(\d{1,12})-(\d{1,12})$/.exec(chars.trim());
  const [from, to] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || to < from) {
    throw new DexError("bad_range", `"${chars.slice(0, 60)}" is not a range of characters.`, {
      hint: "Write the offset of its first character and the offset after its last: 0-40000.",
    });
  }
  const content = message.content.slice(from, to);
  return { ...message, content, tokens: estimateTokens(content) };
}
