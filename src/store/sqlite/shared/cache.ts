/**
 * The cache of a team's index, which reads like an index: what a question needs and is not here is noted, fetched by the
 * caller, and the question asked again.
 */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { ensureFolder } from "../../../kernel/files/atomic_write.ts";
import type { Catalogue, IndexedTexts } from "../../../ranking/ports.ts";
import { SLOTS, TITLE_SLOT } from "../../../ranking/segment.ts";
import type { TermBlock } from "../../../ranking/terms/blocks.ts";
import type { ArchiveBlock } from "../../archive/archive.ts";
import type { ConversationFilter, ConversationRow, IndexTotals, MessageRow } from "../../ports.ts";
import { addMiss, type Misses, noMisses } from "../../shared/misses.ts";
import { unpackDetails } from "../../shared/packing.ts";
import { DOCUMENTS_PER_DETAIL, type SharedEntry } from "../../shared/segment.ts";
import type { BucketUpdate } from "../../shared/updates.ts";
import { atOnce } from "../connection.ts";
import { conversationCatalogue } from "../index/catalogue.ts";
import { SqliteReader } from "../index/reader.ts";
import { openRebuildable } from "../rebuildable.ts";
import { wordsOf } from "../texts/vector_blocks.ts";
import { FetchedParts } from "./fetched.ts";
import { applyUpdate, archiveFile, type CachePlaces, cachedSegments, dropBucket, entryOf } from "./filling.ts";
import { CACHE_FILE } from "./notes.ts";
import { groupOf, insertDetails, sizeOfDetails } from "./rows.ts";
import { CACHE } from "./schema.ts";
import { CachedSource } from "./source.ts";

/** The cache in this folder; a new one if there is none that this version can read. */
export function openCache(places: CachePlaces): SharedCache {
  ensureFolder(places.folder);
  const { database } = openRebuildable(CACHE, join(places.folder, CACHE_FILE), "write");
  database.exec("PRAGMA secure_delete = ON");
  return new SharedCache(database, places);
}

export class SharedCache extends SqliteReader {
  readonly #places: CachePlaces;
  #misses = noMisses();
  #hidden: ReadonlySet<number> = new Set();
  #version = 1;
  readonly #source: CachedSource;
  readonly #fetched = new FetchedParts((sql) => this.prepare(sql));

