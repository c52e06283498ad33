/**
 * Implicit feedback, computed on demand: the messages of a session after a suggestion show which items it used. Each
 * message is examined once; items still unused after enough messages count as ignored.
 */
import type { Dex } from "../../dex.ts";
import { insidePath, repositoryOrFolder } from "../../history/repository.ts";
import { DexError } from "../../kernel/errors.ts";
import { isWriteRefused } from "../../kernel/files/atomic_write.ts";
import { asArray, asObject, asString, parseJson } from "../../kernel/json.ts";
import { loadMessages } from "../../search/messages.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { type FeedbackRow, type SuggestionRow, WATCHED } from "../../store/state/suggestions.ts";
import { isUse } from "./uses.ts";

/** A later use most likely has other reasons than the suggestion. */
const MAX_MESSAGES = 60;
/** A session that is idle this long is over. */
const MAX_IDLE_MS = 86_400_000;
/** Suggestions examined in one call, for one session and for all of them. */
const MAX_PER_SESSION = 20;
const MAX_SUGGESTIONS = 300;
/** Tolerates clock skew, which could otherwise hide the first message after the suggestion. */
const CLOCK_SKEW_MS = 2000;

export interface StoredItem {
  type: string;
  entityId: string;
  actionUrl: string;
  score: number;
  base: number;
}

/** Items as they were written; unreadable fields become empty. */
export function storedItems({ suggestions_json }: SuggestionRow): StoredItem[] {
  return asArray(parseJson(suggestions_json)).map((value) => {
    const item = asObject(value);
    const score = typeof item.relevanceScore === "number" ? item.relevanceScore : 0;
    return {
      type: asString(item.type) ?? "",
      entityId: asString(item.entityId) ?? "",
      actionUrl: asString(item.actionUrl) ?? "",
      score,
      base: typeof item.base === "number" ? item.base : score,
    };
  });
}

/** Records the outcome of earlier suggestions of one session, or of all sessions. */
export function recordUses(dex: Dex, session?: string): void {
  if (!dex.hasState) return;
  try {
    dex.withState(({ suggestions }) => {
      for (const row of suggestions.unwatched(session, session === undefined ? MAX_SUGGESTIONS : MAX_PER_SESSION)) {
        const known = new Set(suggestions.feedback(row.id).map(({ item_index }) => item_index));
        const seen = outcomes(dex, row, known);
        if (!seen) continue;
        suggestions.judge(seen.rows);
        suggestions.watched(row.id, seen.to);
      }
    });
  } catch (error) {
    // A later call examines the messages again.
    if (!isWriteRefused(error)) throw error;
  }
}

function outcomes(
  dex: Dex,
  row: SuggestionRow,
  known: ReadonlySet<number>,
): { rows: FeedbackRow[]; to: number } | undefined {
  const conversation = conversationOf(dex, row.session_id);
  if (!conversation) return undefined;
  const since = Date.parse(row.created_at) - CLOCK_SKEW_MS;
  const start = firstAfter(dex, conversation, since);
  const end = Math.min(conversation.messages, start + MAX_MESSAGES);
  const from = Math.max(start, row.watched_to + 1);
  const over = end >= start + MAX_MESSAGES || dex.now() - Math.max(since, conversation.updated) > MAX_IDLE_MS;
  if (from >= end && !over) return undefined;
  const items = storedItems(row);
  const open = [...items.keys()].filter((i) => !known.has(i));
  const used = usedItems(dex, conversation, from, end, items, open);
  const note = { suggestion_id: row.id, project_id: row.project_id, how: "implicit" } as const;
  const at = new Date(dex.now()).toISOString();
  const rows = open.flatMap((i): FeedbackRow[] => {
    const item = items[i];
    const action = used.has(i) ? "used" : over ? "ignored" : undefined;
    if (!item || action === undefined) return [];
    return [{ ...note, item_index: i, type: item.type, score: item.score, base: item.base, action, at }];
  });
  return { rows, to: over ? WATCHED : end - 1 };
}

function usedItems(
  dex: Dex,
  conversation: ConversationRow,
  from: number,
  to: number,
  items: readonly StoredItem[],
  open: readonly number[],
): Set<number> {
  const project = repositoryOrFolder(conversation.project ?? dex.cwd);
  const base = conversation.project ?? project.root;
  const inside = (path: string): string | undefined => insidePath(project, path, base);
  const used = new Set<number>();
  for (const { message } of from < to ? messagesOf(dex, conversation, from, to) : []) {
    for (const i of open) {
      const item = items[i];
      if (item && !used.has(i) && isUse(item, message, inside)) used.add(i);
    }
  }
  return used;
}

function conversationOf(dex: Dex, session: string): ConversationRow | undefined {
  const [, source, id = session] = /^(?:([a-z_]+):)?(.+)$/.exec(session) ?? [];
  return dex.store.byPrefix(id, source, 2).find((row) => row.id === id);
}

function firstAfter(dex: Dex, { no, messages }: ConversationRow, time: number): number {
  const found = dex.store.messages(no).find((message) => message.time !== null && message.time >= time);
  return found?.index ?? messages;
}

/** An unreadable archive gives no feedback; `dex doctor` reports it. */
function messagesOf(dex: Dex, row: ConversationRow, from: number, to: number): ReturnType<typeof loadMessages> {
  try {
    return loadMessages(dex, row, from, to);
  } catch (error) {
    if (error instanceof DexError) return [];
    throw error;
  }
}
