/** Writing documentation, inside one transaction that is committed at safe moments: a kill leaves the last of them. */
import type { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import type { Chunk, ParsedDocument } from "../../documents/model.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { ChunkDigester, DocumentWriter, NewDocument } from "../documents.ts";
import { Transaction, wipeDeleted } from "./connection.ts";
import { SqliteDocumentReader } from "./documents.ts";
import { TextWriter } from "./text_writer.ts";

export class SqliteDocumentWriter extends SqliteDocumentReader implements DocumentWriter {
  readonly #digester: ChunkDigester;
  readonly #texts: TextWriter;
  /** Documents that leave the index of texts with the next commit: all at once, because each look there takes long. */
  readonly #gone = new Set<number>();
  readonly #transaction: Transaction;

  constructor(database: DatabaseSync, digester: ChunkDigester) {
    super(database);
    this.#transaction = new Transaction(database);
    this.#digester = digester;
    this.#texts = new TextWriter(database, (sql) => this.prepare(sql));
    this.#texts.setModel(digester.model);
  }

  put(collection: string, document: NewDocument): void {
    this.#transaction.begin();
    this.remove(collection, document.path);
    const { parsed } = document;
    const starts = lineStarts(parsed.text);
    const { lastInsertRowid } = this.prepare(
      "INSERT INTO documents (collection, path, title, description, format, hash, bytes, tokens, sections, updated, " +
        "location) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ).run(
      collection,
      document.path,
      parsed.title,
      parsed.description ?? null,
      parsed.format,
      document.hash,
      document.bytes,
      estimateTokens(parsed.text),
      parsed.sections.length,
      document.updated,
      document.location,
    );
    const no = Number(lastInsertRowid);
    this.prepare("INSERT INTO texts (no, text) VALUES (?, ?)").run(no, zstdCompressSync(parsed.text));
    this.#putSections(no, parsed, starts);
    this.#putChunks(no, document, starts);
  }

  remove(collection: string, path: string): void {
    const row = this.prepare("SELECT no FROM documents WHERE collection = ? AND path = ?").get(collection, path);
    if (row) this.#drop(Number(row.no));
  }

  removeCollection(collection: string): void {
    this.#transaction.begin();
    const rows = this.prepare("SELECT no FROM documents WHERE collection = ?").all(collection);
    for (const { no } of rows) this.#drop(Number(no));
    this.prepare("DELETE FROM collections WHERE id = ?").run(collection);
  }

  finish(collection: string, source: string, outcome: { at: number; failed: number; state?: string }): void {
    this.#transaction.begin();
    this.prepare("INSERT OR REPLACE INTO collections (id, source, synced, failed, state) VALUES (?, ?, ?, ?, ?)").run(
      collection,
      source,
      outcome.at,
      outcome.failed,
      outcome.state ?? null,
    );
  }

  purge(): void {
    this.#transaction.begin();
    this.#bury();
    this.#texts.purge();
    this.commit();
    wipeDeleted(this.database);
  }

  commit(): void {
    if (!this.#transaction.open) return;
    this.#bury();
    this.#texts.settle();
    this.#transaction.commit();
    this.forget();
  }

  rollback(): void {
    this.#texts.drop();
    this.#gone.clear();
    this.forget();
    this.#transaction.rollback();
  }

  #drop(no: number): void {
    this.#transaction.begin();
    this.#gone.add(no);
    for (const table of ["documents", "sections", "chunks", "texts"]) {
      this.prepare(`DELETE FROM ${table} WHERE no = ?`).run(no);
    }
  }

  #bury(): void {
    this.#texts.buryOwners(this.#gone);
    this.#gone.clear();
  }

  #putSections(no: number, { text, sections }: ParsedDocument, starts: readonly number[]): void {
    const insert = this.prepare(
      "INSERT INTO sections (no, i, heading, level, path, slug, anchors, first_line, last_line, tokens) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    for (const each of sections) {
      const own = text.slice(starts[each.first_line - 1], starts[each.last_line] ?? text.length);
      insert.run(
        no,
        each.index,
        each.heading,
        each.level,
        JSON.stringify(each.path),
        each.slug,
        JSON.stringify(each.anchors),
        each.first_line,
        each.last_line,
        estimateTokens(own),
      );
    }
  }

  #putChunks(no: number, { path, parsed, chunks }: NewDocument, starts: readonly number[]): void {
    const insert = this.prepare(
      "INSERT INTO chunks (no, chunk, section, first_line, last_line, start, length, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    );
    const digests = this.#digester.digest(path, parsed, chunks);
    const { names } = this.#digester;
    const digested = digests.entries();
    let from = 0;
    for (const [slot, digest] of digested) {
      const chunk = chunks[slot] as Chunk;
      const start = startOf(chunk, parsed.text, starts, from);
      from = start < 0 ? from : start + chunk.text.length;
      const { section, first_line, last_line, text } = chunk;
      insert.run(no, slot, section, first_line, last_line, start, text.length, start < 0 ? text : null);
      this.#texts.add({ no, slot, role: 0, ...digest }, names);
    }
  }
}

/** Where each line begins. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Where the chunk stands in its lines, -1 when it does not as it is. Pieces of one long line follow each other: the
 * search goes on behind the piece before.
 */
function startOf(
  { first_line, last_line, text: own }: Chunk,
  text: string,
  starts: readonly number[],
  from: number,
): number {
  const first = starts[first_line - 1] ?? text.length;
  const end = starts[last_line] ?? text.length;
  for (const begin of [Math.max(first, from), first]) {
    const start = text.slice(begin, end).indexOf(own);
    if (start >= 0) return begin + start;
  }
  return -1;
}
