/**
 * Suggestions and their outcomes. Stored in the state because no archive has them; bounded by number and age, because
 * every prompt may add a row.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import {
  type FeedbackCount,
  type FeedbackRow,
  type ItemOutcome,
  type SuggestionLog,
  type SuggestionRow,
  WATCHED,
  WHOLE,
} from "../../state/suggestions.ts";
import { inTransaction } from "../connection.ts";

export const SUGGESTION_TABLES = `CREATE TABLE context_suggestions (
     id TEXT PRIMARY KEY,
     session_id TEXT NOT NULL,
     created_at TEXT NOT NULL,
     trigger_json TEXT,
     suggestions_json TEXT,
     status TEXT DEFAULT 'pending',
     used_item_index INTEGER,
     project_id TEXT NOT NULL,
     latency_ms REAL NOT NULL,
     surface TEXT NOT NULL,
     watched_to INTEGER NOT NULL DEFAULT -1
   ) WITHOUT ROWID;
   CREATE INDEX idx_suggestions_session ON context_suggestions (session_id, created_at DESC);
   CREATE INDEX idx_suggestions_status ON context_suggestions (status);
   CREATE INDEX idx_suggestions_created ON context_suggestions (created_at);
   CREATE TABLE suggestion_feedback (
     suggestion_id TEXT NOT NULL,
     item_index INTEGER NOT NULL,
     project_id TEXT NOT NULL,
     type TEXT NOT NULL,
     score REAL NOT NULL,
     base REAL NOT NULL,
     action TEXT NOT NULL,
     how TEXT NOT NULL,
     at TEXT NOT NULL,
     PRIMARY KEY (suggestion_id, item_index)
   ) WITHOUT ROWID;
   CREATE INDEX idx_feedback_project ON suggestion_feedback (project_id, type)`;

/** The maximum number of suggestions, and their maximum age. */
const MAX_SUGGESTIONS = 20_000;
export const MAX_AGE_MS = 180 * 86_400_000;
/** Deleting old rows with every insert would cost more than the rows. */
const PRUNE_EVERY = 50;

export class SqliteSuggestionLog implements SuggestionLog {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Not worth waiting for the disk: a row lost to a power cut is one suggestion fewer in the statistics. */
  add(row: Omit<SuggestionRow, "used_item_index" | "watched_to">, now: number): void {
    this.#database.exec("PRAGMA synchronous = NORMAL");
    try {
      this.put(row);
      if (Number.parseInt(row.id.slice(-4), 16) % PRUNE_EVERY === 0) this.prune(now);
    } finally {
      this.#database.exec("PRAGMA synchronous = FULL");
    }
  }

