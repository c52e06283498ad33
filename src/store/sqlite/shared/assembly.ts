/**
 * Assembles one segment of a team's index in memory: from digests of new messages and from segments that it replaces.
 * Conversations have the numbers of their bucket.
 */
import { DatabaseSync } from "node:sqlite";
import type { VectorModel } from "../../../ranking/query.ts";
import { markDeleted, roleNumber, type Segment, SLOTS, TITLE_SLOT } from "../../../ranking/segment.ts";
import type { MessageDigest, TitleDigest } from "../../index_writer.ts";
import { type Detail, type DetailRow, packDetails, unpackDetails } from "../../shared/details.ts";
import {
  combineEntries,
  DOCUMENTS_PER_DETAIL,
  type SharedEntry,
  type SharedSegment,
  type SharedVectors,
} from "../../shared/segment.ts";
import { Connection } from "../connection.ts";
import { titleDocument } from "../index/entry.ts";
import { INDEX } from "../index/schema.ts";
import { writeOrder } from "../index/word_orders.ts";
import { loadSegments, segmentChecksum } from "../texts/segments.ts";
import { TextWriter } from "../texts/writer.ts";
import { bytesOfRow, DETAIL_COLUMNS, firstGroup, INSERT_DETAIL, insertDetails, insertShared } from "./rows.ts";

export class SegmentAssembly extends Connection {
  readonly #texts: TextWriter;
  readonly #entries = new Map<number, SharedEntry>();
  /** By replaced segment: when each conversation got its title there. */
  readonly #titled = new Map<number, ReadonlyMap<number, number | null>>();
  #segments = 0;

  constructor(model: VectorModel | undefined) {
    const database = new DatabaseSync(":memory:");
    database.exec(INDEX.schema);
    super(database);
    this.#texts = new TextWriter(database, this.prepare);
    this.#texts.setModel(model);
  }

  /** Adds a segment that the new one replaces, in the order of their ids, without the conversations that are `gone`. */
  replace(segment: SharedSegment, gone: ReadonlySet<number>): void {
    this.transaction.begin();
    this.#segments += 1;
    const id = this.#segments;
    insertShared(this.prepare, id, segment, segment.places);
    for (const block of segment.terms) {
      this.prepare("INSERT INTO term_blocks (segment, first, data) VALUES (?, ?, ?)").run(id, block.first, block.data);
    }
    for (const { first, data } of segment.details) {
      insertDetails(this.prepare, segment.places, first, unpackDetails(data), gone);
    }
    const shift = firstGroup(id);
    for (const { id: group, vectors } of segment.groups) {
      this.prepare("INSERT INTO vector_rows (id, vectors) VALUES (?, ?)").run(shift + group, vectors);
    }
    this.#drop(id, (conv) => gone.has(conv));
    this.#titled.set(id, new Map(segment.entries.map(({ conv, titled }) => [conv, titled])));
    for (const entry of segment.entries) if (!gone.has(entry.conv)) this.#describe(entry);
  }

  /** Adds messages of a conversation; earlier documents of the same messages must not be here. */
  add(at: { conv: number; first: number }, digests: readonly MessageDigest[], names: readonly string[]): void {
    this.transaction.begin();
    const insert = this.prepare(INSERT_DETAIL);
    let slot = at.first;
    for (const digest of digests) {
      const { role, length, terms, vectors } = digest;
      this.#texts.add({ no: at.conv, slot, role: roleNumber(role), length, terms, vectors }, names);
      insert.run(at.conv * SLOTS + slot, ...detailRow(digest));
      writeOrder(this.prepare, at.conv, slot, digest.order);
      slot += 1;
    }
  }

  /** Describes a conversation; with a title where it is new or has changed. */
  describe(entry: SharedEntry, title: TitleDigest | undefined): void {
    this.transaction.begin();
    if (title) {
      const { document, names } = titleDocument(entry.conv, title);
      this.#texts.add(document, names);
      writeOrder(this.prepare, entry.conv, TITLE_SLOT, title.order);
    }
    this.#describe(entry);
  }

