/** Counts messages by conversation and time. */
import { SLOTS } from "../../../../ranking/segment.ts";
import type { ActivityRow, ConversationFilter } from "../../../ports.ts";
import { QUARTER_MS } from "../../../usage.ts";
import type { Prepare } from "../../connection.ts";
import { whereConversation } from "../rows.ts";

export function readActivity(prepare: Prepare, filter: ConversationFilter): ActivityRow[] {
  const where = whereConversation(filter);
  const time = "coalesce(m.time, c.updated)";
  return prepare(
    `SELECT c.no, c.source, c.project, ${time} / ${QUARTER_MS} slot, count(*) n, sum(m.tokens) t
     FROM conversations c JOIN messages m ON m.id >= c.no * ${SLOTS} AND m.id < c.no * ${SLOTS} + c.messages
     WHERE ${where.sql} AND ${time} >= ? AND ${time} <= ? GROUP BY c.no, slot ORDER BY slot, c.no`,
  )
    .all(...where.values, filter.from ?? 0, filter.to ?? Number.MAX_SAFE_INTEGER)
    .map((row) => ({
      no: Number(row.no),
      source: String(row.source),
      project: row.project === null ? null : String(row.project),
      time: Number(row.slot) * QUARTER_MS,
      messages: Number(row.n),
      tokens: Number(row.t),
    }));
}
