/**
 * Plans batches. The index stores every message's size in every format, so dex computes the size of each `dex show`
 * answer without reading texts, except for messages larger than a batch.
 */
import { createHash } from "node:crypto";
import { longestPrefix } from "../conversations/budget.ts";
import { outlineLine } from "../conversations/outline.ts";
import { type Format, renderMessage } from "../conversations/render.ts";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import { compareText, formatCount, plural } from "../kernel/text.ts";
import type { RunContext } from "../run_context.ts";
import { resolveConversation } from "../search/filters/resolve.ts";
import { loadMessages, unlessDamaged } from "../search/messages.ts";
import { describeConversation, HEAD_TOKENS, NOTES_TOKENS } from "../search/results/describe.ts";
import type { ConversationFilter, ConversationRow, MessageRow } from "../store/ports.ts";
import { codePointEnd } from "../text/clip.ts";
import { BUDGET_MARGIN, estimateTokens } from "../tokens/estimate.ts";
import { type Batch, type Entry, pack, type Stretch, type Unit } from "./batches/pack.ts";
import type { BatchPassage } from "./workflow.ts";

export type ShowFormat = Format | "outline";

/** A conversation of a plan, with its unique address. */
export interface Planned {
  address: string;
  row: ConversationRow;
}

export interface Plan {
  /** Equal for equal batches, so that a caller can tell that the plan did not change. */
  id: string;
  conversations: number;
  tokens: number;
  batches: Batch<Planned>[];
}

/** The most messages that one `dex show` returns. */
const MAX_MESSAGES_SHOWN = 10_000;
/** A larger selection is a mistake: the plan alone would take millions of tokens. */
const MAX_CONVERSATIONS = 100_000;
/** Tokens around a conversation: separators, and the reserve of `dex show` for its notes. */
const FRAME_TOKENS = 4 + NOTES_TOKENS;
/** The least room for messages that a batch must have in addition to the head. */
const MIN_ROOM_TOKENS = 200;

/** The selected conversations, oldest first, so that later conversations change only the last batches. */
export function selectRows(dex: Dex, filter: ConversationFilter, ids: readonly string[] = []): ConversationRow[] {
  const found = dex.store.list(filter, MAX_CONVERSATIONS + 1, 0);
  if (found.length > MAX_CONVERSATIONS) {
    throw new DexError("too_many", `The selection has more than ${plural(MAX_CONVERSATIONS, "conversation")}.`, {
      hint: "Narrow it with --project, --source, --from or --to.",
    });
  }
  const named = new Set(ids.map((id) => resolveConversation(dex, id).no));
  const rows = named.size === 0 ? found : found.filter(({ no }) => named.has(no));
  return rows.sort((a, b) => a.updated - b.updated || compareText(a.source, b.source) || compareText(a.id, b.id));
}

export function planBatches(
  dex: Dex,
  rows: readonly ConversationRow[],
  format: ShowFormat,
  maxTokens: number,
  context: RunContext,
): Plan {
  const address = addresses(dex);
  function* units(): Generator<Unit<Planned>> {
    for (const [done, row] of rows.entries()) {
      if (done % 100 === 0) context.progress?.(done, rows.length, "measuring");
      yield unitOf(dex, { address: address(row), row }, format, maxTokens);
    }
  }
  const batches = pack(units(), { room: Math.floor(maxTokens / BUDGET_MARGIN), maxMessages: MAX_MESSAGES_SHOWN });
  return {
    id: planId(batches, format),
    conversations: rows.length,
    tokens: batches.reduce((sum, batch) => sum + batch.tokens, 0),
    batches,
  };
}

function unitOf(dex: Dex, planned: Planned, format: ShowFormat, maxTokens: number): Unit<Planned> {
  const { row } = planned;
  const about = describeConversation(dex, row, maxTokens);
  const head = estimateTokens(Object.values(about).flat().join("\n")) + FRAME_TOKENS;
  if (head + MIN_ROOM_TOKENS > maxTokens / BUDGET_MARGIN) {
    throw new DexError("small_batch", `A batch of ${formatCount(maxTokens)} tokens has no room for ${row.id}.`, {
      hint: "Raise --tokens.",
    });
  }
  const pieces = dex.store.messages(row.no).flatMap((message) => {
    const tokens = sizeOf(message, format);
    return tokens === 0 ? [] : [{ index: message.index, tokens }];
  });
  const stretches = (index: number, room: number): Stretch[] => stretchesOf(dex, row, index, format, room);
  return { of: planned, count: row.messages, head, pieces, stretches };
}

/** Tokens of the message and its header line, as `dex show` prints them; 0 when the format omits it. */
function sizeOf(message: MessageRow, format: ShowFormat): number {
  if (format === "outline") return estimateTokens(outlineLine(message)) + 1;
  const field = { full: "tokens", stripped: "tokens_stripped", user_only: "tokens_user" } as const;
  const text = message[field[format]];
  return text === 0 ? 0 : text + frameTokens(message.index, message.role);
}

/** Includes a reserve for the rounding of single sizes. */
function frameTokens(index: number, role: string): number {
  return Math.max(estimateTokens(`#${index} ${role}\n\n`), HEAD_TOKENS) + 2;
}

function stretchesOf(dex: Dex, row: ConversationRow, index: number, format: ShowFormat, room: number): Stretch[] {
  const message = unlessDamaged(dex, () => loadMessages(dex, row, index, index + 1), [])[0]?.message;
  const text = message && format !== "outline" ? (renderMessage(message, format) ?? "") : "";
  const frame = frameTokens(index, message?.role ?? "");
  const found: Stretch[] = [];
  for (let from = 0; from < text.length; ) {
    const rest = text.slice(from);
    const fitting = estimateTokens(rest) <= room - frame ? rest.length : longestPrefix(rest, room - frame);
    const to = from + Math.max(1, codePointEnd(rest, fitting));
    found.push({ from, to, tokens: estimateTokens(text.slice(from, to)) + frame });
    from = to;
  }
  return found;
}

/** An id that two agents share is prefixed with its agent. */
export function addresses(dex: Dex): (row: ConversationRow) => string {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { id } of dex.store.ids()) (seen.has(id) ? shared : seen).add(id);
  return (row) => (shared.has(row.id) ? `${row.source}:${row.id}` : row.id);
}

function planId(batches: readonly Batch<Planned>[], format: ShowFormat): string {
  const hash = createHash("sha256").update(format);
  for (const batch of batches) for (const entry of batch.entries) hash.update(`\n${entryKey(entry)}`);
  return hash.digest("hex").slice(0, 12);
}

/** Identifies the conversation, its state, and the part of it. */
export function entryKey({ of: { row }, tokens, range, chars }: Entry<Planned>): string {
  const part = range ? `${range.first}-${range.last}` : "";
  const stretch = chars ? `${chars.from}-${chars.to}` : "";
  return [row.source, row.id, row.messages, row.tokens, tokens, part, stretch].join(" ");
}

export function passagesOf(batch: Batch<Planned>): BatchPassage[] {
  return batch.entries.map(({ of: { address, row }, range, chars }) => ({
    address,
    row,
    ...(range ?? { first: 0, last: row.messages - 1 }),
    ...(chars ? { chars } : {}),
  }));
}
