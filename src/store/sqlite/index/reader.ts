/** Reads the rows of the index. */
import type { ConversationMeta } from "../../../conversations/model.ts";
import { BRANCH_MARK } from "../../../conversations/model.ts";
import type { Format } from "../../../conversations/render.ts";
import type { VectorModel } from "../../../ranking/query.ts";
import { SLOTS } from "../../../ranking/segment.ts";
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
import { emptyDatabase } from "../rebuildable.ts";
import { findGap, readCoverage } from "../texts/vector_gaps.ts";
import { numberOrNull } from "../values.ts";
import { readFailed, readLeftOut, readMalformed, readStamps, readState } from "./containers.ts";
import { CONVERSATION_COLUMNS, conversationRow, messageRow, type SqlValue, whereConversation } from "./rows.ts";
import { INDEX } from "./schema.ts";
import { SqliteTextSearch } from "./text_search.ts";
import { readOrder } from "./word_orders.ts";
import { readActivity } from "./work/activity.ts";
import { readRequests, readUnrecorded, readUsage } from "./work/requests.ts";
import { readShellRuns } from "./work/shell_runs.ts";
import { trailReader } from "./work/trail.ts";

export const TOKEN_COLUMNS = { full: "tokens", stripped: "tokens_stripped", user_only: "tokens_user" } as const;

/** An index without conversations. */
export function emptyIndex(): SqliteReader {
  return new SqliteReader(emptyDatabase(INDEX));
}

export class SqliteReader extends SqliteTextSearch implements IndexReader {
  /** Work of conversations on files and commits. */
  get trail(): TrailReader {
    return trailReader(this.prepare);
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
    return readActivity(this.prepare, filter);
  }

  usage(filter: ConversationFilter): UsageRow[] {
    return readUsage(this.prepare, filter);
  }

  requests(filter: ConversationFilter): RequestRow[] {
    return readRequests(this.prepare, filter);
  }

  unrecorded(filter: ConversationFilter): TextRow[] {
    return readUnrecorded(this.prepare, filter);
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
    return readOrder(this.prepare, no, index);
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

  files(no: number, how?: FileUse): FileRow[] {
    const condition = how === undefined ? "" : "AND how = ?";
    return this.prepare(`SELECT path, how, first FROM files WHERE no = ? ${condition} ORDER BY first, path, how`)
      .all(no, ...(how === undefined ? [] : [how]))
      .map((row) => ({ path: String(row.path), how: String(row.how) as FileUse, first: Number(row.first) }));
  }

  commits(no: number): CommitRow[] {
    return this.prepare("SELECT first, sha, subject FROM commits WHERE no = ? ORDER BY first, sha")
      .all(no)
      .map((row) => ({ first: Number(row.first), sha: String(row.sha), subject: String(row.subject) }));
  }

  shellRuns(filter: ConversationFilter, containing: readonly string[], limit: number): ShellRun[] {
    return readShellRuns(this.prepare, filter, containing, limit);
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

  stamps(): ReadonlyMap<string, string> {
    return readStamps(this.prepare);
  }

  containerState(source: string, path: string): string | null {
    return readState(this.prepare, source, path);
  }

  malformed(): { source: string; path: string; malformed: number }[] {
    return readMalformed(this.prepare);
  }

  leftOut(): { source: string; path: string; reasons: Record<string, number> }[] {
    return readLeftOut(this.prepare);
  }

  failedContainers(): { source: string; path: string; error: string }[] {
    return readFailed(this.prepare);
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

  vectorCoverage(): VectorCoverage {
    return readCoverage(this.prepare);
  }

  vectorGap(model: VectorModel, maxTexts: number): VectorGap | undefined {
    return findGap(this.prepare, model, maxTexts);
  }

  getValue(key: string): string | undefined {
    const row = this.prepare("SELECT value FROM meta WHERE key = ?").get(key);
    return row ? String(row.value) : undefined;
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