  #describe(entry: SharedEntry): void {
    const before = this.#entries.get(entry.conv);
    this.#entries.set(entry.conv, before ? combineEntries(before, entry) : entry);
  }

  /** Drops older titles: if a conversation has several, the last indexed one counts. */
  #dropOlderTitles(): void {
    for (const { id } of loadSegments(this.prepare)) {
      const titled = this.#titled.get(id);
      if (titled)
        this.#drop(id, (conv, slot) => slot === TITLE_SLOT && titled.get(conv) !== this.#entries.get(conv)?.titled);
    }
  }

  #drop(id: number, isGone: (conv: number, slot: number) => boolean): void {
    const segment = loadSegments(this.prepare).find((each) => each.id === id) as Segment;
    const { dead, gone, goneWords } = markDeleted(segment, isGone);
    if (gone === segment.gone) return;
    this.prepare("UPDATE segments SET dead = ?, gone = ?, gone_words = ? WHERE id = ?").run(dead, gone, goneWords, id);
  }

  /** The assembled segment; undefined if it has no document. */
  finish(): SharedSegment | undefined {
    this.transaction.begin();
    this.#texts.flush();
    this.#dropOlderTitles();
    this.#texts.purge();
    const [segment] = loadSegments(this.prepare);
    if (!segment) return undefined;
    const { documents, places, roles, lengths, words } = segment;
    // A merge numbers groups after those it replaces; in the segment they are counted from 0.
    const shift = Number(this.prepare("SELECT coalesce(min(id), 0) n FROM vector_rows").get()?.n ?? 0);
    const live = new Set<number>();
    for (let at = 0; at < places.length; at += 2) live.add(places[at] as number);
    return {
      documents,
      places,
      roles,
      lengths,
      words,
      checksum: segmentChecksum(segment),
      terms: this.prepare("SELECT first, data FROM term_blocks WHERE segment = ? ORDER BY first")
        .all(segment.id)
        .map((row) => ({ first: String(row.first), data: bytesOfRow(row.data) })),
      vectors: this.#vectors(segment.id, shift),
      groups: this.prepare("SELECT id, vectors FROM vector_rows ORDER BY id")
        .all()
        .map((row) => ({ id: Number(row.id) - shift, vectors: bytesOfRow(row.vectors) })),
      details: this.#details(places),
      entries: [...this.#entries.values()].filter(({ conv }) => live.has(conv)).sort((a, b) => a.conv - b.conv),
    };
  }

  #vectors(segment: number, shift: number): SharedVectors[] {
    return this.prepare(
      "SELECT model, dims, first, documents, owners, codes, base, checksum FROM vector_blocks WHERE segment = ? ORDER BY base",
    )
      .all(segment)
      .map((row) => ({
        model: String(row.model),
        dims: Number(row.dims),
        first: Number(row.first),
        documents: Number(row.documents),
        owners: bytesOfRow(row.owners),
        codes: bytesOfRow(row.codes),
        // A block without vectors has no group.
        base: Math.max(0, Number(row.base) - shift),
        checksum: Number(row.checksum),
      }));
  }

  #details(places: Uint32Array): SharedSegment["details"] {
    const row = this.prepare(`SELECT ${DETAIL_COLUMNS} FROM messages WHERE id = ?`);
    const order = this.prepare("SELECT codes FROM word_orders WHERE id = ?");
    const found: SharedSegment["details"] = [];
    for (let first = 0; first * 2 < places.length; first += DOCUMENTS_PER_DETAIL) {
      const details: Detail[] = [];
      for (
        let document = first;
        document < first + DOCUMENTS_PER_DETAIL && document * 2 < places.length;
        document += 1
      ) {
        const id = (places[document * 2] as number) * SLOTS + (places[document * 2 + 1] as number);
        const message = row.get(id);
        const codes = order.get(id)?.codes;
        details.push({
          row: message ? (Object.values(message) as unknown as DetailRow) : null,
          order: codes instanceof Uint8Array ? codes : null,
        });
      }
      found.push({ first, data: packDetails(details) });
    }
    return found;
  }
}

function detailRow(d: MessageDigest): DetailRow {
  return [roleNumber(d.role), d.time, d.tokens, d.tokens_stripped, d.tokens_user, d.hash, d.head];
}
