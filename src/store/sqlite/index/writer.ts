/** Writes the index, inside one long transaction that is committed at safe moments. */
import type { DatabaseSync } from "node:sqlite";
import { SQLITE_FULL, sqliteCode } from "../../../kernel/errors.ts";
import type { VectorModel } from "../../../ranking/query.ts";
import { roleNumber, SLOTS, TITLE_SLOT } from "../../../ranking/segment.ts";
import { type ArchiveBlock, keepBefore } from "../../archive/archive.ts";
import type { ContainerRead, ConversationEntry, IndexWriter, MessageDigest, TitleDigest } from "../../index_writer.ts";
import type { ConversationRow } from "../../ports.ts";
import type { VectorGap } from "../../vector_gaps.ts";
import { wipeDeleted } from "../connection.ts";
import { openRebuildable } from "../rebuildable.ts";
import { deleteVectors } from "../texts/vector_blocks.ts";
import { writeGap } from "../texts/vector_gaps.ts";
import { TextWriter } from "../texts/writer.ts";
import { numberOrNull } from "../values.ts";
import { copyContainers, writeContainer } from "./containers.ts";
import { shownTitle, timesOf, titleDocument } from "./entry.ts";
import { forgetContainers, termsOnlyIn } from "./forgetting.ts";
import { SqliteReader } from "./reader.ts";
import { ENTRY_COLUMNS, MESSAGE_COLUMNS, rowChecksum } from "./row_checksums.ts";
import { INDEX } from "./schema.ts";
import { deleteOrders, writeOrder } from "./word_orders.ts";
import { deleteSums, requestWriter, sumUsage } from "./work/requests.ts";
import { shellRunWriter } from "./work/shell_runs.ts";

/** `created`: the index is new and empty. The caller holds the writer's lock. */
export function openIndexWriter(path: string): { writer: SqliteWriter; created: boolean } {
  const { database, created } = openRebuildable(INDEX, path, "write");
  return { writer: new SqliteWriter(database), created };
}

export class SqliteWriter extends SqliteReader implements IndexWriter {
  #nextNo: number;
  readonly #texts: TextWriter;

  constructor(database: DatabaseSync) {
    super(database);
    this.#texts = new TextWriter(database, this.prepare);
    // Rows of an interrupted sync may exist beyond the last conversation: their numbers are not used again.
    const row = this.prepare(
      `SELECT max(coalesce((SELECT max(no) FROM conversations), 0), coalesce((SELECT max(id) FROM messages), 0) / ${SLOTS}) n`,
    ).get();
    this.#nextNo = Number(row?.n ?? 0) + 1;
  }

  setModel(model: VectorModel | undefined): void {
    this.#texts.setModel(model);
  }

  find(source: string, id: string): ConversationRow | undefined {
    return this.one("source = ? AND id = ?", source, id);
  }

  hashes(no: number, from: number): Pick<MessageDigest, "hash" | "usage_hash">[] {
    return this.prepare("SELECT hash, usage_hash FROM messages WHERE id >= ? AND id < ? ORDER BY id")
      .all(no * SLOTS + from, no * SLOTS + TITLE_SLOT)
      .map((row) => ({ hash: Number(row.hash), usage_hash: Number(row.usage_hash) }));
  }

  family(source: string, key: string): ConversationRow[] {
    return this.many("source = ? AND family = ?", 1000, source, key);
  }

  forkOrigins(): Set<string> {
    const rows = this.prepare(
      "SELECT origin FROM conversations WHERE parent_kind = 'fork' AND origin IS NOT NULL",
    ).all();
    return new Set(rows.map((row) => String(row.origin)));
  }

  newNo(): number {
    const no = this.#nextNo;
    this.#nextNo += 1;
    return no;
  }