  constructor(database: DatabaseSync, places: CachePlaces) {
    super(database);
    this.#places = places;
    const state = { misses: () => this.#misses, hidden: () => this.#hidden, version: () => this.#version };
    this.#source = new CachedSource((sql) => this.prepare(sql), state, this.#fetched);
  }

  get misses(): Misses {
    return this.#misses;
  }

  /** Empties the list of missing parts. */
  clearMisses(): void {
    this.#misses = noMisses();
  }

  /** Leaves out one's own conversations that this home has itself, and those that the server no longer has. */
  hide(isLocal: (source: string, id: string) => boolean): void {
    const own = this.prepare(
      "SELECT c.no, c.source, c.id FROM conversations c JOIN shared_conversations s ON s.no = c.no WHERE s.own = 1",
    ).all();
    const unknown = this.prepare(
      "SELECT no FROM shared_numbers WHERE no NOT IN (SELECT no FROM shared_conversations)",
    ).all();
    const hidden = new Set(unknown.map(({ no }) => Number(no)));
    for (const { no, source, id } of own) if (isLocal(String(source), String(id))) hidden.add(Number(no));
    const same = hidden.size === this.#hidden.size && [...hidden].every((no) => this.#hidden.has(no));
    this.#hidden = hidden;
    if (!same) this.#version += 1;
  }

  /** Where this home has the shared projects: their conversations then belong to those folders. */
  place(roots: ReadonlyMap<string, string>): void {
    for (const [scope, root] of roots) {
      const elsewhere = "project IS NOT ? AND no IN (SELECT no FROM shared_conversations WHERE scope = ?)";
      if (!this.prepare(`SELECT 1 FROM conversations WHERE ${elsewhere} LIMIT 1`).get(root, scope)) continue;
      this.prepare(`UPDATE conversations SET project = ? WHERE ${elsewhere}`).run(root, root, scope);
      this.#version += 1;
    }
  }

  override get texts(): IndexedTexts<ConversationFilter> {
    const catalogue = conversationCatalogue((sql) => this.prepare(sql));
    const shared: Catalogue<ConversationFilter> = {
      ...catalogue,
      passing: ({ owner, ...filter }) => {
        const passing = catalogue.passing(filter);
        if (owner === undefined) return passing;
        const theirs = new Set(
          this.prepare("SELECT no FROM shared_conversations WHERE owner = ?")
            .all(owner)
            .map(({ no }) => Number(no)),
        );
        return passing ? [...passing].filter((no) => theirs.has(no)) : theirs;
      },
      order: (no, slot) => this.wordOrder(no, slot),
    };
    return { source: this.#source, catalogue: shared };
  }

  override byNo(no: number): ConversationRow | undefined {
    const row = this.#hidden.has(no) ? undefined : super.byNo(no);
    return row && this.#withOrigin(row);
  }

  override totals(): IndexTotals {
    const totals = super.totals();
    const hidden = [...this.#hidden].flatMap((no) => super.byNo(no) ?? []);
    const sources = { ...totals.sources };
    for (const { source } of hidden) sources[source] = (sources[source] ?? 0) - 1;
    return {
      ...totals,
      conversations: totals.conversations - hidden.length,
      messages: totals.messages - hidden.reduce((sum, { messages }) => sum + messages, 0),
      tokens: totals.tokens - hidden.reduce((sum, { tokens }) => sum + tokens, 0),
      sources,
    };
  }

  override list(filter: ConversationFilter, limit: number, offset: number): ConversationRow[] {
    const { owner, ...others } = filter;
    const rows = super.list(others, limit + offset + this.#hidden.size, 0).flatMap((row) => this.byNo(row.no) ?? []);
    return rows.filter(({ team }) => owner === undefined || team?.owner === owner).slice(offset, offset + limit);
  }

  override count(filter: ConversationFilter): number {
    const passing = this.texts.catalogue.passing(filter);
    if (!passing) return super.count({}) - this.#hidden.size;
    return [...passing].filter((no) => !this.#hidden.has(no)).length;
  }

  override ids(): { source: string; id: string }[] {
    return this.prepare("SELECT no, source, id FROM conversations ORDER BY id")
      .all()
      .filter(({ no }) => !this.#hidden.has(Number(no)))
      .map(({ source, id }) => ({ source: String(source), id: String(id) }));
  }

  override idNeighbours(id: string): { same: number; before: string; after: string } {
    const found = super.idNeighbours(id);
    const numbers = this.prepare("SELECT no FROM conversations WHERE id = ?").all(id);
    return { ...found, same: numbers.filter(({ no }) => !this.#hidden.has(Number(no))).length };
  }

  protected override many(condition: string, limit: number, ...values: (string | number | null)[]): ConversationRow[] {
    return super
      .many(condition, limit + this.#hidden.size, ...values)
      .filter(({ no }) => !this.#hidden.has(no))
      .map((row) => this.#withOrigin(row))
      .slice(0, limit);
  }

  #withOrigin(row: ConversationRow): ConversationRow {
    const origin = this.prepare("SELECT owner, machine, scope FROM shared_conversations WHERE no = ?").get(row.no);
    if (!origin) return row;
    const team = { owner: String(origin.owner), machine: String(origin.machine), scope: String(origin.scope) };
    return { ...row, team };
  }

  override wordOrder(no: number, index: number): Uint16Array | undefined {
    if (index !== TITLE_SLOT) this.#needDetails(no, index, index + 1);
    return super.wordOrder(no, index);
  }

  override messages(no: number, from = 0, to = SLOTS - 1): MessageRow[] {
    this.#needDetails(no, from, Math.min(to, TITLE_SLOT));
    return super.messages(no, from, to);
  }

  /** Only blocks whose bytes are here; the others are noted. */
  override blocks(no: number, from?: number, to?: number): ArchiveBlock[] {
    const held = this.prepare("SELECT 1 FROM held_blocks WHERE no = ? AND offset = ?");
    return super.blocks(no, from, to).filter(({ offset, length }) => {
      if (held.get(no, offset)) {
        this.#fetched.touch("archive", no, "");
        return true;
      }
      const missing = this.#misses.blocks.get(no) ?? new Map<number, number>();
      this.#misses.blocks.set(no, missing.set(offset, length));
      return false;
    });
  }

  #needDetails(no: number, from: number, to: number): void {
    const runs = this.prepare(
      "SELECT segment, document, slot, count FROM shared_runs WHERE no = ? AND slot < ? AND slot + count > ?",
    ).all(no, to, from);
    const held = this.prepare("SELECT 1 FROM held_details WHERE segment = ? AND first = ?");
    for (const run of runs) {
      const [segment, document, slot, count] = [run.segment, run.document, run.slot, run.count].map(Number) as [
        number,
        number,
        number,
        number,
      ];
      const first = document + Math.max(0, from - slot);
      const last = document + Math.min(count, to - slot) - 1;
      for (let at = first - (first % DOCUMENTS_PER_DETAIL); at <= last; at += DOCUMENTS_PER_DETAIL) {
        if (held.get(segment, at)) this.#fetched.touch("detail", segment, at);
        else addMiss(this.#misses.details, segment, at);
      }
    }
  }

  versions(): Map<number, number> {
    const rows = this.prepare("SELECT bucket, version FROM buckets").all();
    return new Map(rows.map(({ bucket, version }) => [Number(bucket), Number(version)]));
  }

  segmentsOf(bucket: number): { id: number; segment: number }[] {
    return cachedSegments((sql) => this.prepare(sql), bucket);
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
    return row && entryOf((sql) => this.prepare(sql), Number(row.no));
  }

  groupOf(group: number): { segment: number; id: number } {
    return groupOf(group);
  }

  /** A number of dex's own, by name. */
  number(name: string): number | undefined {
    const value = this.getValue(name);
    return value === undefined ? undefined : Number(value);
  }

  setValue(name: string, value: number | string): void {
    this.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(name, String(value));
  }

  #write<T>(work: (prepare: (sql: string) => StatementSync) => T): T {
    return atOnce(this.database, () => work((sql) => this.prepare(sql)));
  }

  /** `visible`: all buckets that may be read now; everything of others is removed. */
  update(visible: readonly number[], updates: readonly BucketUpdate[]): void {
    const lost = [...this.versions().keys()].filter((bucket) => !visible.includes(bucket));
    if (lost.length + updates.length === 0) return;
    this.#write((prepare) => {
      for (const bucket of lost) dropBucket(prepare, this.#places, bucket);
      for (const update of updates) applyUpdate(prepare, this.#places, update);
    });
    this.#version += 1;
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
        this.#fetched.add("term", segment, first, data.length);
      }
      const term = prepare("INSERT OR REPLACE INTO held_terms (segment, term, first) VALUES (?, ?, ?)");
      for (const each of found) {
        term.run(each.segment, each.term, each.first);
        if (each.first === null) this.#fetched.add("absent", each.segment, each.term, each.term.length);
      }
    });
  }

  addGroups(groups: readonly { group: number; vectors: Uint8Array }[]): void {
    this.#write((prepare) => {
      const insert = prepare("INSERT OR REPLACE INTO vector_rows (id, vectors) VALUES (?, ?)");
      for (const { group, vectors } of groups) {
        insert.run(group, vectors);
        this.#fetched.add("group", group, "", vectors.length);
      }
    });
  }

  addDetails(details: readonly { segment: number; first: number; data: Uint8Array }[]): void {
    this.#write((prepare) => {
      const held = prepare("INSERT OR REPLACE INTO held_details (segment, first) VALUES (?, ?)");
      const placesOf = prepare("SELECT places FROM segments WHERE id = ?");
      const known = new Map<number, Uint32Array>();
      for (const { segment, first, data } of details) {
        const places = known.get(segment) ?? wordsOf(placesOf.get(segment)?.places);
        known.set(segment, places);
        const unpacked = unpackDetails(data);
        insertDetails(prepare, places, first, unpacked);
        held.run(segment, first);
        this.#fetched.add("detail", segment, first, sizeOfDetails(unpacked));
      }
    });
  }

  addBlocks(blocks: readonly { no: number; offset: number; data: Uint8Array }[]): void {
    this.#write((prepare) => {
      const held = prepare("INSERT OR REPLACE INTO held_blocks (no, offset) VALUES (?, ?)");
      for (const { no, offset, data } of blocks) {
        const path = archiveFile(this.#places, no);
        ensureFolder(dirname(path));
        const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
        try {
          writeSync(fd, data, 0, data.length, offset);
        } finally {
          closeSync(fd);
        }
        held.run(no, offset);
        this.#fetched.add("archive", no, "", data.length);
      }
    });
  }

  /** Bytes of the parts that questions fetched. */
  get fetchedBytes(): number {
    return this.#fetched.bytes;
  }

  /** After a question: deletes what was fetched and not used for the longest time, down to a limit. */
  trim(maxBytes: number): void {
    if (!this.#fetched.isNear(maxBytes)) return;
    if (this.#write(() => this.#fetched.trim(this.#places, maxBytes))) this.#version += 1;
  }
}
