/**
 * Reads documentation. The scope is a condition of every statement here, and the index of texts knows only owners
 * inside it: a document cannot be reached in any other way.
 */
import type { DatabaseSync } from "node:sqlite";
import { zstdDecompressSync } from "node:zlib";
import type { DocumentFormat } from "../../../documents/model.ts";
import { errorMessage } from "../../../kernel/errors.ts";
import type { TermCounts, TermShare } from "../../../ranking/hits.ts";
import type { Catalogue } from "../../../ranking/ports.ts";
import type { TermQuery, VectorModel } from "../../../ranking/query.ts";
import type { AcceptSlot } from "../../../ranking/scores/grouping.ts";
import { TextIndex } from "../../../ranking/text_index.ts";
import { WordOrder } from "../../../text/terms/word_order.ts";
import type {
  ChunkHits,
  ChunkRow,
  CollectionRow,
  DocumentFilter,
  DocumentReader,
  DocumentRow,
  DocumentScope,
  SectionRow,
} from "../../documents.ts";
import type { VectorCoverage, VectorGap } from "../../vector_gaps.ts";
import { Connection } from "../connection.ts";
import type { SqlValue } from "../index/rows.ts";
import { SqliteSegmentSource } from "../texts/source.ts";
import { findGap, readCoverage } from "../texts/vector_gaps.ts";

/** Larger than any document that a sync accepts. */
const MAX_TEXT_BYTES = 1 << 30;
/** Cached uncompressed texts of documents: chunks of one document are mostly read one after another. */
const MAX_CACHED_TEXTS = 8;

const COLUMNS = "no, collection, path, title, description, format, hash, bytes, tokens, sections, updated, location";

export class SqliteDocumentReader extends Connection implements DocumentReader {
  readonly #scope: string | null;
  #index: TextIndex<DocumentFilter> | undefined;
  #cachedTexts = new Map<number, string>();
  readonly #order = new WordOrder();

  constructor(database: DatabaseSync, scope: DocumentScope = {}) {
    super(database);
    this.#scope = scope.collections === undefined ? null : JSON.stringify(scope.collections);
  }

  /** Call it after a write of its own; writes of other connections are noticed without it. */
  protected forget(): void {
    this.#index = undefined;
    this.#cachedTexts.clear();
  }

