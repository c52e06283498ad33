/** Reads a project's code store. */
import type { TermCounts } from "../../../ranking/hits.ts";
import type { Catalogue } from "../../../ranking/ports.ts";
import type { TermQuery } from "../../../ranking/query.ts";
import { TextIndex } from "../../../ranking/text_index.ts";
import {
  type CodeFileRow,
  type CodeReader,
  type CodeTotals,
  ENTITY_KINDS,
  type EntityFilter,
  type EntityHit,
  type EntityRow,
  type FileLink,
  type FileWords,
  type KnownFile,
  type LinkedEntity,
  RELATIONS,
  RESOLUTIONS,
  type Relation,
  type SkippedFile,
  type SymbolEdge,
  type SymbolNode,
  type Unresolved,
} from "../../code.ts";
import { Connection, type Prepare } from "../connection.ts";
import { openRebuildable } from "../rebuildable.ts";
import { SqliteSegmentSource } from "../texts/source.ts";
import { strings, toEdge, toEntity, toFile } from "./rows.ts";
import { CODE } from "./schema.ts";

const ENTITY = `e.no, e.file, f.path, e.kind, e.name, e.qualified, e.parent, e.exported, e.signature, e.doc,
  e.first_line, e.last_line, e.hash`;
const FROM = "FROM entities e JOIN files f ON f.no = e.file";
/** The first entity of a file is the file itself. */
const FILE_SLOT = 0;
/** The page size of long reads; a file has about a dozen entities and forty edges. */
const PAGE_ENTITIES = 5000;
const PAGE_FILES = 500;

type KnownRow = [no: number, path: string, language: string, module: string, stamp: string, hash: string];

export class SqliteCodeReader extends Connection implements CodeReader {
  #texts: TextIndex<EntityFilter> | undefined;

  version(): number {
    return Number(this.prepare("PRAGMA data_version").get()?.data_version ?? 0);
  }

  files(): CodeFileRow[] {
    return this.prepare("SELECT * FROM files ORDER BY path").all().map(toFile);
  }

  file(path: string): CodeFileRow | undefined {
    const row = this.prepare("SELECT * FROM files WHERE path = ?").get(path);
    return row && toFile(row);
  }

  filesEnding(end: string): CodeFileRow[] {
    return this.prepare("SELECT * FROM files WHERE substr(path, -length(?1) - 1) = '/' || ?1 ORDER BY path LIMIT 50")
      .all(end)
      .map(toFile);
  }

  entity(no: number): EntityRow | undefined {
    const row = this.prepare(`SELECT ${ENTITY} ${FROM} WHERE e.no = ?`).get(no);
    return row && toEntity(row);
  }

  entities(file: number): EntityRow[] {
    return this.prepare(`SELECT ${ENTITY} ${FROM} WHERE e.file = ? ORDER BY e.slot`).all(file).map(toEntity);
  }

  named(name: string): EntityRow[] {
    return this.prepare(`SELECT ${ENTITY} ${FROM} WHERE e.name = ? AND e.slot <> ${FILE_SLOT} ORDER BY f.path, e.slot`)
      .all(name)
      .map(toEntity);
  }

  qualified(name: string): EntityRow[] {
    const last = name.slice(name.lastIndexOf(".") + 1);
    return this.named(last).filter(({ qualified }) => qualified === name || qualified.endsWith(`.${name}`));
  }

  names(): string[] {
    return this.prepare(`SELECT DISTINCT name FROM entities WHERE slot <> ${FILE_SLOT} ORDER BY name`)
      .all()
      .map((row) => String(row.name));
  }

  outgoing(no: number, relations: readonly Relation[]): LinkedEntity[] {
    return this.#linked("src", "dst", no, relations);
  }

  incoming(no: number, relations: readonly Relation[]): LinkedEntity[] {
    return this.#linked("dst", "src", no, relations);
  }

