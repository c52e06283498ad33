/** `dex timeline`: the messages before and after one message, one line each. */
import * as z from "zod";
import { ROLES } from "../../conversations/model.ts";
import { windowAround } from "../../conversations/window.ts";
import { resolveMessage } from "../../search/filters/resolve.ts";
import { checkSession } from "../../search/filters/session.ts";
import { defineOperation } from "../operation.ts";
import { countField, sessionField } from "../shared/fields.ts";
import { conversationHead, headOf } from "../shared/messages.ts";

export const timeline = defineOperation({
  name: "dex_timeline",
  verb: "timeline",
  summary: "Show the messages around a message, one line each",
  positionals: ["anchor"],
  input: z.strictObject({
    anchor: z.string().describe("A message: id#index"),
    before: countField(5, "Messages before it"),
    after: countField(5, "Messages after it"),
    session: sessionField,
  }),
  output: z.object({
    ...conversationHead,
    anchor: z.number(),
    messages: z.array(
      z.object({
        index: z.number(),
        role: z.enum(ROLES),
        time: z.string().nullable(),
        head: z.string(),
        tokens: z.number(),
      }),
    ),
    has_more_before: z.boolean(),
    has_more_after: z.boolean(),
  }),
  readOnly: true,
  idempotent: true,
  shared: () => true,
  syncBefore: "conversations",
  traced: true,
  toolset: "conversations",
  aliases: { anchor: ["id", "address"] },
  run: (dex, input, context) => {
    const { row, index } = resolveMessage(dex, input.anchor);
    checkSession(dex, input.session, row);
    const window = windowAround(row.messages, index, input.before, input.after);
    const messages = dex.store.messages(row.no, window.start, window.end).map((message) => ({
      index: message.index,
      role: message.role,
      time: message.time === null ? null : new Date(message.time).toISOString(),
      head: message.head,
      tokens: message.tokens,
    }));
    context.trace?.({
      session: row.id,
      inputs: { messages: row.messages },
      budgets: { before: input.before, after: input.after },
      truncation: { before: window.start, after: row.messages - window.end },
      ranking: messages.map((message) => ({ id: `${row.id}#${message.index}`, source: row.source })),
    });
    return {
      ...headOf(row),
      anchor: index,
      messages,
      has_more_before: window.has_more_before,
      has_more_after: window.has_more_after,
    };
  },
});