  /** As part of an open transaction. */
  put(row: Omit<SuggestionRow, "used_item_index" | "watched_to">): void {
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO context_suggestions
           (id, session_id, created_at, trigger_json, suggestions_json, status, project_id, latency_ms, surface)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        row.id,
        row.session_id,
        row.created_at,
        row.trigger_json,
        row.suggestions_json,
        row.status,
        row.project_id,
        row.latency_ms,
        row.surface,
      );
  }

  get(id: string): SuggestionRow | undefined {
    const row = this.#database.prepare("SELECT * FROM context_suggestions WHERE id = ?").get(id);
    return row && toRow(row);
  }

  /** The newest first. */
  recent(project: string | undefined, limit: number): SuggestionRow[] {
    const where = project === undefined ? "" : "WHERE project_id = ?2";
    return this.#database
      .prepare(`SELECT * FROM context_suggestions ${where} ORDER BY created_at DESC, id LIMIT ?1`)
      .all(...(project === undefined ? [limit] : [limit, project]))
      .map(toRow);
  }

  /** Suggestions whose session may still use them, the newest first. */
  unwatched(session: string | undefined, limit: number): SuggestionRow[] {
    const where = session === undefined ? "session_id <> ''" : "session_id = ?2";
    return this.#database
      .prepare(
        `SELECT * FROM context_suggestions WHERE ${where} AND watched_to < ${WATCHED}
         ORDER BY created_at DESC, id LIMIT ?1`,
      )
      .all(...(session === undefined ? [limit] : [limit, session]))
      .map(toRow);
  }

  /** Explicit feedback of a person or agent overrides observations. */
  judge(rows: readonly FeedbackRow[]): void {
    if (rows.length === 0) return;
    const insert = this.#database.prepare(
      `INSERT INTO suggestion_feedback (suggestion_id, item_index, project_id, type, score, base, action, how, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET action = excluded.action, how = excluded.how, at = excluded.at
       WHERE excluded.how = 'explicit' OR how = 'implicit'`,
    );
    inTransaction(this.#database, () => {
      for (const row of rows) {
        const { suggestion_id, item_index, project_id, type, score, base, action, how, at } = row;
        insert.run(suggestion_id, item_index, project_id, type, score, base, action, how, at);
      }
      for (const id of new Set(rows.map(({ suggestion_id }) => suggestion_id))) this.#settle(id);
    });
  }

  /** One used item makes the whole suggestion used; all dismissed, dismissed. */
  #settle(id: string): void {
    const rows = this.feedback(id);
    const used = rows.find(({ action }) => action === "used");
    const items = Number(
      this.#database
        .prepare("SELECT json_array_length(suggestions_json) n FROM context_suggestions WHERE id = ?")
        .get(id)?.n ?? 0,
    );
    const dismissed = rows.filter(({ action }) => action === "dismissed").length >= items && items > 0;
    if (!used && !dismissed) return;
    this.#database
      .prepare("UPDATE context_suggestions SET status = ?, used_item_index = ? WHERE id = ?")
      .run(used ? "used" : "dismissed", used && used.item_index !== WHOLE ? used.item_index : null, id);
  }

  watched(id: string, message: number): void {
    this.#database.prepare("UPDATE context_suggestions SET watched_to = ? WHERE id = ?").run(message, id);
  }

  feedback(id: string): FeedbackRow[] {
    return this.#database
      .prepare("SELECT * FROM suggestion_feedback WHERE suggestion_id = ? ORDER BY item_index")
      .all(id)
      .map(toFeedback);
  }

  allFeedback(project: string | undefined): FeedbackRow[] {
    const where = project === undefined ? "" : "WHERE project_id = ?";
    return this.#database
      .prepare(`SELECT * FROM suggestion_feedback ${where} ORDER BY suggestion_id, item_index`)
      .all(...(project === undefined ? [] : [project]))
      .map(toFeedback);
  }

  /** Known outcomes of items, by type and project. */
  counts(): FeedbackCount[] {
    return this.#database
      .prepare(
        `SELECT project_id, type, action, count(*) n, sum(base) expected FROM suggestion_feedback
         WHERE item_index <> ${WHOLE} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      )
      .all()
      .map((row) => ({
        project_id: String(row.project_id),
        type: String(row.type),
        action: outcome(row.action),
        count: Number(row.n),
        expected: Number(row.expected),
      }));
  }

  prune(now: number, most = MAX_SUGGESTIONS): void {
    const oldest = new Date(now - MAX_AGE_MS).toISOString();
    this.#database.prepare("DELETE FROM context_suggestions WHERE created_at < ?").run(oldest);
    this.#database
      .prepare(
        `DELETE FROM context_suggestions WHERE id IN
           (SELECT id FROM context_suggestions ORDER BY created_at DESC, id LIMIT -1 OFFSET ?)`,
      )
      .run(most);
    this.#removeOrphans();
  }

  #removeOrphans(): void {
    this.#database
      .prepare("DELETE FROM suggestion_feedback WHERE suggestion_id NOT IN (SELECT id FROM context_suggestions)")
      .run();
  }
}

type SqlRow = Record<string, SQLOutputValue>;

function toRow(row: SqlRow): SuggestionRow {
  return {
    id: String(row.id),
    session_id: String(row.session_id),
    project_id: String(row.project_id),
    created_at: String(row.created_at),
    trigger_json: String(row.trigger_json),
    suggestions_json: String(row.suggestions_json),
    status: String(row.status),
    used_item_index: row.used_item_index === null ? null : Number(row.used_item_index),
    latency_ms: Number(row.latency_ms),
    surface: String(row.surface),
    watched_to: Number(row.watched_to),
  };
}

function toFeedback(row: SqlRow): FeedbackRow {
  return {
    suggestion_id: String(row.suggestion_id),
    item_index: Number(row.item_index),
    project_id: String(row.project_id),
    type: String(row.type),
    score: Number(row.score),
    base: Number(row.base),
    action: outcome(row.action),
    how: row.how === "explicit" ? "explicit" : "implicit",
    at: String(row.at),
  };
}

function outcome(value: SQLOutputValue | undefined): ItemOutcome {
  return value === "used" || value === "dismissed" ? value : "ignored";
}
