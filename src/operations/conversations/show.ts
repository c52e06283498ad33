/** `dex show`: conversations, whole or in part, within a budget of tokens. */
import * as z from "zod";
import { cutToBudget } from "../../conversations/budget.ts";
import { ROLES } from "../../conversations/model.ts";
import { outlineLine } from "../../conversations/outline.ts";
import { type Format, renderMessage } from "../../conversations/render.ts";
import { type MessageWindow, windowAround } from "../../conversations/window.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import type { RunContext } from "../../run_context.ts";
import { resolveAddress } from "../../search/filters/resolve.ts";
import { eachMessage } from "../../search/messages.ts";
import { describeConversation, HEAD_TOKENS, NOTES_TOKENS } from "../../search/results/describe.ts";
import type { ConversationRow, MessageSizes } from "../../store/ports.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import type { TraceDetails } from "../../traces/trace.ts";
import { defineOperation } from "../operation.ts";
import { countField, listedConversation, maxTokensField } from "../shared/fields.ts";

const shownMessage = z.object({
  index: z.number(),
  role: z.enum(ROLES),
  content: z.string(),
  tokens: z.number(),
});

const shownConversation = listedConversation.extend({
  messages: z.array(shownMessage),
  /** A unique prefix of the id. */
  address: z.string(),
  /** The addresses of subagents and forks. */
  children: z.array(z.string()).optional(),
  children_count: z.number().optional(),
  files: z.array(z.string()).optional(),
  commits: z.array(z.string()).optional(),
  total_tokens: z.number(),
  has_more_before: z.boolean().optional(),
  has_more_after: z.boolean().optional(),
  truncated: z.object({ messages: z.number(), tokens: z.number() }).optional(),
});

type Shown = z.output<typeof shownConversation>;
/** Messages shown on each side when the address names a message. */
const NEIGHBOURS = { before: 2, after: 2 };
/** Enough tokens for the beginning of any message. */
const MIN_MESSAGE_TOKENS = 60;

/** `size` counts the tokens of `text`; in an outline, `tokens` counts those of the whole message. */
type Piece = z.output<typeof shownMessage> & { text: string; size: number };

const input = z.strictObject({
  ids: z
    .array(z.string())
    .min(1, "needs at least one id")
    .max(1000, "takes at most 1,000 ids")
    .describe("Ids, prefixes, or id#12"),
  format: z
    .enum(["full", "stripped", "user_only", "outline"])
    .default("stripped")
    .describe("stripped: no tool outputs; outline: one line per message"),
  expand: z
    .strictObject({
      message_index: z
        .int("must be a whole number")
        .min(0, "must not be negative")
        .describe("Only around this message"),
      before: countField(NEIGHBOURS.before, "Messages before it"),
      after: countField(NEIGHBOURS.after, "Messages after it"),
    })
    .optional(),
  max_tokens: maxTokensField,
});

const output = z.object({
  conversations: z.array(shownConversation),
  total_tokens: z.number(),
  max_tokens: z.number().optional(),
  skipped_ids: z.array(z.string()).optional(),
  /** The smallest `max_tokens` that shows part of the first skipped conversation. */
  needed_tokens: z.number().optional(),
});

export const show = defineOperation({
  name: "dex_get",
  verb: "show",
  summary: "Read conversations, whole or in part",
  positionals: ["ids"],
  input,
  output,
  readOnly: true,
  idempotent: true,
  shared: () => true,
  syncBefore: "conversations",
  traced: true,
  toolset: "conversations",
  aliases: { ids: ["id"] },
  run: (dex, input, context) => dex.store.inSnapshot(() => showAll(dex, input, context)),
});

type ShowInput = z.output<typeof input>;

function showAll(dex: Dex, input: ShowInput, context: RunContext): z.output<typeof output> {
  const wanted = wantedParts(dex, input.ids, input.expand);
  const conversations: Shown[] = [];
  const skipped: { id: string; needs: number }[] = [];
  let left = input.max_tokens ?? Number.POSITIVE_INFINITY;
  for (const { row, expand } of wanted) {
    const shown = showOne(dex, row, input.format, expand, left);
    if ("needs" in shown) {
      skipped.push({ id: row.id, needs: (input.max_tokens ?? 0) - left + shown.needs });
      continue;
    }
    conversations.push(shown.conversation);
    left -= shown.spent;
  }
  const rows = wanted.map(({ row }) => row);
  const ids = skipped.map(({ id }) => id);
  context.trace?.(traceDetails(rows, conversations, ids, input.max_tokens));
  return {
    conversations,
    total_tokens: conversations.reduce((sum, { total_tokens }) => sum + total_tokens, 0),
    ...(input.max_tokens === undefined ? {} : { max_tokens: input.max_tokens }),
    ...(skipped.length > 0 ? { skipped_ids: ids, needed_tokens: skipped[0]?.needs } : {}),
  };
}

function traceDetails(
  rows: readonly ConversationRow[],
  shown: readonly Shown[],
  skipped: readonly string[],
  maxTokens: number | undefined,
): TraceDetails {
  const sum = (of: (conversation: Shown) => number | undefined): number =>
    shown.reduce((total, conversation) => total + (of(conversation) ?? 0), 0);
  return {
    inputs: { conversations: rows.length, messages: rows.reduce((total, { messages }) => total + messages, 0) },
    ranking: shown.map(({ id, source, title }) => ({ id, source, summary: title })),
    budgets: maxTokens === undefined ? {} : { max_tokens: maxTokens },
    truncation: { messages: sum((each) => each.truncated?.messages), tokens: sum((each) => each.truncated?.tokens) },
    dropped: skipped.map((id) => ({ id, reason: "the budget was spent" })),
  };
}

interface Expand {
  message_index: number;
  before: number;
  after: number;
}

