/** `dex prompts`: what the user asked in a conversation, one line each, with the answer that closes each turn. */
import * as z from "zod";
import { resolveConversation } from "../../../search/filters/resolve.ts";
import type { MessageRow } from "../../../store/ports.ts";
import { defineOperation } from "../../operation.ts";
import { limitField, offsetField } from "../../shared/fields.ts";
import { conversationHead, headOf } from "../../shared/messages.ts";

export const prompts = defineOperation({
  name: "dex_prompts",
  verb: "prompts",
  summary: "List the user's prompts in a conversation, one line each",
  positionals: ["id"],
  input: z.strictObject({
    id: z.string().describe("Conversation id or prefix"),
    limit: limitField(100),
    offset: offsetField,
    positions: z.boolean().default(false).describe("Include the indices of all prompts and of their last answers"),
  }),
  output: z.object({
    ...conversationHead,
    total: z.number(),
    prompts: z.array(
      z.object({
        index: z.number(),
        /** The assistant's last message before the next prompt. */
        answer: z.number().nullable(),
        time: z.string().nullable(),
        head: z.string(),
        tokens: z.number(),
      }),
    ),
    /** With `positions`, of all prompts in their order. */
    indices: z.array(z.number()).optional(),
    answers: z.array(z.number().nullable()).optional(),
  }),
  readOnly: true,
  idempotent: true,
  shared: () => true,
  syncBefore: "conversations",
  run: (dex, input) => {
    const row = resolveConversation(dex, input.id);
    const turns = turnsOf(dex.store.messages(row.no));
    return {
      ...headOf(row),
      total: turns.length,
      prompts: turns.slice(input.offset, input.offset + input.limit).map(({ prompt, answer }) => ({
        index: prompt.index,
        answer,
        time: prompt.time === null ? null : new Date(prompt.time).toISOString(),
        head: prompt.head,
        tokens: prompt.tokens,
      })),
      ...(input.positions
        ? { indices: turns.map(({ prompt }) => prompt.index), answers: turns.map(({ answer }) => answer) }
        : {}),
    };
  },
  isEmpty: (output) => output.total === 0,
});

interface Turn {
  prompt: MessageRow;
  answer: number | null;
}

function turnsOf(messages: readonly MessageRow[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === "user") turns.push({ prompt: message, answer: null });
    else if (message.role === "assistant" && last) last.answer = message.index;
  }
  return turns;
}
