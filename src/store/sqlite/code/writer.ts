/** Writes a project's code store: everything written until `commit` is one transaction. The caller holds the lock. */
import type { DatabaseSync } from "node:sqlite";
import {
  type CodeWriter,
  type Edge,
  ENTITY_KINDS,
  type NewEntity,
  type NewFile,
  RELATIONS,
  RESOLUTIONS,
  type SkippedFile,
  type Unresolved,
} from "../../code.ts";
import { openRebuildable } from "../rebuildable.ts";
import { wordsOf } from "../texts/vector_blocks.ts";
import { TextWriter } from "../texts/writer.ts";
import { SqliteCodeFacts } from "./facts.ts";
import { CODE, CODE_VERSION, EDGE_INDEX, NAME_INDEX, type TableIndex } from "./schema.ts";
import { TotalsKeeper } from "./totals.ts";

export function openCodeWriter(path: string): SqliteCodeWriter {
  const { database, created } = openRebuildable(CODE, path, "write");
  return new SqliteCodeWriter(database, created);
}

/** Entities of one file. The number stays below the slot reserved for a title. */
const MAX_SLOTS = 1 << 20;

export class SqliteCodeWriter extends SqliteCodeFacts implements CodeWriter {
  readonly #texts: TextWriter;
  /** Nothing is committed yet. */
  #isNew: boolean;
  /** Indexes of a new store that are missing while their rows are written. */
  readonly #dropped = new Set<TableIndex>();
  #counts: TotalsKeeper;

  constructor(database: DatabaseSync, isNew: boolean) {
    super(database);
    this.#isNew = isNew;
    this.#texts = new TextWriter(database, this.prepare);
    this.#counts = new TotalsKeeper(this.totals());
  }

  needs(): Map<string, Uint32Array> {
    const rows = this.prepare("SELECT f.path, n.keys FROM needs n JOIN files f ON f.no = n.file").all();
    return new Map(rows.map((row) => [String(row.path), wordsOf(row.keys)]));
  }

  setNeeds(no: number, needs: Uint32Array): void {
    const keys = new Uint8Array(needs.buffer, needs.byteOffset, needs.byteLength);
    this.write("INSERT OR REPLACE INTO needs (file, keys) VALUES (?, ?)").run(no, keys);
  }

  put(file: NewFile, termNames: readonly string[]): number {
    this.#dropIfNew(NAME_INDEX);
    const before = this.file(file.path);
    const no = before?.no ?? this.#insertFile(file);
    this.#counts.file(file.language, 1);
    if (before) this.#counts.file(before.language, -1);
    if (before) {
      this.write(
        "UPDATE files SET language = ?, hash = ?, stamp = ?, lines = ?, test = ?, module = ? WHERE no = ?",
      ).run(file.language, file.hash, file.stamp, file.lines, Number(file.test), file.module, no);
    }
    this.write("INSERT OR REPLACE INTO facts (file, outside, inside) VALUES (?, ?, ?)").run(
      no,
      file.outside,
      file.inside,
    );
    this.#putEntities(no, file.entities.slice(0, MAX_SLOTS), before !== undefined);
    if (before) this.#texts.deleteTexts(no, 0, MAX_SLOTS);
    for (const [slot, { terms, length }] of file.entities.entries()) {
      if (length > 0) this.#texts.add({ no, slot, role: 0, length, terms }, termNames);
    }
    return no;
  }

