/**
 * The tokens of requests to models: written from the digests of messages, summed when read.
 *
 * Forks, resumed sessions and imports repeat requests, with equal keys. One copy counts, wherever a filter looks: the one
 * with the most output (an earlier copy may be of an unfinished answer), then the earliest, then that of the first
 * conversation.
 */
import type { StatementSync } from "node:sqlite";
import { compareText } from "../../../kernel/text.ts";
import { roleNumber, SLOTS } from "../../../ranking/segment.ts";
import type { ConversationFilter } from "../../ports.ts";
import type { RequestDigest } from "../../requests.ts";
import { INPUT_SIZES, type RequestRow, type TextRow, type UsageRow } from "../../usage.ts";
import { whereConversation } from "./rows.ts";

type Prepare = (sql: string) => StatementSync;
type SqlRow = Record<string, unknown>;

/** The offset of every time zone is a multiple of it, so its quarters tell days apart everywhere. */
const QUARTER_MS = 900_000;

const COUNTS = ["input", "cache_read", "cache_write", "cache_write_1h", "output", "reasoning", "requests"] as const;
const TIME = "coalesce(r.time, c.updated)";
const SIZE = INPUT_SIZES.map((size) => `((r.input + r.cache_read + r.cache_write) > ${size} * r.requests)`).join(" + ");

export function requestWriter(
  prepare: Prepare,
): (no: number, index: number, requests: readonly RequestDigest[]) => void {
  const insert = prepare(
    `INSERT OR REPLACE INTO requests (no, first, part, key, time, model, ${COUNTS.join(", ")}, cost)
     VALUES (?, ?, ?, ?, ?, ?, ${"?, ".repeat(COUNTS.length)}?)`,
  );
  return (no, index, requests) => {
    for (const [part, each] of requests.entries()) {
      insert.run(no, index, part, each.key, each.time, each.model, ...COUNTS.map((name) => each[name]), each.cost);
    }
  };
}

/** Sums the requests of a conversation, whose own row must be complete. */
export function sumRequests(prepare: Prepare, no: number): void {
  prepare("DELETE FROM request_sums WHERE no = ?").run(no);
  prepare(
    `INSERT INTO request_sums (no, slot, model, size, priced, ${COUNTS.join(", ")}, cost)
     SELECT r.no, ${TIME} / ${QUARTER_MS} slot, r.model, ${SIZE} size, r.cost IS NOT NULL priced,
       ${COUNTS.map((name) => `sum(r.${name})`).join(", ")}, sum(r.cost)
     FROM requests r JOIN conversations c ON c.no = r.no WHERE r.no = ? GROUP BY slot, r.model, size, priced`,
  ).run(no);
}

/** The sums by conversation, quarter of an hour, model and size of the input. */
export function readUsage(prepare: Prepare, filter: ConversationFilter): UsageRow[] {
  const { from, to, ...rest } = filter;
  const { sql, values } = whereConversation(rest);
  const rows = prepare(
    `SELECT s.* FROM request_sums s JOIN conversations c ON c.no = s.no WHERE ${sql} AND s.slot >= ? AND s.slot <= ?
     ORDER BY s.slot, s.no, s.model, s.size, s.priced`,
  )
    .all(...values, slotOf(from ?? 0), slotOf(to ?? Number.MAX_SAFE_INTEGER))
    .map(usageRow);
  const copies = readCopies(prepare, filter);
  if (copies.length === 0) return rows;
  const groups = new Map(rows.map((row) => [groupOf(row), row]));
  for (const copy of copies) {
    const group = groups.get(groupOf(copy));
    if (!group) continue;
    for (const name of COUNTS) group[name] -= copy[name];
    if (group.cost !== null) group.cost -= copy.cost ?? 0;
  }
  return rows.filter(({ requests }) => requests > 0);
}

function slotOf(time: number): number {
  return Math.floor(time / QUARTER_MS);
}

function groupOf({ no, time, model, size, cost }: UsageRow): string {
  return `${no} ${time} ${size} ${cost === null ? "" : "priced"} ${model}`;
}

/** All requests in the order of their times. */
export function readRequests(prepare: Prepare, filter: ConversationFilter): RequestRow[] {
  const { sql, values } = where(filter);
  const copies = new Set(readCopies(prepare, filter).map(({ place }) => place));
  return prepare(
    `SELECT r.no, r.first, r.part, ${TIME} at, r.model, ${SIZE} size, ${COUNTS.map((name) => `r.${name}`).join(", ")}, r.cost
     FROM requests r JOIN conversations c ON c.no = r.no WHERE ${sql} ORDER BY at, r.no, r.first, r.part`,
  )
    .all(...values)
    .filter((row) => copies.size === 0 || !copies.has(placeOf(row)))
    .map((row) => ({ ...usageRow(row), time: Number(row.at) }));
}

