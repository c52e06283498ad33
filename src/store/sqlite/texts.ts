/**
 * Full-text candidates. Filters are part of the query, so that a filtered search misses nothing and `total` is true.
 * A conversation is ranked by its three best messages: one lucky message says less than three good ones.
 */
import type { StatementSync } from "node:sqlite";
import type { ConversationFilter, TextHit } from "../ports.ts";
import { whereConversation } from "./rows.ts";
import { SLOTS, TITLE_SLOT } from "./schema.ts";

/** bm25 weights of title, user, assistant, system, thinking, call, output, extra. */
const WEIGHTS = "4.0, 1.6, 1.4, 0.8, 0.8, 1.0, 0.8, 0.7";
const BEST_MESSAGES = [1, 0.5, 0.3];
const FIRST_CANDIDATES = 600;

export function searchTexts(
  prepare: (sql: string) => StatementSync,
  match: string,
  filter: ConversationFilter,
  limit: number,
  offset: number,
): { hits: TextHit[]; total: number } {
  const where = whereConversation(filter);
  const matching = `texts MATCH ? AND (rowid >> 24) IN (SELECT no FROM conversations c WHERE ${where.sql})`;
  const counted = prepare(`SELECT count(DISTINCT rowid >> 24) n FROM texts WHERE ${matching}`).get(
    match,
    ...where.values,
  );
  const total = Number(counted?.n ?? 0);
  if (total <= offset || limit === 0) return { hits: [], total };

  const candidates = prepare(
    `SELECT rowid id, bm25(texts, ${WEIGHTS}) score FROM texts WHERE ${matching} ORDER BY score, rowid LIMIT ?`,
  );
  const wanted = Math.min(total, offset + limit);
  for (let take = Math.max(FIRST_CANDIDATES, wanted * 20); ; take *= 4) {
    const rows = candidates.all(match, ...where.values, take);
    const hits = group(rows);
    if (hits.length >= wanted || rows.length < take) return { hits: hits.slice(offset, offset + limit), total };
  }
}

/** Rows come best first; bm25 is negative, lower is better. */
function group(rows: Record<string, unknown>[]): TextHit[] {
  const found = new Map<number, TextHit & { counted: number }>();
  for (const row of rows) {
    const id = Number(row.id);
    const no = Math.floor(id / SLOTS);
    const slot = id % SLOTS;
    const index = slot === TITLE_SLOT ? null : slot;
    const score = -Number(row.score);
    const hit = found.get(no);
    if (!hit) {
      found.set(no, { no, index, score, counted: 1 });
      continue;
    }
    hit.index ??= index;
    hit.score += score * (BEST_MESSAGES[hit.counted] ?? 0);
    hit.counted += 1;
  }
  return [...found.values()].sort((a, b) => b.score - a.score).map(({ no, index, score }) => ({ no, index, score }));
}
