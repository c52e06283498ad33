/** Reads the index. */

import type { StatementSync } from "node:sqlite";
import type { ConversationMeta, Role } from "../../../conversations/model.ts";
import { BRANCH_MARK } from "../../../conversations/model.ts";
import type { Format } from "../../../conversations/render.ts";
import type { Holder, MessageHit, TermCounts, TermShare, TextHit, TextHits } from "../../../ranking/hits.ts";
import type { IndexedTexts } from "../../../ranking/ports.ts";
import type { TermQuery, VectorModel } from "../../../ranking/query.ts";
import { SLOTS } from "../../../ranking/segment.ts";
import { TextIndex } from "../../../ranking/text_index.ts";
import type { ArchiveBlock } from "../../archive/archive.ts";
import type { IndexReader } from "../../index_reader.ts";
import type {
  ActivityRow,
  ArchivedRow,
  CommitRow,
  ConversationFilter,
  ConversationRow,
  FileRow,
  FileUse,
  IndexTotals,
  MessageRow,
  MessageSizes,
  ShellRun,
} from "../../ports.ts";
import type { TrailReader } from "../../trails.ts";
import type { RequestRow, TextRow, UsageRow } from "../../usage.ts";
import type { VectorCoverage, VectorGap } from "../../vector_gaps.ts";
import { Connection } from "../connection.ts";
import { type DatabaseState, emptyDatabase, openRebuildable } from "../rebuildable.ts";
import { SqliteSegmentSource } from "../texts/source.ts";
import { findGap, readCoverage } from "../texts/vector_gaps.ts";
import { numberOrNull } from "../values.ts";
import { readActivity } from "./activity.ts";
import { conversationCatalogue } from "./catalogue.ts";
import { readRequests, readUnrecorded, readUsage } from "./requests.ts";
import { CONVERSATION_COLUMNS, conversationRow, messageRow, type SqlValue, whereConversation } from "./rows.ts";
import { INDEX } from "./schema.ts";
import { readShellRuns } from "./shell_runs.ts";
import { trailReader } from "./trail.ts";
import { readOrder } from "./word_orders.ts";

const TOKEN_COLUMNS = { full: "tokens", stripped: "tokens_stripped", user_only: "tokens_user" } as const;

/** The index for reading. If there is none that this version can read, it is empty. */
export function openIndex(path: string): { store: SqliteReader; state: DatabaseState } {
  const { database, state } = openRebuildable(INDEX, path, "read");
  return { store: new SqliteReader(database), state };
}

/** An index without conversations. */
export function emptyIndex(): SqliteReader {
  return new SqliteReader(emptyDatabase(INDEX));
}

export class SqliteReader extends Connection implements IndexReader {
  #texts: TextIndex<ConversationFilter> | undefined;

  /** Work of conversations on files and commits. */
  get trail(): TrailReader {
    return trailReader((sql) => this.prepare(sql));
  }

  totals(): IndexTotals {
    const row = this.prepare(
      "SELECT count(*) n, coalesce(sum(messages), 0) m, coalesce(sum(tokens), 0) t, min(created) a, max(updated) z FROM conversations",
    ).get();
    const sources: Record<string, number> = {};
    for (const each of this.prepare(
      "SELECT source, count(*) n FROM conversations GROUP BY source ORDER BY n DESC, source",
    ).all()) {
      sources[String(each.source)] = Number(each.n);
    }
    return {
      conversations: Number(row?.n ?? 0),
      messages: Number(row?.m ?? 0),
      tokens: Number(row?.t ?? 0),
      earliest: numberOrNull(row?.a),
      latest: numberOrNull(row?.z),
      sources,
    };
  }

  projects(limit: number): { project: string; conversations: number; updated: number }[] {
    return this.prepare(
      "SELECT project, count(*) n, max(updated) u FROM conversations WHERE project IS NOT NULL GROUP BY project ORDER BY n DESC, u DESC, project LIMIT ?",
    )
      .all(limit)
      .map((row) => ({ project: String(row.project), conversations: Number(row.n), updated: Number(row.u) }));
  }