  #linked(own: "src" | "dst", other: "src" | "dst", no: number, relations: readonly Relation[]): LinkedEntity[] {
    const numbers = relations.map((relation) => RELATIONS.indexOf(relation));
    const marks = numbers.map(() => "?").join(", ");
    // Edges are stored by their source file.
    const file = own === "src" ? "g.file = (SELECT file FROM entities WHERE no = ?1) AND " : "";
    return this.prepare(
      `SELECT ${ENTITY}, g.src, g.dst, g.relation, g.resolution, g.confidence, g.line, g.count, g.lines
       FROM edges g JOIN entities e ON e.no = g.${other} JOIN files f ON f.no = e.file
       WHERE ${file}g.${own} = ?1 AND g.relation IN (${marks})
       ORDER BY g.relation, g.resolution, g.confidence DESC, f.path, e.slot LIMIT 5000`,
    )
      .all(no, ...numbers)
      .map((row) => ({ entity: toEntity(row), edge: toEdge(row) }));
  }

  links(): FileLink[] {
    return this.prepare("SELECT src, dst, weight FROM links ORDER BY src, dst")
      .all()
      .map((row) => ({ from: Number(row.src), to: Number(row.dst), weight: Number(row.weight) }));
  }

  *symbolNodes(): Generator<SymbolNode> {
    const rows = this.#pages<[no: number, file: number, parent: number | null, top: number]>(
      `SELECT e.no, e.file, e.parent, coalesce(p.slot, 0) = 0 FROM entities e LEFT JOIN entities p ON p.no = e.parent
       WHERE e.no >= ? AND e.no < ? ORDER BY e.no`,
      "SELECT max(no) last FROM entities",
      PAGE_ENTITIES,
    );
    for (const [no, file, parent, top] of rows) yield { no, file, parent, isTop: top === 1 };
  }

  *symbolEdges(relations: readonly Relation[]): Generator<SymbolEdge> {
    const wanted = relations.map((relation) => RELATIONS.indexOf(relation)).join(", ");
    const rows = this.#pages<[from: number, to: number, relation: number, confidence: number, count: number]>(
      `SELECT src, dst, relation, confidence, count FROM edges WHERE file >= ? AND file < ?
       AND resolution <> ${RESOLUTIONS.indexOf("ambiguous")} AND relation IN (${wanted}) ORDER BY file, src, relation, dst`,
      "SELECT max(file) last FROM edges",
      PAGE_FILES,
    );
    for (const [from, to, relation, confidence, count] of rows)
      yield { from, to, relation: RELATIONS[relation] ?? "CALLS", confidence, count };
  }

  /** Rows as lists, many at a time, of a statement that is asked for a range of numbers: a third of the time of single objects. */
  *#pages<Row>(sql: string, last: string, size: number): Generator<Row> {
    const end = Number(this.prepare(last).get()?.last ?? -1);
    const statement = this.prepare(sql);
    statement.setReturnArrays(true);
    for (let first = 0; first <= end; first += size) yield* statement.all(first, first + size) as unknown as Row[];
  }

  unresolved(file: number): Unresolved {
    const row = this.prepare("SELECT unresolved, missing, external FROM files WHERE no = ?").get(file);
    return { names: Number(row?.unresolved ?? 0), imports: strings(row?.missing), external: strings(row?.external) };
  }

  known(under?: string): KnownFile[] {
    const statement = this.prepare(
      `SELECT no, path, language, module, stamp, hash FROM files ${below(under)} ORDER BY path`,
    );
    statement.setReturnArrays(true);
    const rows = statement.all(...(under === undefined ? [] : [under])) as unknown as KnownRow[];
    return rows.map(([no, path, language, module, stamp, hash]) => ({ no, path, language, module, stamp, hash }));
  }

  skipped(under?: string): SkippedFile[] {
    return this.prepare(`SELECT path, stamp, reason FROM skipped ${below(under)} ORDER BY path`)
      .all(...(under === undefined ? [] : [under]))
      .map((row) => ({ path: String(row.path), stamp: String(row.stamp), reason: String(row.reason) }));
  }

  search(query: TermQuery, filter: EntityFilter, limit: number): { count: number; hits: Iterable<EntityHit> } {
    const places = this.#index().searchMessages(query, filter, limit);
    return { count: places.length, hits: this.#hits(places) };
  }

  *#hits(places: readonly { no: number; index: number; score: number }[]): Generator<EntityHit> {
    const statement = this.prepare(
      "SELECT e.no, e.kind, f.path, f.test FROM entities e JOIN files f ON f.no = e.file WHERE e.file = ? AND e.slot = ?",
    );
    for (const { no, index, score } of places) {
      const row = statement.get(no, index);
      if (!row) continue;
      const kind = ENTITY_KINDS[Number(row.kind)] ?? "file";
      yield { no: Number(row.no), kind, path: String(row.path), test: row.test === 1, score };
    }
  }

  countTerms(terms: readonly string[]): TermCounts {
    return this.#index().countTerms(terms);
  }

  searchFiles(terms: readonly string[], limit: number): FileWords[] {
    return this.#index()
      .searchOwners(terms, limit)
      .flatMap(({ no, ...words }) => {
        const row = this.prepare("SELECT path FROM files WHERE no = ?").get(no);
        return row ? [{ path: String(row.path), ...words }] : [];
      });
  }

  #index(): TextIndex<EntityFilter> {
    this.#texts ??= new TextIndex(new SqliteSegmentSource(this.prepare), fileCatalogue(this.prepare));
    return this.#texts;
  }

  /** As counted while writing; or now. */
  totals(): CodeTotals {
    const kept = this.value("totals");
    return kept === undefined ? this.countTotals() : (JSON.parse(kept) as CodeTotals);
  }

  countTotals(): CodeTotals {
    const count = (sql: string): [number, number][] =>
      this.prepare(sql)
        .all()
        .map((row) => [Number(row.k), Number(row.n)]);
    const named = <T extends string>(names: readonly T[], rows: [number, number][]): Partial<Record<T, number>> =>
      Object.fromEntries(rows.map(([k, n]) => [names[k], n])) as Partial<Record<T, number>>;
    const files = this.prepare("SELECT language k, count(*) n FROM files GROUP BY 1 ORDER BY 2 DESC, 1").all();
    const sums = this.prepare(
      "SELECT count(*) n, coalesce(sum(unresolved), 0) u, coalesce(sum(json_array_length(missing)), 0) m FROM files",
    ).get();
    const contained = Number(this.prepare(`SELECT count(*) n FROM entities WHERE slot <> ${FILE_SLOT}`).get()?.n ?? 0);
    return {
      files: Number(sums?.n ?? 0),
      entities: named(ENTITY_KINDS, count("SELECT kind k, count(*) n FROM entities GROUP BY 1 ORDER BY 1")),
      relations: {
        ...(contained > 0 ? { CONTAINS: contained } : {}),
        ...named(RELATIONS, count("SELECT relation k, count(*) n FROM edges GROUP BY 1 ORDER BY 1")),
      },
      resolutions: named(RESOLUTIONS, count("SELECT resolution k, count(*) n FROM edges GROUP BY 1 ORDER BY 1")),
      languages: Object.fromEntries(files.map((row) => [String(row.k), Number(row.n)])),
      unresolved: Number(sums?.u ?? 0),
      unresolved_imports: Number(sums?.m ?? 0),
    };
  }

  value(key: string): string | undefined {
    const row = this.prepare("SELECT value FROM meta WHERE key = ?").get(key);
    return row === undefined ? undefined : String(row.value);
  }

  override close(): void {
    if (this.database.isOpen) super.close();
  }
}

