/** `dex messages`: the messages of a conversation with their parts, page by page. */
import * as z from "zod";
import { ROLES } from "../../../conversations/model.ts";
import { shownParts } from "../../../conversations/parts.ts";
import { resolveAddress, shortAddresses } from "../../../search/filters/resolve.ts";
import { loadMessages } from "../../../search/messages.ts";
import { listed } from "../../../search/results/describe.ts";
import { defineOperation } from "../../operation.ts";
import { listedConversation } from "../../shared/fields.ts";
import { partOutput } from "../../shared/parts.ts";

const MAX_PAGE = 200;
/** A result is at most this many messages from its call, so dex also reads so many around the page. */
const NEAR_MESSAGES = 40;

const { changed_since: _, ...head } = listedConversation.shape;

export const messages = defineOperation({
  name: "dex_messages",
  verb: "messages",
  summary: "Page through a conversation: every message with its texts, tool calls, results and edits",
  positionals: ["id"],
  input: z.strictObject({
    id: z.string().max(500).describe("Conversation id or prefix; id#12 begins with message 12"),
    from: z.int("must be a whole number").min(0, "must not be negative").optional().describe("The first message"),
    count: z
      .int("must be a whole number")
      .min(1, "must be positive")
      .max(MAX_PAGE, `must be at most ${MAX_PAGE}`)
      .default(50)
      .describe("Messages on the page"),
  }),
  output: z.object({
    ...head,
    /** A unique prefix of the id. */
    address: z.string(),
    created: z.string(),
    branch: z.string().optional(),
    model: z.string().optional(),
    /** The index of the first message of the page. */
    from: z.number(),
    messages: z.array(
      z.object({
        index: z.number(),
        role: z.enum(ROLES),
        time: z.string().nullable(),
        model: z.string().optional(),
        /** summary: the agent wrote it to replace earlier messages; queued: typed while the agent worked. */
        kind: z.enum(["summary", "queued"]).optional(),
        tokens: z.number(),
        parts: z.array(partOutput),
      }),
    ),
  }),
  readOnly: true,
  idempotent: true,
  shared: () => true,
  syncBefore: "conversations",
  run: (dex, input) => {
    const { row, index } = resolveAddress(dex, input.id);
    const from = input.from ?? index ?? 0;
    const to = Math.min(row.messages, from + input.count);
    const tokens = new Map(dex.store.messages(row.no, from, to).map((each) => [each.index, each.tokens]));
    const around = { from: Math.max(0, from - NEAR_MESSAGES), to: Math.min(row.messages, to + NEAR_MESSAGES) };
    const loaded =
      from < to ? shownParts(loadMessages(dex, row, around.from, around.to), row.project ?? undefined) : [];
    return {
      ...listed(row),
      address: shortAddresses(dex)(row),
      created: new Date(row.created).toISOString(),
      ...(row.branch === null ? {} : { branch: row.branch }),
      ...(row.model === null ? {} : { model: row.model }),
      from,
      messages: loaded
        .filter(({ index }) => index >= from && index < to)
        .map(({ index, message, parts }) => ({
          index,
          role: message.role,
          time: message.time ?? null,
          ...(message.model === undefined ? {} : { model: message.model }),
          ...(message.kind === undefined ? {} : { kind: message.kind }),
          tokens: tokens.get(index) ?? 0,
          parts,
        })),
    };
  },
  isEmpty: (output) => output.messages.length === 0,
});