  list(filter: ConversationFilter, limit: number, offset: number): ConversationRow[] {
    const where = whereConversation(filter);
    return this.prepare(
      `SELECT ${CONVERSATION_COLUMNS} FROM conversations c WHERE ${where.sql} ORDER BY updated DESC, id LIMIT ? OFFSET ?`,
    )
      .all(...where.values, limit, offset)
      .map(conversationRow);
  }

  count(filter: ConversationFilter): number {
    const where = whereConversation(filter);
    return Number(
      this.prepare(`SELECT count(*) n FROM conversations c WHERE ${where.sql}`).get(...where.values)?.n ?? 0,
    );
  }

  activity(filter: ConversationFilter): ActivityRow[] {
    return readActivity((sql) => this.prepare(sql), filter);
  }

  usage(filter: ConversationFilter): UsageRow[] {
    return readUsage((sql) => this.prepare(sql), filter);
  }

  requests(filter: ConversationFilter): RequestRow[] {
    return readRequests((sql) => this.prepare(sql), filter);
  }

  unrecorded(filter: ConversationFilter): TextRow[] {
    return readUnrecorded((sql) => this.prepare(sql), filter);
  }

  byNo(no: number): ConversationRow | undefined {
    const row = this.prepare(`SELECT ${CONVERSATION_COLUMNS} FROM conversations WHERE no = ?`).get(no);
    return row && conversationRow(row);
  }

  byPrefix(prefix: string, source?: string, limit = 20): ConversationRow[] {
    const exact = this.many("id = ? AND (? IS NULL OR source = ?)", limit, prefix, source ?? null, source ?? null);
    if (exact.length > 0) return exact;
    // A range, not LIKE: the id may contain % or _, and a range uses the index.
    const range = "id >= ? AND id < ? AND (? IS NULL OR source = ?)";
    const values = [prefix, `${prefix}\u{10ffff}`, source ?? null, source ?? null];
    const found = this.many(`${range} AND parent_kind IS NOT 'abandoned'`, limit, ...values);
    return found.length > 0 ? found : this.many(range, limit, ...values);
  }

  idNeighbours(id: string): { same: number; before: string; after: string } {
    // The id of a conversation begins those of its abandoned branches, but its prefixes do not name them.
    const others = id.includes(BRANCH_MARK) ? "TRUE" : "parent_kind IS NOT 'abandoned'";
    const text = (sql: string): string => String(this.prepare(sql).get(id)?.id ?? "");
    return {
      same: Number(this.prepare("SELECT count(*) n FROM conversations WHERE id = ?").get(id)?.n ?? 0),
      before: text(`SELECT id FROM conversations WHERE id < ? AND ${others} ORDER BY id DESC LIMIT 1`),
      after: text(`SELECT id FROM conversations WHERE id > ? AND ${others} ORDER BY id LIMIT 1`),
    };
  }

  ids(): { source: string; id: string }[] {
    return this.prepare("SELECT source, id FROM conversations ORDER BY id")
      .all()
      .map((row) => ({ source: String(row.source), id: String(row.id) }));
  }

  storedMeta(no: number): ConversationMeta | undefined {
    const row = this.prepare("SELECT meta FROM conversations WHERE no = ?").get(no);
    return row ? (JSON.parse(String(row.meta)) as ConversationMeta) : undefined;
  }

  children(id: string): ConversationRow[] {
    return this.many("parent = ?", 1000, id);
  }

  childCount(id: string): number {
    return Number(this.prepare("SELECT count(*) n FROM conversations WHERE parent = ?").get(id)?.n ?? 0);
  }

  wordOrder(no: number, index: number): Uint16Array | undefined {
    return readOrder((sql) => this.prepare(sql), no, index);
  }