/** The store for reading, empty unless it is ready. `wasIndexed`: the project was indexed, if only by an older version. */
export function openCodeReader(path: string): { store: SqliteCodeReader; missing: boolean; wasIndexed: boolean } {
  const { database, state } = openRebuildable(CODE, path, "read");
  return { store: new SqliteCodeReader(database), missing: state !== "ready", wasIndexed: state !== "missing" };
}

/** The owner of texts is a file, each of its entities a slot. */
function fileCatalogue(prepare: Prepare): Catalogue<EntityFilter> {
  return {
    extent: () => {
      const row = prepare("SELECT count(*) n, coalesce(max(no), 0) largest FROM files").get();
      return { count: Number(row?.n ?? 0), largest: Number(row?.largest ?? 0) };
    },
    ownerOf: (no) => {
      const row = prepare("SELECT path FROM files WHERE no = ?").get(no);
      return row && { updated: 0, id: String(row.path) };
    },
    passing: ({ path }) =>
      path === undefined
        ? undefined
        : prepare("SELECT no FROM files WHERE instr(path, ?) > 0")
            .all(path)
            .map((row) => Number(row.no)),
    boosts: () => new Map(),
  };
}

/** The path itself, and everything in the folder of that name: `0` comes right after the slash. */
function below(under: string | undefined): string {
  return under === undefined ? "" : "WHERE path = ?1 OR (path > ?1 || '/' AND path < ?1 || '0')";
}