  cutFrom(no: number, from: number): void {
    this.transaction.begin();
    const low = no * SLOTS + from;
    const high = no * SLOTS + TITLE_SLOT;
    this.#texts.deleteTexts(no, from, TITLE_SLOT);
    this.prepare("DELETE FROM messages WHERE id >= ? AND id < ?").run(low, high);
    deleteOrders(this.prepare, no, from, TITLE_SLOT);
    this.prepare("DELETE FROM files WHERE no = ? AND first >= ?").run(no, from);
    this.prepare("DELETE FROM commits WHERE no = ? AND first >= ?").run(no, from);
    this.prepare("DELETE FROM shell_calls WHERE no = ? AND first >= ?").run(no, from);
    this.prepare("DELETE FROM shell_results WHERE no = ? AND first >= ?").run(no, from);
    this.prepare("DELETE FROM requests WHERE no = ? AND first >= ?").run(no, from);
    const kept = keepBefore(this.blocks(no), from);
    this.prepare("DELETE FROM blocks WHERE no = ?").run(no);
    for (const block of kept) this.#insertBlock(no, block);
  }

  addBlock(no: number, block: ArchiveBlock, digests: readonly MessageDigest[], names: readonly string[]): void {
    this.transaction.begin();
    this.#insertBlock(no, block);
    const message = this.prepare(
      `INSERT INTO messages (id, ${MESSAGE_COLUMNS}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const file = this.prepare("INSERT OR IGNORE INTO files (no, path, how, first) VALUES (?, ?, ?, ?)");
    const commit = this.prepare("INSERT OR IGNORE INTO commits (no, first, sha, subject) VALUES (?, ?, ?, ?)");
    const runs = shellRunWriter(this.prepare);
    const requests = requestWriter(this.prepare);
    let index = block.first;
    for (const d of digests) {
      const id = no * SLOTS + index;
      const row = [
        roleNumber(d.role),
        d.time,
        d.tokens,
        d.tokens_stripped,
        d.tokens_user,
        d.hash,
        d.usage_hash,
        d.head,
      ];
      message.run(id, ...row, rowChecksum(row));
      this.#texts.add(
        { no, slot: index, role: roleNumber(d.role), length: d.length, terms: d.terms, vectors: d.vectors },
        names,
      );
      writeOrder(this.prepare, no, index, d.order);
      for (const each of d.files) file.run(no, each.path, each.how, index);
      for (const each of d.commits) commit.run(no, index, each.sha, each.subject);
      runs(no, index, d);
      requests(no, index, d.requests);
      index += 1;
    }
  }

  finish(no: number, entry: ConversationEntry, title: TitleDigest): void {
    this.transaction.begin();
    const { meta } = entry;
    const sums = this.prepare(
      "SELECT count(*) n, coalesce(sum(tokens), 0) t, coalesce(sum(tokens_stripped), 0) s, coalesce(sum(tokens_user), 0) u, " +
        "min(time) a, max(time) z FROM messages WHERE id >= ? AND id < ?",
    ).get(no * SLOTS, no * SLOTS + TITLE_SLOT);
    const { created, updated } = timesOf(meta, numberOrNull(sums?.a), numberOrNull(sums?.z));
    const shown = shownTitle(meta, this.#firstPrompt(no));
    const known = this.prepare("SELECT meta FROM conversations WHERE no = ?").get(no);
    if (!known || this.storedMeta(no)?.title !== meta.title) {
      if (known) this.#deleteTitle(no);
      this.#addTitle(no, title);
    }
    const values = [
      meta.source,
      meta.id,
      shown,
      meta.project ?? null,
      meta.branch ?? null,
      meta.model ?? null,
      created,
      updated,
      Number(sums?.n ?? 0),
      Number(sums?.t ?? 0),
      Number(sums?.s ?? 0),
      Number(sums?.u ?? 0),
      meta.parent ?? null,
      meta.parent_kind ?? null,
      meta.family ?? null,
      JSON.stringify(meta),
      meta.origin ?? null,
      entry.archive,
      entry.archiveBytes,
    ];
    const columns = [...ENTRY_COLUMNS, "checksum"];
    const sql = known
      ? `UPDATE conversations SET ${columns.map((name) => `${name} = ?`).join(", ")} WHERE no = ?`
      : `INSERT INTO conversations (${columns.join(", ")}, no) VALUES (${"?, ".repeat(columns.length)}?)`;
    this.prepare(sql).run(...values, rowChecksum(values), no);
    sumUsage(this.prepare, no);
  }

  fillGap(model: VectorModel, gap: VectorGap, vectors: readonly (Int8Array | undefined)[]): boolean {
    this.transaction.begin();
    return writeGap(this.prepare, model, gap, vectors);
  }

  dropVectors(keeps: (model: VectorModel) => boolean): void {
    this.transaction.begin();
    deleteVectors(this.prepare, { except: keeps });
  }

  remove(no: number): void {
    this.cutFrom(no, 0);
    this.#deleteTitle(no);
    this.prepare("DELETE FROM conversations WHERE no = ?").run(no);
    deleteSums((sql) => this.prepare(sql), no);
  }

  termsOnlyIn(nos: ReadonlySet<number>): Set<string> {
    this.transaction.begin();
    this.#texts.flush();
    return termsOnlyIn(this.prepare, nos);
  }

  forgetContainers(nos: ReadonlySet<number>): void {
    this.transaction.begin();
    forgetContainers(this.prepare, nos);
  }

  purge(): void {
    this.transaction.begin();
    this.#texts.purge();
    this.commit();
    wipeDeleted(this.database);
  }

  removeOrphans(): void {
    this.transaction.begin();
    const orphans = this.prepare(
      `SELECT DISTINCT id / ${SLOTS} no FROM messages WHERE id / ${SLOTS} NOT IN (SELECT no FROM conversations)`,
    ).all();
    for (const row of orphans) this.remove(Number(row.no));
    const lost = this.prepare(
      "SELECT DISTINCT segment FROM vector_blocks WHERE segment NOT IN (SELECT id FROM segments)",
    ).all();
    for (const row of lost) deleteVectors(this.prepare, { segment: Number(row.segment) });
  }

  saveContainer(source: string, path: string, read: ContainerRead): void {
    writeContainer(this.write, source, path, read);
  }

  removeContainer(source: string, path: string): void {
    this.write("DELETE FROM containers WHERE source = ? AND path = ?").run(source, path);
  }

  dropContainer(path: string): void {
    this.write("DELETE FROM containers WHERE path = ?").run(path);
  }

  dropContainers(source: string): void {
    this.write("DELETE FROM containers WHERE source = ?").run(source);
  }

  copyContainers(otherIndex: string): void {
    this.commit();
    copyContainers(this.database, otherIndex);
  }

  setValue(key: string, value: string): void {
    this.write("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(key, value);
  }

  commit(): void {
    if (!this.transaction.open) return;
    this.#texts.settleForNow();
    this.transaction.commit();
  }

  join(progress?: (share: number) => void): void {
    if (!this.#texts.hasWritten) return;
    this.transaction.begin();
    try {
      this.#texts.join(progress);
      this.transaction.commit();
    } catch (error) {
      this.transaction.rollback();
      // A merge needs room for a second copy in the log. Everything is committed, so a full disk only leaves more segments.
      if (sqliteCode(error) !== SQLITE_FULL) throw error;
    }
  }

  rollback(): void {
    this.#texts.drop();
    this.transaction.rollback();
  }

  /** The first prompt is the title if the agent gave none. */
  #firstPrompt(no: number): string | undefined {
    const row = this.prepare(
      "SELECT head FROM messages WHERE id >= ? AND id < ? AND role = ? AND head != '' ORDER BY id LIMIT 1",
    ).get(no * SLOTS, no * SLOTS + TITLE_SLOT, roleNumber("user"));
    return row ? String(row.head) : undefined;
  }

  #deleteTitle(no: number): void {
    this.#texts.deleteTexts(no, TITLE_SLOT, SLOTS);
    deleteOrders(this.prepare, no, TITLE_SLOT, SLOTS);
  }

  #addTitle(no: number, title: TitleDigest): void {
    const { document, names } = titleDocument(no, title);
    this.#texts.add(document, names);
    writeOrder(this.prepare, no, TITLE_SLOT, title.order);
  }

  #insertBlock(no: number, block: ArchiveBlock): void {
    this.prepare("INSERT INTO blocks (no, first, count, offset, length) VALUES (?, ?, ?, ?, ?)").run(
      no,
      block.first,
      block.count,
      block.offset,
      block.length,
    );
  }
}