  messages(no: number, from = 0, to = SLOTS - 1): MessageRow[] {
    const last = Math.min(to, SLOTS - 1);
    return this.prepare(
      "SELECT id, role, time, tokens, tokens_stripped, tokens_user, head FROM messages WHERE id >= ? AND id < ? ORDER BY id",
    )
      .all(no * SLOTS + from, no * SLOTS + last)
      .map(messageRow);
  }

  sizes(no: number, format: Format, from: number, to: number): MessageSizes {
    const tokens = TOKEN_COLUMNS[format];
    const row = this.prepare(
      `SELECT count(*) n, coalesce(sum(${tokens}), 0) t FROM messages WHERE id >= ? AND id < ? AND ${tokens} > 0`,
    ).get(no * SLOTS + from, no * SLOTS + Math.min(to, SLOTS - 1));
    return { messages: Number(row?.n ?? 0), tokens: Number(row?.t ?? 0) };
  }

  blocks(no: number, from = 0, to = SLOTS): ArchiveBlock[] {
    return this.prepare(
      "SELECT first, count, offset, length FROM blocks WHERE no = ? AND first + count > ? AND first < ? ORDER BY first",
    )
      .all(no, from, to)
      .map((row) => ({
        first: Number(row.first),
        count: Number(row.count),
        offset: Number(row.offset),
        length: Number(row.length),
      }));
  }

  files(no: number): FileRow[] {
    return this.prepare("SELECT path, how, first FROM files WHERE no = ? ORDER BY first, path, how")
      .all(no)
      .map((row) => ({ path: String(row.path), how: String(row.how) as FileUse, first: Number(row.first) }));
  }

  commits(no: number): CommitRow[] {
    return this.prepare("SELECT first, sha, subject FROM commits WHERE no = ? ORDER BY first, sha")
      .all(no)
      .map((row) => ({ first: Number(row.first), sha: String(row.sha), subject: String(row.subject) }));
  }

  shellRuns(filter: ConversationFilter, containing: string, limit: number): ShellRun[] {
    return readShellRuns((sql) => this.prepare(sql), filter, containing, limit);
  }

  fileCounts(nos: readonly number[]): Map<number, { files: number; commits: number }> {
    const counts = new Map<number, { files: number; commits: number }>();
    const files = this.prepare("SELECT count(DISTINCT path) n FROM files WHERE no = ? AND how = 'edited'");
    const commits = this.prepare("SELECT count(*) n FROM commits WHERE no = ?");
    for (const no of nos) {
      counts.set(no, { files: Number(files.get(no)?.n ?? 0), commits: Number(commits.get(no)?.n ?? 0) });
    }
    return counts;
  }

  stamps(): Map<string, string> {
    const statement = this.prepare("SELECT source, path, stamp FROM containers");
    // Every command asks for these: a list for each row takes less time than an object.
    statement.setReturnArrays(true);
    const rows = statement.all() as unknown as [source: string, path: string, stamp: string][];
    return new Map(rows.map(([source, path, stamp]) => [containerKey(source, path), stamp]));
  }

  containerState(source: string, path: string): string | null {
    const row = this.prepare("SELECT state FROM containers WHERE source = ? AND path = ?").get(source, path);
    return typeof row?.state === "string" ? row.state : null;
  }

  archiveSizes(): Map<string, { no: number; bytes: number }> {
    const rows = this.prepare("SELECT no, archive, archive_bytes FROM conversations").all();
    return new Map(rows.map((row) => [String(row.archive), { no: Number(row.no), bytes: Number(row.archive_bytes) }]));
  }

  archivedConversations(): ArchivedRow[] {
    return this.prepare(
      "SELECT no, source, id, title, messages, origin, meta ->> '$.headless' AS headless, archive, archive_bytes FROM conversations ORDER BY archive",
    )
      .all()
      .map((row) => ({
        no: Number(row.no),
        source: String(row.source),
        id: String(row.id),
        title: String(row.title),
        messages: Number(row.messages),
        origin: typeof row.origin === "string" ? row.origin : null,
        headless: row.headless === 1,
        archive: String(row.archive),
        bytes: Number(row.archive_bytes),
      }));
  }