  #insertFile({ path, language, hash: content, stamp, lines, test, module }: NewFile): number {
    const row = this.write(
      "INSERT INTO files (path, language, hash, stamp, lines, test, module) VALUES (?, ?, ?, ?, ?, ?, ?)",
    ).run(path, language, content, stamp, lines, Number(test), module);
    return Number(row.lastInsertRowid);
  }

  /** An entity is the same as before if its kind and name are, and it is the n-th of that name. */
  #putEntities(file: number, entities: readonly NewEntity[], existed: boolean): void {
    const kept = new Map<string, number>();
    // New entities get numbers above all others: a number that SQLite chose could belong to an entity that stays.
    let last = Number(this.prepare("SELECT max(no) no FROM entities").get()?.no ?? 0);
    if (existed) {
      const counts = new Map<string, number>();
      for (const { no, kind, qualified } of this.entities(file)) {
        kept.set(nth(counts, kind, qualified), no);
        this.#counts.entities(kind, -1);
      }
      this.write("DELETE FROM entities WHERE file = ?").run(file);
    }
    const insert = this.write(
      `INSERT INTO entities (no, file, slot, parent, kind, name, qualified, exported, signature, doc, first_line, last_line, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const numbers: number[] = [];
    const counts = new Map<string, number>();
    for (const [slot, each] of entities.entries()) {
      const no = kept.get(nth(counts, each.kind, each.qualified)) ?? ++last;
      this.#counts.entities(each.kind, 1);
      insert.run(
        no,
        file,
        slot,
        each.parent < 0 ? null : (numbers[each.parent] ?? null),
        ENTITY_KINDS.indexOf(each.kind),
        each.name,
        each.qualified,
        Number(each.exported),
        each.signature,
        each.doc,
        each.first_line,
        each.last_line,
        each.hash,
      );
      numbers.push(no);
    }
  }

  endFiles(): void {
    this.#texts.flush();
    this.#create(NAME_INDEX);
  }

  shareFiles(): string | undefined {
    if (!this.#isNew) return undefined;
    this.transaction.begin();
    this.transaction.commit();
    return this.database.location() ?? undefined;
  }

  /** Drops an index of a new store while its rows are written: sorting all rows once is faster than inserting each. */
  #dropIfNew(index: TableIndex): void {
    if (!this.#isNew || this.#dropped.has(index)) return;
    this.write(`DROP INDEX ${index.name}`).run();
    this.#dropped.add(index);
  }

  #create(index: TableIndex): void {
    if (this.#dropped.delete(index)) this.write(index.sql).run();
  }

  touch(no: number, stamp: string): void {
    this.write("UPDATE files SET stamp = ? WHERE no = ?").run(stamp, no);
  }

  remove(no: number): void {
    this.transaction.begin();
    this.#texts.deleteTexts(no, 0, MAX_SLOTS);
    const row = this.prepare("SELECT language, unresolved, json_array_length(missing) m FROM files WHERE no = ?").get(
      no,
    );
    if (!row) return;
    this.#counts.file(String(row.language), -1);
    this.#counts.unresolved(-Number(row.unresolved), -Number(row.m));
    for (const { kind, n } of this.prepare("SELECT kind, count(*) n FROM entities WHERE file = ? GROUP BY 1").all(no)) {
      this.#counts.entities(ENTITY_KINDS[Number(kind)] ?? "file", -Number(n));
    }
    this.#uncountEdges(no);
    this.write("DELETE FROM edges WHERE file = ?").run(no);
    this.write("DELETE FROM links WHERE src = ?").run(no);
    this.write("DELETE FROM entities WHERE file = ?").run(no);
    this.write("DELETE FROM facts WHERE file = ?").run(no);
    this.write("DELETE FROM needs WHERE file = ?").run(no);
    this.write("DELETE FROM files WHERE no = ?").run(no);
  }

  #uncountEdges(file: number): void {
    const rows = this.prepare("SELECT relation, resolution, count(*) n FROM edges WHERE file = ? GROUP BY 1, 2").all(
      file,
    );
    for (const row of rows) this.#counts.edges(Number(row.relation), Number(row.resolution), -Number(row.n));
  }

  setEdges(
    file: number,
    edges: readonly Edge[],
    links: ReadonlyMap<number, number>,
    unresolved: Unresolved,
    mark: string,
  ): boolean {
    const before = this.prepare("SELECT edges, unresolved, json_array_length(missing) m FROM files WHERE no = ?").get(
      file,
    );
    if (before?.edges === mark) return false;
    this.#dropIfNew(EDGE_INDEX);
    this.#counts.unresolved(
      unresolved.names - Number(before?.unresolved ?? 0),
      unresolved.imports.length - Number(before?.m ?? 0),
    );
    if (before?.edges !== "") {
      this.#uncountEdges(file);
      this.write("DELETE FROM edges WHERE file = ?").run(file);
      this.write("DELETE FROM links WHERE src = ?").run(file);
    }
    const link = this.write("INSERT INTO links (src, dst, weight) VALUES (?, ?, ?)");
    for (const [to, weight] of links) link.run(file, to, weight);
    const insert = this.write(
      "INSERT INTO edges (file, src, dst, relation, resolution, confidence, line, count, lines) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    for (const { from, to, relation, resolution, confidence, line, count, lines } of edges) {
      const kind = RELATIONS.indexOf(relation);
      const certainty = RESOLUTIONS.indexOf(resolution);
      insert.run(file, from, to, kind, certainty, confidence, line, count, lines === undefined ? "" : lines.join(","));
      this.#counts.edges(kind, certainty, 1);
    }
    this.write("UPDATE files SET edges = ?, unresolved = ?, missing = ?, external = ? WHERE no = ?").run(
      mark,
      unresolved.names,
      JSON.stringify(unresolved.imports),
      JSON.stringify(unresolved.external),
      file,
    );
    return true;
  }

  setSkipped(files: readonly SkippedFile[], under?: readonly string[]): void {
    if (!under) this.write("DELETE FROM skipped").run();
    for (const top of under ?? []) {
      for (const { path } of this.skipped(top)) this.write("DELETE FROM skipped WHERE path = ?").run(path);
    }
    const insert = this.write("INSERT OR REPLACE INTO skipped (path, stamp, reason) VALUES (?, ?, ?)");
    for (const { path, stamp, reason } of files) insert.run(path, stamp, reason);
  }

  setValue(key: string, value: string): void {
    this.write("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(key, value);
  }

  commit(): void {
    for (const index of this.#dropped) this.#create(index);
    if (this.#isNew) this.write(`PRAGMA user_version = ${CODE_VERSION}`).run();
    this.#isNew = false;
    this.setValue("totals", JSON.stringify(this.#counts.totals()));
    this.#texts.settle();
    this.transaction.commit();
  }

  rollback(): void {
    this.#texts.drop();
    this.transaction.rollback();
    this.#dropped.clear();
    this.#counts = new TotalsKeeper(this.totals());
  }
}

function nth(counts: Map<string, number>, kind: string, qualified: string): string {
  const key = `${kind}:${qualified}`;
  const count = counts.get(key) ?? 0;
  counts.set(key, count + 1);
  return `${key}:${count}`;
}
