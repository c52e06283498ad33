/**
 * Removes traces of forgotten conversations from state.db and its backups. Data that the user saved (pins, notes, own
 * decisions, subscriptions, imported test results) stays; only the reference to its origin is removed.
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { Forgetting, ForgottenInState } from "../../state/state.ts";
import { inTransaction } from "../connection.ts";
import { SqliteMemoryNotes } from "./memory.ts";

type Row = Record<string, SQLOutputValue>;

/** These words replace a quoted title in a decision that the user recorded. */
const TITLE_GONE = "(a forgotten conversation)";
/** Shorter titles are everyday words, which may mean something else. */
const MIN_TITLE_CHARS = 12;

/** With `dry` the rows are only counted. */
export function forgetInState(database: DatabaseSync, forgetting: Forgetting, dry: boolean): ForgottenInState {
  const { conversations, quotes } = forgetting;
  const ids = new Set(conversations.map(({ id }) => id));
  /** Hooks put the agent's name before the session's id. */
  const isOwn = (session: string): boolean => ids.has(session) || ids.has(session.slice(session.indexOf(":") + 1));
  const quoted = (row: Row, ...columns: string[]): boolean => columns.some((name) => quotes(String(row[name] ?? "")));
  return inTransaction(database, () => {
    const pushedCounts = [
      removeRows(database, "pushed", dry, (row) => isOwn(String(row.session)) || quoted(row, "entity")),
      removeRows(database, "context_told", dry, (row) => quoted(row, "entity_id")),
    ];
    const counts: ForgottenInState = {
      suggestions: removeRows(
        database,
        "context_suggestions",
        dry,
        (row) => isOwn(String(row.session_id)) || quoted(row, "trigger_json", "suggestions_json"),
      ),
      deliveries: removeRows(database, "context_deliveries", dry, (row) => quoted(row, "body", "error")),
      told: pushedCounts.reduce((sum, count) => sum + count, 0),
    };
    if (dry) return counts;
    database.exec("DELETE FROM suggestion_feedback WHERE suggestion_id NOT IN (SELECT id FROM context_suggestions)");
    new SqliteMemoryNotes(database).forgetPlaces([...ids]);
    forgetTitles(
      database,
      conversations.map(({ title }) => title),
    );
    return counts;
  });
}

function removeRows(database: DatabaseSync, table: string, dry: boolean, isGone: (row: Row) => boolean): number {
  const keys = database
    .prepare("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
    .all(table)
    .map(({ name }) => String(name));
  const gone: SQLOutputValue[][] = [];
  for (const row of database.prepare(`SELECT * FROM ${table}`).iterate()) {
    if (isGone(row)) gone.push(keys.map((key) => row[key] ?? null));
  }
  if (dry) return gone.length;
  const remove = database.prepare(`DELETE FROM ${table} WHERE ${keys.map((key) => `${key} = ?`).join(" AND ")}`);
  for (const key of gone) remove.run(...key);
  return gone.length;
}

function forgetTitles(database: DatabaseSync, titles: readonly string[]): void {
  const update = database.prepare(
    `UPDATE decisions SET text = replace(text, ?1, ?2), because = replace(because, ?1, ?2)
     WHERE instr(text, ?1) > 0 OR instr(because, ?1) > 0`,
  );
  for (const title of titles) if (title.length >= MIN_TITLE_CHARS) update.run(title, TITLE_GONE);
}