  malformed(): { source: string; path: string; malformed: number }[] {
    return this.prepare(
      "SELECT source, path, malformed FROM containers WHERE malformed > 0 ORDER BY malformed DESC, path",
    )
      .all()
      .map((row) => ({ source: String(row.source), path: String(row.path), malformed: Number(row.malformed) }));
  }

  leftOut(): { source: string; path: string; reasons: Record<string, number> }[] {
    const rows = this.prepare(
      "SELECT source, path, left_out FROM containers WHERE left_out IS NOT NULL ORDER BY source, path",
    ).all();
    return rows.map((row) => ({
      source: String(row.source),
      path: String(row.path),
      reasons: JSON.parse(String(row.left_out)) as Record<string, number>,
    }));
  }

  failedContainers(): { source: string; path: string; error: string }[] {
    const rows = this.prepare(
      "SELECT source, path, error FROM containers WHERE error IS NOT NULL ORDER BY source, path",
    ).all();
    return rows.map((row) => ({ source: String(row.source), path: String(row.path), error: String(row.error) }));
  }

  vectorCoverage(): VectorCoverage {
    return readCoverage((sql) => this.prepare(sql));
  }

  vectorGap(model: VectorModel, most: number): VectorGap | undefined {
    return findGap((sql) => this.prepare(sql), model, most);
  }

  getValue(key: string): string | undefined {
    const row = this.prepare("SELECT value FROM meta WHERE key = ?").get(key);
    return row ? String(row.value) : undefined;
  }

  searchTexts(
    query: TermQuery,
    filter: ConversationFilter,
    limit: number,
    offset: number,
    accept?: (no: number, index: number | null) => boolean,
  ): TextHits {
    return this.#textIndex.search(query, filter, limit, offset, accept);
  }

  bestTexts(query: TermQuery, filter: ConversationFilter, limit: number): TextHit[] {
    return this.#textIndex.best(query, filter, limit);
  }

  holders(terms: readonly string[], query: TermQuery, filter: ConversationFilter): Holder[] {
    return this.#textIndex.holders(terms, query, filter);
  }

  countRoles(
    query: TermQuery,
    filter: ConversationFilter,
    nos: readonly number[],
    accept?: (no: number, index: number | null) => boolean,
  ): Map<Role, number> {
    return this.#textIndex.countRoles(query, filter, nos, accept);
  }

  explain(query: TermQuery, no: number, index: number): TermShare[] {
    return this.#textIndex.explain(query, no, index);
  }

  countTerms(terms: readonly string[]): TermCounts {
    return this.#textIndex.countTerms(terms);
  }

  nearTerms(term: string): { term: string; no: number; index: number }[] {
    return this.#textIndex.nearTerms(term);
  }

  get #textIndex(): TextIndex<ConversationFilter> {
    const { source, catalogue } = this.texts;
    this.#texts ??= new TextIndex(source, catalogue);
    return this.#texts;
  }

  get texts(): IndexedTexts<ConversationFilter> {
    const prepare = (sql: string): StatementSync => this.prepare(sql);
    return { source: new SqliteSegmentSource(prepare), catalogue: conversationCatalogue(prepare) };
  }

  searchMessages(query: TermQuery, filter: ConversationFilter, limit: number): MessageHit[] {
    return this.#textIndex.searchMessages(query, filter, limit);
  }

  protected one(condition: string, ...values: SqlValue[]): ConversationRow | undefined {
    return this.many(condition, 1, ...values)[0];
  }

  protected many(condition: string, limit: number, ...values: SqlValue[]): ConversationRow[] {
    return this.prepare(
      `SELECT ${CONVERSATION_COLUMNS} FROM conversations WHERE ${condition} ORDER BY updated DESC, id LIMIT ?`,
    )
      .all(...values, limit)
      .map(conversationRow);
  }
}

export function containerKey(source: string, path: string): string {
  return `${source}\0${path}`;
}
