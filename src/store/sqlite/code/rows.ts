/** Rows of the code store as values. */
import { parseJson } from "../../../kernel/json.ts";
import { type CodeFileRow, type Edge, ENTITY_KINDS, type EntityRow, RELATIONS, RESOLUTIONS } from "../../code.ts";

type Row = Record<string, unknown>;

export function toFile(row: Row): CodeFileRow {
  return {
    no: Number(row.no),
    path: String(row.path),
    language: String(row.language),
    hash: String(row.hash),
    stamp: String(row.stamp),
    lines: Number(row.lines),
    test: row.test === 1,
    module: String(row.module),
  };
}

export function toEntity(row: Row): EntityRow {
  return {
    no: Number(row.no),
    file: Number(row.file),
    path: String(row.path),
    kind: ENTITY_KINDS[Number(row.kind)] ?? "file",
    name: String(row.name),
    qualified: String(row.qualified),
    parent: row.parent === null ? null : Number(row.parent),
    exported: row.exported === 1,
    signature: String(row.signature),
    doc: String(row.doc),
    first_line: Number(row.first_line),
    last_line: Number(row.last_line),
    hash: String(row.hash),
  };
}

export function toEdge(row: Row): Edge {
  return {
    from: Number(row.src),
    to: Number(row.dst),
    relation: RELATIONS[Number(row.relation)] ?? "CALLS",
    resolution: RESOLUTIONS[Number(row.resolution)] ?? "ambiguous",
    confidence: Number(row.confidence),
    line: Number(row.line),
    count: Number(row.count),
    ...(row.lines === "" ? {} : { lines: String(row.lines).split(",").map(Number) }),
  };
}

export function strings(value: unknown): string[] {
  const list = typeof value === "string" ? parseJson(value) : undefined;
  return Array.isArray(list) ? list.map(String) : [];
}