/** The parts that the addresses name, each once. An address of a message stands for it and its neighbours. */
function wantedParts(
  dex: Dex,
  ids: readonly string[],
  expand: Expand | undefined,
): { row: ConversationRow; expand: Expand | undefined }[] {
  const parts = new Map<string, { row: ConversationRow; expand: Expand | undefined }>();
  for (const id of ids) {
    const { row, index } = resolveAddress(dex, id);
    if (expand && index !== undefined && index !== expand.message_index) {
      throw new DexError("bad_input", `"${id}" names message ${index}, but --expand names ${expand.message_index}.`, {
        hint: "Name the message in one of the two places.",
      });
    }
    const around = index === undefined ? expand : (expand ?? { message_index: index, ...NEIGHBOURS });
    parts.set(`${row.no}#${around?.message_index ?? ""}`, { row, expand: around });
  }
  // A conversation that is shown whole already includes its parts.
  return [...parts.values()].filter((part) => !part.expand || !parts.has(`${part.row.no}#`));
}

/** The part of a conversation that fits the budget and the tokens it spends, or the tokens needed when none fits. */
function showOne(
  dex: Dex,
  row: ConversationRow,
  format: Format | "outline",
  expand: Expand | undefined,
  budget: number,
): { conversation: Shown; spent: number } | { needs: number } {
  const whole = expand && windowAround(row.messages, expand.message_index, expand.before, expand.after);
  const about = describeConversation(dex, row, budget);
  const room = budget - withMargin(about) - NOTES_TOKENS;
  const window = whole && expand && withoutEarlier(dex, row, format, whole, expand.message_index, room);
  const earlier = sizesIn(dex, row, format, whole?.start ?? 0, window?.start ?? 0);
  const { pieces, rest } =
    format === "outline"
      ? { pieces: outlinePieces(dex, row, window), rest: undefined }
      : contentPieces(dex, row, format, window, room);
  const overhead = format === "outline" ? 0 : HEAD_TOKENS;
  const cut = Number.isFinite(budget) ? cutToBudget(pieces, room, overhead, rest) : undefined;
  if (cut && (cut.too_small || room < 0)) return { needs: withMargin(about) + NOTES_TOKENS + MIN_MESSAGE_TOKENS };
  const messages = (cut?.kept ?? pieces).map(({ text, size, ...message }) => ({ ...message, content: text }));
  const tokens = cut?.tokens ?? pieces.reduce((sum, piece) => sum + piece.size, 0);
  return {
    spent: Math.ceil((cut?.spent ?? tokens) * BUDGET_MARGIN) + withMargin(about) + NOTES_TOKENS,
    conversation: {
      ...about,
      messages,
      total_tokens: tokens,
      ...(window ? { has_more_before: window.has_more_before, has_more_after: window.has_more_after } : {}),
      ...(cut?.truncated || earlier.messages > 0
        ? {
            truncated: {
              messages: (cut?.cut_messages ?? 0) + earlier.messages,
              tokens: (cut?.cut_tokens ?? 0) + earlier.tokens,
            },
          }
        : {}),
    },
  };
}

/** Drops messages from the start of the window until there is room for the one that was asked for. */
function withoutEarlier(
  dex: Dex,
  row: ConversationRow,
  format: Format | "outline",
  window: MessageWindow,
  center: number,
  room: number,
): MessageWindow {
  const fits = (start: number): boolean => {
    const { messages, tokens } = sizesIn(dex, row, format, start, center + 1);
    return (tokens + messages * (1 + HEAD_TOKENS)) * BUDGET_MARGIN <= room;
  };
  if (fits(window.start)) return window;
  let tooEarly = window.start;
  let start = center;
  while (start - tooEarly > 1) {
    const middle = Math.floor((tooEarly + start) / 2);
    if (fits(middle)) start = middle;
    else tooEarly = middle;
  }
  return { ...window, start, has_more_before: true };
}

function sizesIn(dex: Dex, row: ConversationRow, format: Format | "outline", from: number, to: number): MessageSizes {
  if (from >= to) return { messages: 0, tokens: 0 };
  if (format !== "outline") return dex.store.sizes(row.no, format, from, to);
  const pieces = outlinePieces(dex, row, { start: from, end: to, has_more_before: true, has_more_after: true });
  return { messages: pieces.length, tokens: pieces.reduce((sum, { size }) => sum + size, 0) };
}

function withMargin(about: object): number {
  return Math.ceil(estimateTokens(Object.values(about).flat().join("\n")) * BUDGET_MARGIN);
}

function outlinePieces(dex: Dex, row: ConversationRow, window: MessageWindow | undefined): Piece[] {
  return dex.store.messages(row.no, window?.start, window?.end).map((message) => {
    const { index, role, head, tokens } = message;
    const text = outlineLine({ index, role, head, tokens });
    return { index, role, content: "", tokens, text, size: estimateTokens(text) };
  });
}

/** Until they fill the room; the index knows how large the messages after them are. */
function contentPieces(
  dex: Dex,
  row: ConversationRow,
  format: Format,
  window: MessageWindow | undefined,
  room: number,
): { pieces: Piece[]; rest: MessageSizes | undefined } {
  const { start = 0, end = row.messages } = window ?? {};
  const pieces: Piece[] = [];
  let used = 0;
  for (const { index, message } of eachMessage(dex, row, start, end)) {
    const text = renderMessage(message, format);
    if (text === undefined || text === "") continue;
    const size = estimateTokens(text);
    pieces.push({ index, role: message.role, content: "", tokens: size, text, size });
    used += size;
    if (used > room) return { pieces, rest: dex.store.sizes(row.no, format, index + 1, end) };
  }
  return { pieces, rest: undefined };
}
