/** `dex find`: where a text occurs in one conversation, tool calls and their results included. */
import * as z from "zod";
import { ROLES } from "../../../conversations/model.ts";
import { partText } from "../../../conversations/parts.ts";
import { resolveConversation } from "../../../search/filters/resolve.ts";
import { streamMessages } from "../../../search/messages.ts";
import { cleanText } from "../../../text/clean.ts";
import { defineOperation } from "../../operation.ts";
import { limitField, offsetField } from "../../shared/fields.ts";
import { conversationHead, headOf } from "../../shared/messages.ts";
import { PART_TYPES } from "../../shared/parts.ts";

const MAX_TEXT_CHARS = 1000;
const SNIPPET_BEFORE_CHARS = 60;
const SNIPPET_AFTER_CHARS = 100;

const hit = z.object({
  /** Its position among all occurrences, from 0. */
  ordinal: z.number(),
  index: z.number(),
  role: z.enum(ROLES),
  /** The part of the message, its position from 0, and the position of the occurrence in its text. */
  part: z.number(),
  part_type: z.enum(PART_TYPES),
  position: z.number(),
  /** One line around it, and where it is in the line. */
  snippet: z.string(),
  at: z.number(),
  length: z.number(),
});

type Hit = z.output<typeof hit>;

export const find = defineOperation({
  name: "dex_find",
  verb: "find",
  summary: "Find a text within one conversation, also in tool calls and their results",
  positionals: ["id", "text"],
  input: z.strictObject({
    id: z.string().max(500).describe("Conversation id or prefix"),
    text: z
      .string()
      .min(1, "must not be empty")
      .max(MAX_TEXT_CHARS, `must have at most ${MAX_TEXT_CHARS} characters`)
      .describe("The text, in any case"),
    limit: limitField(100),
    offset: offsetField,
  }),
  output: z.object({
    ...conversationHead,
    text: z.string(),
    /** How often the text occurs, and in how many messages. */
    total: z.number(),
    messages: z.number(),
    hits: z.array(hit),
  }),
  readOnly: true,
  idempotent: true,
  shared: () => true,
  syncBefore: "conversations",
  queryField: "text",
  run: async (dex, input, context) => {
    const row = resolveConversation(dex, input.id);
    const pattern = new RegExp(RegExp.escape(input.text.normalize("NFC")), "giu");
    const hits: Hit[] = [];
    let [total, messages] = [0, 0];
    for (const { index, message } of streamMessages(dex, row)) {
      context.signal?.throwIfAborted();
      const before = total;
      for (const [part, each] of message.parts.entries()) {
        // Program output may have decomposed letters, as some systems write file names.
        const text = partText(each).normalize("NFC");
        for (const { index: position, 0: found } of text.matchAll(pattern)) {
          const ordinal = total++;
          if (ordinal < input.offset || hits.length >= input.limit) continue;
          const place = { ordinal, index, role: message.role, part, part_type: each.type, position };
          hits.push({ ...place, ...snippetOf(text, position, found.length) });
        }
      }
      if (total > before) messages += 1;
      // A long conversation takes a while: a cancelled call must be noticed.
      if (index % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return { ...headOf(row), text: input.text, total, messages, hits };
  },
  isEmpty: (output) => output.total === 0,
});

function snippetOf(text: string, at: number, length: number): Pick<Hit, "snippet" | "at" | "length"> {
  const line = (piece: string): string => cleanText(piece).replace(/\s+/g, " ");
  const begin = Math.max(0, at - SNIPPET_BEFORE_CHARS);
  const end = Math.min(text.length, at + length + SNIPPET_AFTER_CHARS);
  const before = (begin > 0 ? "…" : "") + line(text.slice(begin, at)).trimStart();
  const found = line(text.slice(at, at + length));
  const after = line(text.slice(at + length, end)).trimEnd() + (end < text.length ? "…" : "");
  return { snippet: before + found + after, at: before.length, length: found.length };
}
