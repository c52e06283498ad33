/** Converts between SQLite's rows and the store's types. */
import { sep } from "node:path";
import { ROLES, type Role } from "../../../conversations/model.ts";
import { spellings } from "../../../kernel/text.ts";
import { SLOTS } from "../../../ranking/segment.ts";
import type { ConversationFilter, ConversationRow, MessageRow } from "../../ports.ts";

export type SqlValue = string | number | null;
type SqlRow = Record<string, unknown>;

export const CONVERSATION_COLUMNS =
  "no, source, id, title, project, branch, model, created, updated, messages, tokens, tokens_stripped, tokens_user, " +
  "parent, parent_kind, archive, archive_bytes";

export function conversationRow(row: SqlRow): ConversationRow {
  // The columns are those of CONVERSATION_COLUMNS and the table enforces the types: only this place asserts it.
  return row as unknown as ConversationRow;
}

export function messageRow(row: SqlRow): MessageRow {
  const id = Number(row.id);
  return {
    index: id % SLOTS,
    role: roleOf(Number(row.role)),
    time: row.time === null ? null : Number(row.time),
    tokens: Number(row.tokens),
    tokens_stripped: Number(row.tokens_stripped),
    tokens_user: Number(row.tokens_user),
    head: String(row.head),
  };
}

export function roleOf(number: number): Role {
  return ROLES[number] ?? "system";
}

/** The condition of a filter that includes every conversation. */
export const NO_CONDITION = "TRUE";

/** A WHERE condition on `conversations c` with its parameters. */
export function whereConversation(filter: ConversationFilter): { sql: string; values: SqlValue[] } {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const add = (sql: string, value: SqlValue): void => {
    conditions.push(sql);
    values.push(value);
  };
  if (filter.no !== undefined) add("c.no = ?", filter.no);
  if (filter.source !== undefined) add("c.source = ?", filter.source);
  if (filter.project !== undefined) add("instr(lower(c.project), lower(?)) > 0", filter.project);
  // A folder is compared with its separator: /a/app does not match /a/app-two.
  if (filter.below !== undefined) {
    const each = filter.below.map(() => `instr(c.project || '${sep}', ?) = 1`);
    conditions.push(each.length === 0 ? "FALSE" : `(${each.join(" OR ")})`);
    values.push(...filter.below.map((folder) => folder + sep));
  }
  if (filter.subagents === false) conditions.push("c.parent_kind IS NOT 'subagent'");
  if (filter.subagents === true) conditions.push("c.parent_kind = 'subagent'");
  if (filter.abandoned === false) conditions.push("c.parent_kind IS NOT 'abandoned'");
  if (filter.abandoned === true) conditions.push("c.parent_kind = 'abandoned'");
  if (filter.from !== undefined) add("c.updated >= ?", filter.from);
  if (filter.to !== undefined) add("c.created <= ?", filter.to);
  if (filter.file !== undefined) {
    const spelled = spellings(filter.file);
    const any = spelled.map(() => "instr(f.path, ?) > 0").join(" OR ");
    conditions.push(`EXISTS (SELECT 1 FROM files f WHERE f.no = c.no AND (${any}))`);
    values.push(...spelled);
  }
  return { sql: conditions.length > 0 ? conditions.join(" AND ") : NO_CONDITION, values };
}
