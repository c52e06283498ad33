import * as z from "zod";
import { cutToBudget } from "../conversations/budget.ts";
import { conversationHead, fullMessage, headOf, messageOutput } from "./messages.ts";
import { defineOperation } from "./operation.ts";
import { loadMessages, resolveMessage } from "./resolve.ts";
import { checkSession, sessionField } from "./session.ts";

export const get = defineOperation({
  name: "dex_message",
  verb: "get",
  summary: "Read one message in full",
  positionals: ["address"],
  input: z.strictObject({
    address: z.string().describe("The message: id#index"),
    head: z.int("must be a whole number").min(1, "must be positive").optional().describe("At most this many tokens"),
    session: sessionField,
  }),
  output: z.object({ ...conversationHead, message: messageOutput, truncated: z.boolean() }),
  readOnly: true,
  idempotent: true,
  fresh: true,
  traced: true,
  run: (dex, input, context) => {
    const { row, index } = resolveMessage(dex, input.address);
    checkSession(dex, input.session, row);
    const stored = loadMessages(dex, row, index, index + 1)[0];
    const message = fullMessage(index, stored?.message ?? { role: "system", parts: [] });
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
