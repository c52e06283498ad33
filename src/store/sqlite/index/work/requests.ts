/**
 * The tokens of requests to models: written from the digests of messages, and summed by conversation.
 *
 * Forks, resumed sessions and imports repeat requests, with equal keys. One copy counts, wherever a filter looks: the one
 * with the most output (an earlier copy may be of an unfinished answer), then the earliest, then that of the first
 * conversation.
 */
import { compareText } from "../../../../kernel/text.ts";
import { roleNumber, SLOTS } from "../../../../ranking/segment.ts";
import type { ConversationFilter } from "../../../ports.ts";
import type { RequestDigest } from "../../../requests.ts";
import { INPUT_SIZES, QUARTER_MS, type RequestRow, type TextRow, type UsageRow } from "../../../usage.ts";
import type { Prepare } from "../../connection.ts";
import { NO_CONDITION, type SqlValue, whereConversation } from "../rows.ts";

type SqlRow = Record<string, unknown>;

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

/**
 * Sums the requests of a conversation, and its texts if no request has tokens: an agent may record only the cost. Its own
 * row and its messages must be complete.
 */
export function sumUsage(prepare: Prepare, no: number): void {
  deleteSums(prepare, no);
  prepare(
    `INSERT INTO request_sums (no, slot, model, size, priced, ${COUNTS.join(", ")}, cost)
     SELECT r.no, ${TIME} / ${QUARTER_MS} slot, r.model, ${SIZE} size, r.cost IS NOT NULL priced,
       ${COUNTS.map((name) => `sum(r.${name})`).join(", ")}, sum(r.cost)
     FROM requests r JOIN conversations c ON c.no = r.no WHERE r.no = ? GROUP BY slot, r.model, size, priced`,
  ).run(no);
  prepare(
    `INSERT OR IGNORE INTO repeated_keys (key) SELECT r.key FROM requests r WHERE r.no = ? AND r.key <> 0 AND EXISTS
       (SELECT 1 FROM requests o WHERE o.key = r.key AND o.key <> 0 AND (o.no, o.first, o.part) <> (r.no, r.first, r.part))`,
  ).run(no);
  const written = `m.role = ${roleNumber("assistant")}`;
  prepare(
    `INSERT INTO text_sums (no, slot, output, input)
     SELECT c.no, coalesce(m.time, c.updated) / ${QUARTER_MS} slot,
       sum(CASE WHEN ${written} THEN m.tokens ELSE 0 END), sum(CASE WHEN ${written} THEN 0 ELSE m.tokens END)
     FROM conversations c JOIN messages m ON m.id >= c.no * ${SLOTS} AND m.id < c.no * ${SLOTS} + c.messages
     WHERE c.no = ? AND NOT EXISTS (SELECT 1 FROM requests r
       WHERE r.no = c.no AND r.input + r.cache_read + r.cache_write + r.output > 0) GROUP BY slot`,
  ).run(no);
}

export function deleteSums(prepare: Prepare, no: number): void {
  prepare("DELETE FROM request_sums WHERE no = ?").run(no);
  prepare("DELETE FROM text_sums WHERE no = ?").run(no);
}

/**
 * The sums by conversation, quarter of an hour, model and size of the input. They are read as arrays, which takes SQLite
 * a fifth of the time of objects.
 */
export function readUsage(prepare: Prepare, filter: ConversationFilter): UsageRow[] {
  const { condition, values } = whereSums(filter);
  const statement = prepare(
    `SELECT s.no, s.slot, s.model, s.size, s.cost, ${COUNTS.map((name) => `s.${name}`).join(", ")}
     FROM request_sums s WHERE ${condition} ORDER BY s.no, s.slot, s.model, s.size, s.priced`,
  );
  statement.setReturnArrays(true);
  const found = statement.all(...values) as unknown as SumRow[];
  const rows = found.map(sumRow);
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

/** A condition on sums `s`. The span of time applies to them, not to the conversations. */
function whereSums({ from, to, ...filter }: ConversationFilter): { condition: string; values: SqlValue[] } {
  const { sql, values } = whereConversation(filter);
  const span = "s.slot >= ? AND s.slot <= ?";
  return {
    condition: sql === NO_CONDITION ? span : `${span} AND s.no IN (SELECT c.no FROM conversations c WHERE ${sql})`,
    values: [slotOf(from ?? 0), slotOf(to ?? Number.MAX_SAFE_INTEGER), ...values],
  };
}

type SumRow = [no: number, slot: number, model: string, size: number, cost: number | null, ...counts: number[]];

function sumRow([no, slot, model, size, cost, ...counts]: SumRow): UsageRow {
  const [input = 0, cache_read = 0, cache_write = 0, cache_write_1h = 0, output = 0, reasoning = 0, requests = 0] =
    counts;
  const time = slot * QUARTER_MS;
  return { no, time, model, size, input, cache_read, cache_write, cache_write_1h, output, reasoning, requests, cost };
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

/** The copies that do not count. A cross join looks up the few keys that are repeated, instead of reading every request. */
function readCopies(prepare: Prepare, filter: ConversationFilter): Copy[] {
  const repeated = prepare(
    `SELECT r.no, r.first, r.part, r.key, ${TIME} at, ${TIME} / ${QUARTER_MS} slot, c.created, c.source, c.id, r.model,
       ${SIZE} size, ${COUNTS.map((name) => `r.${name}`).join(", ")}, r.cost
     FROM repeated_keys k CROSS JOIN requests r ON r.key = k.key AND r.key <> 0 JOIN conversations c ON c.no = r.no`,
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

/** Tokens of the texts of conversations without recorded tokens. */
export function readUnrecorded(prepare: Prepare, filter: ConversationFilter): TextRow[] {
  const { condition, values } = whereSums(filter);
  return prepare(`SELECT s.no, s.slot, s.output, s.input FROM text_sums s WHERE ${condition} ORDER BY s.no, s.slot`)
    .all(...values)
    .map((row) => ({
      no: Number(row.no),
      time: Number(row.slot) * QUARTER_MS,
      output: Number(row.output),
      input: Number(row.input),
    }));
}