interface Copy extends UsageRow {
  place: string;
}

/** The copies that do not count. Few keys are repeated, and a cross join looks them up instead of reading every request. */
function readCopies(prepare: Prepare, filter: ConversationFilter): Copy[] {
  const repeated = prepare(
    `SELECT r.no, r.first, r.part, r.key, ${TIME} at, ${TIME} / ${QUARTER_MS} slot, c.created, c.source, c.id, r.model,
       ${SIZE} size, ${COUNTS.map((name) => `r.${name}`).join(", ")}, r.cost
     FROM (SELECT key FROM requests WHERE key <> 0 GROUP BY key HAVING count(*) > 1) repeated
       CROSS JOIN requests r ON r.key = repeated.key AND r.key <> 0 JOIN conversations c ON c.no = r.no`,
  ).all();
  if (repeated.length === 0) return [];
  const wanted = includes(prepare, filter);
  return [...Map.groupBy(repeated, (row) => Number(row.key)).values()]
    .flatMap((rows) => rows.sort(better).slice(1))
    .filter((row) => wanted(row))
    .map((row) => ({ ...usageRow(row), place: placeOf(row) }));
}

/** Whether the filter includes a row. */
function includes(prepare: Prepare, filter: ConversationFilter): (row: SqlRow) => boolean {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, ...rest } = filter;
  const { sql, values } = whereConversation(rest);
  const nos = new Set(
    prepare(`SELECT c.no FROM conversations c WHERE ${sql}`)
      .all(...values)
      .map((row) => Number(row.no)),
  );
  return (row) => nos.has(Number(row.no)) && slotOf(Number(row.at)) >= slotOf(from) && Number(row.at) <= to;
}

function better(a: SqlRow, b: SqlRow): number {
  return (
    Number(b.output) - Number(a.output) ||
    Number(a.at) - Number(b.at) ||
    Number(a.created) - Number(b.created) ||
    compareText(`${a.source}:${a.id}`, `${b.source}:${b.id}`) ||
    Number(a.first) - Number(b.first) ||
    Number(a.part) - Number(b.part)
  );
}

/** The span of time applies to the requests, not to the conversations. */
function where({ from, to, ...filter }: ConversationFilter): ReturnType<typeof whereConversation> {
  const { sql, values } = whereConversation(filter);
  if (from === undefined && to === undefined) return { sql, values };
  return {
    sql: `${sql} AND ${TIME} >= ? AND ${TIME} <= ?`,
    values: [...values, from ?? 0, to ?? Number.MAX_SAFE_INTEGER],
  };
}

function usageRow(row: SqlRow): UsageRow {
  return {
    no: Number(row.no),
    time: Number(row.slot ?? 0) * QUARTER_MS,
    model: String(row.model),
    size: Number(row.size),
    input: Number(row.input),
    cache_read: Number(row.cache_read),
    cache_write: Number(row.cache_write),
    cache_write_1h: Number(row.cache_write_1h),
    output: Number(row.output),
    reasoning: Number(row.reasoning),
    requests: Number(row.requests),
    cost: row.cost === null ? null : Number(row.cost),
  };
}

function placeOf(row: SqlRow): string {
  return `${row.no} ${row.first} ${row.part}`;
}

/** Tokens of the texts of conversations that have no request. */
export function readUnrecorded(prepare: Prepare, filter: ConversationFilter): TextRow[] {
  const { from, to, ...rest } = filter;
  const { sql, values } = whereConversation(rest);
  const time = "coalesce(m.time, c.updated)";
  const written = `m.role = ${roleNumber("assistant")}`;
  return prepare(
    `SELECT c.no, ${time} / ${QUARTER_MS} slot,
       sum(CASE WHEN ${written} THEN m.tokens ELSE 0 END) output, sum(CASE WHEN ${written} THEN 0 ELSE m.tokens END) input
     FROM conversations c JOIN messages m ON m.id >= c.no * ${SLOTS} AND m.id < c.no * ${SLOTS} + c.messages
     WHERE ${sql} AND NOT EXISTS (SELECT 1 FROM requests r WHERE r.no = c.no) AND ${time} >= ? AND ${time} <= ?
     GROUP BY c.no, slot ORDER BY slot, c.no`,
  )
    .all(...values, from ?? 0, to ?? Number.MAX_SAFE_INTEGER)
    .map((row) => ({
      no: Number(row.no),
      time: Number(row.slot) * QUARTER_MS,
      output: Number(row.output),
      input: Number(row.input),
    }));
}
