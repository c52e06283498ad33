/**
 * Writes documentation, inside one transaction that is committed at safe moments: a kill loses only the work since the
 * last commit.
 */
import type { DatabaseSync } from "node:sqlite";
import type { VectorModel } from "../../../ranking/query.ts";
import type { DigestedDocument, DocumentWriter, NewDocument } from "../../documents.ts";
import type { VectorGap } from "../../vector_gaps.ts";
import { wipeDeleted } from "../connection.ts";
import { deleteVectors } from "../texts/vector_blocks.ts";
import { writeGap } from "../texts/vector_gaps.ts";
import { TextWriter } from "../texts/writer.ts";
import { SqliteDocumentReader } from "./reader.ts";

export class SqliteDocumentWriter extends SqliteDocumentReader implements DocumentWriter {
  readonly #texts: TextWriter;
  /**
   * Documents that the next commit removes from the index of texts: all at once, because each pass there takes long.
   */
  readonly #gone = new Set<number>();

  /** `model`: the model that makes the vectors of the documents that are put. */
  constructor(database: DatabaseSync, model: VectorModel | undefined) {
    super(database);
    this.#texts = new TextWriter(database, this.prepare);
    this.#texts.setModel(model);
  }

  put(collection: string, document: NewDocument): void {
    this.transaction.begin();
    this.remove(collection, document.path);
    const { digested } = document;
    const { lastInsertRowid } = this.prepare(
      "INSERT INTO documents (collection, path, title, description, format, hash, bytes, tokens, sections, updated, " +
        "location) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ).run(
      collection,
      document.path,
      digested.title,
      digested.description ?? null,
      digested.format,
      document.hash,
      document.bytes,
      digested.tokens,
      digested.sections.length,
      document.updated,
      document.location,
    );
    const no = Number(lastInsertRowid);
    this.prepare("INSERT INTO texts (no, text) VALUES (?, ?)").run(no, digested.text);
    this.#putSections(no, digested);
    this.#putChunks(no, digested);
  }

  remove(collection: string, path: string): void {
    const row = this.prepare("SELECT no FROM documents WHERE collection = ? AND path = ?").get(collection, path);
    if (row) this.#drop(Number(row.no));
  }

  removeCollection(collection: string): void {
    this.transaction.begin();
    const rows = this.prepare("SELECT no FROM documents WHERE collection = ?").all(collection);
    for (const { no } of rows) this.#drop(Number(no));
    this.prepare("DELETE FROM collections WHERE id = ?").run(collection);
  }

  finish(collection: string, source: string, outcome: { at: number; failed: number; state?: string }): void {
    this.write("INSERT OR REPLACE INTO collections (id, source, synced, failed, state) VALUES (?, ?, ?, ?, ?)").run(
      collection,
      source,
      outcome.at,
      outcome.failed,
      outcome.state ?? null,
    );
  }

  fillGap(model: VectorModel, gap: VectorGap, vectors: readonly (Int8Array | undefined)[]): boolean {
    this.transaction.begin();
    return writeGap(this.prepare, model, gap, vectors);
  }

  dropVectors(keeps: (model: VectorModel) => boolean): void {
    this.transaction.begin();
    deleteVectors(this.prepare, { except: keeps });
  }

  purge(): void {
    this.transaction.begin();
    this.#deleteTexts();
    this.#texts.purge();
    this.commit();
    wipeDeleted(this.database);
  }

  commit(): void {
    if (!this.transaction.open) return;
    this.#deleteTexts();
    this.#texts.settle();
    this.transaction.commit();
    this.forget();
  }

  rollback(): void {
    this.#texts.drop();
    this.#gone.clear();
    this.forget();
    this.transaction.rollback();
  }

  #drop(no: number): void {
    this.transaction.begin();
    this.#gone.add(no);
    for (const table of ["documents", "sections", "chunks", "texts"]) {
      this.prepare(`DELETE FROM ${table} WHERE no = ?`).run(no);
    }
  }

  #deleteTexts(): void {
    this.#texts.deleteOwners(this.#gone);
    this.#gone.clear();
  }

  #putSections(no: number, { sections }: DigestedDocument): void {
    const insert = this.prepare(
      "INSERT INTO sections (no, i, heading, level, path, slug, anchors, first_line, last_line, tokens) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    for (const { index, heading, level, path, slug, anchors, first_line, last_line, tokens } of sections) {
      const lists = [JSON.stringify(path), slug, JSON.stringify(anchors)] as const;
      insert.run(no, index, heading, level, ...lists, first_line, last_line, tokens);
    }
  }

  #putChunks(no: number, { chunks, names }: DigestedDocument): void {
    const insert = this.prepare(
      "INSERT INTO chunks (no, chunk, section, first_line, last_line, start, length, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    );
    for (const [slot, { section, first_line, last_line, start, length, text, digest }] of chunks.entries()) {
      insert.run(no, slot, section, first_line, last_line, start, length, text);
      this.#texts.add({ no, slot, role: 0, ...digest }, names);
    }
  }
}
