/**
 * The cache of a team's index. The caller fetches the parts that a question needs and the cache lacks, and asks the
 * question again.
 */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ensureFolder } from "../../../kernel/files/atomic_write.ts";
import type { TermBlock } from "../../../ranking/terms/blocks.ts";
import type { SharedEntry } from "../../shared/segment.ts";
import type { BucketUpdate } from "../../shared/updates.ts";
import { inTransaction, type Prepare } from "../connection.ts";
import { openRebuildable } from "../rebuildable.ts";
import { checkFetched, hasMessages } from "./checking.ts";
import {
  applyUpdate,
  archiveFile,
  type CachePlaces,
  cachedSegments,
  dropBucket,
  entryOf,
  refuseCached,
  refusedSegments,
} from "./filling.ts";
import { CACHE_FILE } from "./notes.ts";
import { SharedReader } from "./reader.ts";
import { bytesOfRow, firstGroup, GROUPS_PER_SEGMENT, groupOf } from "./rows.ts";
import { CACHE } from "./schema.ts";

/** The largest unpacked block of messages. */
const MAX_BLOCK_BYTES = 64 << 20;
const LOG_PAGES = 16_384;

/** The cache in this folder; a new one if there is none that this version can read. */
export function openCache(places: CachePlaces): SharedCache {
  ensureFolder(places.folder);
  const { database } = openRebuildable(CACHE, join(places.folder, CACHE_FILE), "write");
  // A question may fetch tens of megabytes: they are written back to the file when the cache is closed.
  database.exec(`PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
  return new SharedCache(database, places);
}

export class SharedCache extends SharedReader {
  readonly #places: CachePlaces;
  /** Members with texts that cannot be read. */
  readonly #damagedTexts = new Set<string>();

  constructor(database: DatabaseSync, places: CachePlaces) {
    super(database);
    this.#places = places;
  }

  /** Sets the local folders of the shared projects, to which their conversations then belong. */
  place(roots: ReadonlyMap<string, string>): void {
    for (const [scope, root] of roots) {
      const elsewhere = "project IS NOT ? AND no IN (SELECT no FROM shared_conversations WHERE scope = ?)";
      if (!this.prepare(`SELECT 1 FROM conversations WHERE ${elsewhere} LIMIT 1`).get(root, scope)) continue;
      this.prepare(`UPDATE conversations SET project = ? WHERE ${elsewhere}`).run(root, root, scope);
      this.changed();
    }
  }

  versions(): Map<number, number> {
    const rows = this.prepare("SELECT bucket, version FROM buckets").all();
    return new Map(rows.map(({ bucket, version }) => [Number(bucket), Number(version)]));
  }

  segmentsOf(bucket: number): { id: number; segment: number }[] {
    return cachedSegments(this.prepare, bucket);
  }

  /** Segments of a bucket that cannot be used, by their ids on the server. */
  refusedOf(bucket: number): number[] {
    return refusedSegments(this.prepare, bucket);
  }

  /** Members who wrote something that cannot be used, and that is left out. */
  refusedOwners(): string[] {
    const rows = this.prepare("SELECT DISTINCT owner FROM refused_segments").all();
    return [...new Set([...rows.map(({ owner }) => String(owner)), ...this.#damagedTexts])].sort();
  }

  /**
   * Checks everything that was fetched of each segment, and leaves out damaged segments. Returns whether there were
   * any.
   */
  refuseDamaged(): boolean {
    const damaged = this.prepare("SELECT id, documents FROM segments")
      .all()
      .map((row) => ({ id: Number(row.id), documents: Number(row.documents) }))
      .filter(({ id, documents }) => !this.#isWhole(id, documents));
    this.#write((prepare) => {
      for (const { id } of damaged) refuseCached(prepare, this.#places, id);
    });
    if (damaged.length > 0) this.changed();
    return damaged.length > 0;
  }

  #isWhole(id: number, documents: number): boolean {
    const blocks = this.prepare("SELECT first, data FROM term_blocks WHERE segment = ?").all(id);
    const details = this.prepare("SELECT data FROM held_details WHERE segment = ?").all(id);
    try {
      checkFetched(
        documents,
        blocks.map(({ first, data }) => ({ first: String(first), data: bytesOfRow(data) })),
        details.map(({ data }) => bytesOfRow(data)),
      );
      return true;
    } catch {
      return false;
    }
  }

  /** Where a segment comes from. */
  serverSegment(id: number): { bucket: number; segment: number } | undefined {
    const row = this.prepare("SELECT bucket, segment FROM shared_segments WHERE id = ?").get(id);
    return row && { bucket: Number(row.bucket), segment: Number(row.segment) };
  }

  serverConversation(no: number): { bucket: number; conv: number; generation: number } | undefined {
    const row = this.prepare("SELECT bucket, conv, generation FROM shared_numbers WHERE no = ?").get(no);
    return row && { bucket: Number(row.bucket), conv: Number(row.conv), generation: Number(row.generation) };
  }

  /** The segments of a bucket that have a document of the conversation, by their ids on the server. */
  segmentsWith(bucket: number, conv: number): number[] {
    return this.prepare(
      "SELECT DISTINCT s.segment FROM shared_numbers n JOIN shared_runs r ON r.no = n.no JOIN shared_segments s ON s.id = r.segment WHERE n.bucket = ? AND n.conv = ?",
    )
      .all(bucket, conv)
      .map(({ segment }) => Number(segment));
  }

  entry(bucket: number, conv: number): SharedEntry | undefined {
    const row = this.prepare("SELECT no FROM shared_numbers WHERE bucket = ? AND conv = ?").get(bucket, conv);
    return row && entryOf(this.prepare, Number(row.no));
  }

  groupOf(group: number): { segment: number; id: number } {
    return groupOf(group);
  }

  /** An internal number, by name. */
  number(name: string): number | undefined {
    const value = this.getValue(name);
    return value === undefined ? undefined : Number(value);
  }

  setValue(name: string, value: number | string): void {
    this.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(name, String(value));
  }

  #write<T>(work: (prepare: Prepare) => T): T {
    return inTransaction(this.database, () => work(this.prepare));
  }

  /** `visible`: all buckets that may be read now; everything of others is removed. */
  update(visible: readonly number[], updates: readonly BucketUpdate[]): void {
    const lost = [...this.versions().keys()].filter((bucket) => !visible.includes(bucket));
    if (lost.length + updates.length === 0) return;
    this.#write((prepare) => {
      for (const bucket of lost) dropBucket(prepare, this.#places, bucket);
      for (const update of updates) applyUpdate(prepare, this.#places, update);
    });
    this.changed();
  }

  /** `found`: for each term asked, the first term of its block; null if the segment has none. */
  addTerms(
    found: readonly { segment: number; term: string; first: string | null }[],
    blocks: readonly (TermBlock & { segment: number })[],
  ): void {
    this.#write((prepare) => {
      const block = prepare("INSERT OR REPLACE INTO term_blocks (segment, first, data) VALUES (?, ?, ?)");
      for (const { segment, first, data } of blocks) {
        block.run(segment, first, data);
        this.fetched.add("term", segment, first, data.length);
      }
      const term = prepare("INSERT OR REPLACE INTO held_terms (segment, term, first) VALUES (?, ?, ?)");
      for (const each of found) {
        term.run(each.segment, each.term, each.first);
        if (each.first === null) this.fetched.add("absent", each.segment, each.term, each.term.length);
      }
    });
    const fresh = new Map(blocks.map(({ segment, first, data }) => [`${segment} ${first}`, data]));
    for (const { segment, term, first } of found) this.source.keepTerm(segment, term, fresh.get(`${segment} ${first}`));
  }

  /** Segments of these projects that may be incomplete. */
  unheldSegments(scopes: readonly string[]): { id: number; bucket: number; segment: number }[] {
    return this.prepare(
      "SELECT s.id, s.bucket, s.segment FROM shared_segments s JOIN buckets b USING (bucket) WHERE b.scope IN (SELECT value FROM json_each(?)) AND s.id NOT IN (SELECT segment FROM held_segments) ORDER BY s.id",
    )
      .all(JSON.stringify(scopes))
      .map((row) => ({ id: Number(row.id), bucket: Number(row.bucket), segment: Number(row.segment) }));
  }

  /** All terms and vectors of a segment. */
  addWhole(
    segment: number,
    blocks: readonly TermBlock[],
    groups: readonly { id: number; vectors: Uint8Array }[],
  ): void {
    const shift = firstGroup(segment);
    this.addTerms(
      [],
      blocks.map((block) => ({ ...block, segment })),
    );
    const own = groups.filter(({ id }) => id >= 0 && id < GROUPS_PER_SEGMENT);
    this.#insertGroups(own.map(({ id, vectors }) => ({ group: shift + id, vectors })));
    this.prepare("INSERT OR REPLACE INTO held_segments (segment) VALUES (?)").run(segment);
    this.changed();
  }

  addGroups(groups: readonly { group: number; vectors: Uint8Array }[]): void {
    this.#insertGroups(groups);
    for (const { group, vectors } of groups) this.source.keepGroup(group, vectors);
  }

  #insertGroups(groups: readonly { group: number; vectors: Uint8Array }[]): void {
    this.#write((prepare) => {
      const insert = prepare("INSERT OR REPLACE INTO vector_rows (id, vectors) VALUES (?, ?)");
      for (const { group, vectors } of groups) {
        insert.run(group, vectors);
        this.fetched.add("group", group, "", vectors.length);
      }
    });
  }

  addDetails(details: readonly { segment: number; first: number; data: Uint8Array }[]): void {
    this.#write((prepare) => {
      const held = prepare("INSERT OR REPLACE INTO held_details (segment, first, data) VALUES (?, ?, ?)");
      for (const { segment, first, data } of details) {
        if (!this.#isReadable(segment, first, data)) continue;
        held.run(segment, first, data);
        this.fetched.add("detail", segment, first, data.length);
      }
    });
  }

  #isReadable(segment: number, first: number, data: Uint8Array): boolean {
    try {
      this.details.unpack(segment, first, data);
      return true;
    } catch {
      const row = this.prepare("SELECT owner FROM shared_segments WHERE id = ?").get(segment);
      this.#damagedTexts.add(String(row?.owner ?? ""));
      return false;
    }
  }

  addBlocks(blocks: readonly { no: number; offset: number; data: Uint8Array }[]): void {
    this.#write((prepare) => {
      const held = prepare("INSERT OR REPLACE INTO held_blocks (no, offset) VALUES (?, ?)");
      for (const { no, offset, data } of blocks) {
        if (!hasMessages(data, MAX_BLOCK_BYTES)) {
          const row = prepare("SELECT owner FROM shared_conversations WHERE no = ?").get(no);
          this.#damagedTexts.add(String(row?.owner ?? ""));
          continue;
        }
        const path = archiveFile(this.#places, no);
        ensureFolder(dirname(path));
        const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
        try {
          writeSync(fd, data, 0, data.length, offset);
        } finally {
          closeSync(fd);
        }
        held.run(no, offset);
        this.fetched.add("archive", no, "", data.length);
      }
    });
  }

  /** Bytes of the parts that questions fetched. */
  get fetchedBytes(): number {
    return this.fetched.bytes;
  }

  /** After a question: deletes the least recently used of the fetched parts, down to a limit. */
  trim(maxBytes: number): void {
    this.source.releaseFetched();
    if (!this.fetched.isNear(maxBytes)) return;
    if (this.#write(() => this.fetched.trim(this.#places, maxBytes))) this.changed();
  }
}