  collections(): CollectionRow[] {
    return this.prepare(
      `SELECT id, source, synced, failed, count(d.no) documents, coalesce(sum(d.tokens), 0) tokens,
         coalesce(sum(d.bytes), 0) bytes
       FROM collections c LEFT JOIN documents d ON d.collection = c.id
       WHERE (?1 IS NULL OR c.id IN (SELECT value FROM json_each(?1))) GROUP BY c.id ORDER BY c.id`,
    )
      .all(this.#scope)
      .map((row) => ({
        id: String(row.id),
        source: String(row.source),
        documents: Number(row.documents),
        tokens: Number(row.tokens),
        bytes: Number(row.bytes),
        synced: row.synced === null ? null : Number(row.synced),
        failed: Number(row.failed),
      }));
  }

  documents(filter: DocumentFilter, limit: number, offset: number): DocumentRow[] {
    const where = this.#where(filter);
    return this.#rows(`${where.sql} ORDER BY collection, path LIMIT ? OFFSET ?`, ...where.values, limit, offset);
  }

  countDocuments(filter: DocumentFilter): number {
    const where = this.#where(filter);
    return Number(this.prepare(`SELECT count(*) n FROM documents d WHERE ${where.sql}`).get(...where.values)?.n ?? 0);
  }

  document(no: number): DocumentRow | undefined {
    const where = this.#where({ no });
    return this.#rows(where.sql, ...where.values)[0];
  }

  findDocuments(path: string, filter: DocumentFilter, limit: number): DocumentRow[] {
    const where = this.#where(filter);
    const find = (condition: string): DocumentRow[] =>
      this.#rows(`${where.sql} AND ${condition} ORDER BY collection, path LIMIT ?`, ...where.values, path, path, limit);
    const exact = find("(path = ? AND ? IS NOT NULL)");
    if (exact.length > 0) return exact;
    const ending = find("substr(path, -length(?) - 1) = '/' || ?");
    if (ending.length > 0) return ending;
    // A title, or a path with an inexact case or extension.
    return find("(title = ? COLLATE NOCASE OR instr('/' || lower(path), '/' || lower(?) || '.') > 0)");
  }

  sections(no: number): SectionRow[] {
    if (!this.document(no)) return [];
    return this.prepare(
      "SELECT i, heading, level, path, slug, anchors, first_line, last_line, tokens FROM sections WHERE no = ? ORDER BY i",
    )
      .all(no)
      .map((row) => ({
        index: Number(row.i),
        heading: String(row.heading),
        level: Number(row.level),
        path: JSON.parse(String(row.path)) as string[],
        slug: String(row.slug),
        anchors: JSON.parse(String(row.anchors)) as string[],
        first_line: Number(row.first_line),
        last_line: Number(row.last_line),
        tokens: Number(row.tokens),
      }));
  }

  text(no: number): string {
    if (!this.document(no)) return "";
    const kept = this.#cachedTexts.get(no);
    if (kept !== undefined) return kept;
    const packed = this.prepare("SELECT text FROM texts WHERE no = ?").get(no)?.text;
    if (!(packed instanceof Uint8Array)) return "";
    const text = zstdDecompressSync(packed, { maxOutputLength: MAX_TEXT_BYTES }).toString("utf8");
    const oldest = this.#cachedTexts.size >= MAX_CACHED_TEXTS ? this.#cachedTexts.keys().next().value : undefined;
    if (oldest !== undefined) this.#cachedTexts.delete(oldest);
    this.#cachedTexts.set(no, text);
    return text;
  }

  chunks(no: number): ChunkRow[] {
    if (!this.document(no)) return [];
    return this.prepare("SELECT chunk, section, first_line, last_line FROM chunks WHERE no = ? ORDER BY chunk")
      .all(no)
      .map(chunkRow);
  }

  chunkText(no: number, chunk: number): string {
    if (!this.document(no)) return "";
    const row = this.prepare("SELECT start, length, text FROM chunks WHERE no = ? AND chunk = ?").get(no, chunk);
    if (!row) return "";
    if (typeof row.text === "string") return row.text;
    const start = Number(row.start);
    return this.text(no).slice(start, start + Number(row.length));
  }

  searchChunks(query: TermQuery, filter: DocumentFilter, limit: number, accept?: AcceptSlot): ChunkHits {
    const { hits, total, dropped } = this.#texts.searchSlots(query, filter, limit, accept);
    const place = this.prepare("SELECT chunk, section, first_line, last_line FROM chunks WHERE no = ? AND chunk = ?");
    return {
      hits: hits.flatMap(({ no, index, score, words, cosine, evidence }) => {
        const row = place.get(no, index);
        return row ? [{ no, ...chunkRow(row), score, words, cosine, evidence }] : [];
      }),
      total,
      dropped: dropped.flatMap(({ no, index, cosine, reason }) =>
        index === null ? [] : [{ no, chunk: index, cosine, reason }],
      ),
    };
  }

  explain(query: TermQuery, no: number, chunk: number): TermShare[] {
    return this.#texts.explain(query, no, chunk);
  }

  countTerms(terms: readonly string[], filter?: DocumentFilter): TermCounts {
    return this.#texts.countTerms(terms, filter);
  }

  nearTerms(term: string): { term: string; no: number; index: number }[] {
    return this.#texts.nearTerms(term);
  }

  hashes(collection: string): Map<string, string> {
    const where = this.#where({ collections: [collection] });
    const rows = this.prepare(`SELECT path, hash FROM documents d WHERE ${where.sql} ORDER BY path`).all(
      ...where.values,
    );
    return new Map(rows.map((row) => [String(row.path), String(row.hash)]));
  }

  sourceState(collection: string): string | undefined {
    const row = this.prepare(
      "SELECT state FROM collections WHERE id = ?2 AND (?1 IS NULL OR id IN (SELECT value FROM json_each(?1)))",
    ).get(this.#scope, collection);
    return typeof row?.state === "string" ? row.state : undefined;
  }

  vectorCoverage(): VectorCoverage {
    return readCoverage(this.prepare);
  }

  vectorGap(model: VectorModel, maxTexts: number): VectorGap | undefined {
    return findGap(this.prepare, model, maxTexts);
  }

  integrity(): string {
    try {
      return String(this.prepare("PRAGMA quick_check(1)").get()?.quick_check ?? "no answer");
    } catch (error) {
      return errorMessage(error);
    }
  }

  get #texts(): TextIndex<DocumentFilter> {
    this.#index ??= new TextIndex(new SqliteSegmentSource(this.prepare), this.#catalogue());
    return this.#index;
  }

  #catalogue(): Catalogue<DocumentFilter> {
    const within = this.#where({});
    const only = (): ReadonlySet<number> => {
      const rows = this.prepare(`SELECT no FROM documents d WHERE ${within.sql}`).all(...within.values);
      return new Set(rows.map((row) => Number(row.no)));
    };
    return {
      ...(this.#scope === null ? {} : { only }),
      extent: () => {
        const row = this.prepare(
          `SELECT count(*) n, coalesce(max(no), 0) largest FROM documents d WHERE ${within.sql}`,
        ).get(...within.values);
        return { count: Number(row?.n ?? 0), largest: Number(row?.largest ?? 0) };
      },
      ownerOf: (no) => {
        const row = this.prepare(
          `SELECT updated, collection, path FROM documents d WHERE ${within.sql} AND no = ?`,
        ).get(...within.values, no);
        return row && { updated: Number(row.updated), id: `${row.collection}\0${row.path}` };
      },
      passing: (filter) => {
        const where = this.#where(filter);
        const rows = this.prepare(`SELECT no FROM documents d WHERE ${where.sql}`).all(...where.values);
        return rows.map((row) => Number(row.no));
      },
      boosts: () => new Map(),
      order: (no, chunk) => this.#order.of(this.chunkText(no, chunk)),
    };
  }

  /** The scope, and the conditions inside it. */
  #where({ collections, no, not }: DocumentFilter): { sql: string; values: SqlValue[] } {
    const conditions = ["(? IS NULL OR d.collection IN (SELECT value FROM json_each(?)))"];
    const values: SqlValue[] = [this.#scope, this.#scope];
    if (collections !== undefined) {
      conditions.push("d.collection IN (SELECT value FROM json_each(?))");
      values.push(JSON.stringify(collections));
    }
    if (no !== undefined) {
      conditions.push("d.no = ?");
      values.push(no);
    }
    if (not !== undefined) {
      conditions.push("d.no != ?");
      values.push(not);
    }
    return { sql: conditions.join(" AND "), values };
  }

  #rows(condition: string, ...values: SqlValue[]): DocumentRow[] {
    return this.prepare(`SELECT ${COLUMNS} FROM documents d WHERE ${condition}`)
      .all(...values)
      .map(documentRow);
  }
}

type SqlRow = Record<string, unknown>;

function documentRow(row: SqlRow): DocumentRow {
  return {
    no: Number(row.no),
    collection: String(row.collection),
    path: String(row.path),
    title: String(row.title),
    description: row.description === null ? null : String(row.description),
    format: String(row.format) as DocumentFormat,
    hash: String(row.hash),
    bytes: Number(row.bytes),
    tokens: Number(row.tokens),
    sections: Number(row.sections),
    updated: Number(row.updated),
    location: String(row.location),
  };
}

function chunkRow(row: SqlRow): ChunkRow {
  return {
    chunk: Number(row.chunk),
    section: Number(row.section),
    first_line: Number(row.first_line),
    last_line: Number(row.last_line),
  };
}
