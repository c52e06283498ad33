/** The rows of a table in a list of decisions, if one of its columns is the decision. */
import { dateIn, type FieldName, type Fields, type FoundEntry, fieldNamed, type NumberedLine } from "./fields.ts";

/** Columns that a table of decisions has besides the decision. */
const BESIDE: ReadonlySet<FieldName> = new Set(["reason", "date", "status", "alternatives", "title", "number"]);

export function tableEntries(lines: readonly NumberedLine[]): FoundEntry[] {
  const found: FoundEntry[] = [];
  let columns: (FieldName | undefined)[] | undefined;
  let head: NumberedLine | undefined;
  for (const line of lines) {
    const isRow = /^\s*\|.*\|\s*$/.test(line.text);
    if (!isRow) {
      columns = undefined;
      head = undefined;
    } else if (head && columns === undefined) {
      columns = /^[\s|:-]+$/.test(line.text) ? columnsOf(cellsOf(head.text)) : [];
    } else if (head === undefined) head = line;
    else if (columns?.includes("decision")) found.push(...(rowEntry(cellsOf(line.text), columns, line.no) ?? []));
  }
  return found;
}

/** Empty unless it is a table of decisions. Of "Decision" and "Choice", the first is the title. */
function columnsOf(heads: readonly string[]): (FieldName | undefined)[] {
  const names = heads.map(nameOf);
  const decisions = names.flatMap((name, i) => (name === "decision" ? [i] : []));
  const last = decisions.at(-1);
  const roles = names.map((name, i): FieldName | undefined => (name === "decision" && i !== last ? "title" : name));
  return last !== undefined && roles.some((role) => role !== undefined && BESIDE.has(role)) ? roles : [];
}

/** "What it decided" and "Our decision" are decisions, too. */
function nameOf(head: string): FieldName | undefined {
  return fieldNamed(head) ?? (/\bdeci(?:ded|sion)\b/i.test(head) ? "decision" : undefined);
}

function rowEntry(cells: readonly string[], columns: readonly (FieldName | undefined)[], line: number): FoundEntry[] {
  const fields: Fields = {};
  for (const [i, name] of columns.entries()) {
    const cell = cells[i] ?? "";
    if (name !== undefined && cell !== "" && fields[name] === undefined) fields[name] = cell;
  }
  const { decision = "", title = "" } = fields;
  // A row that links to a record is only an index entry: dex reads the record itself.
  const isIndex = [decision, title].some((cell) => /^\[[^\]]*\]\([^)]*\.md[^)]*\)$/.test(cell));
  const isOpen = /^(?:tbd|todo|pending|open)\b/i.test(fields.date ?? "");
  if (!/[\p{L}\p{N}]/u.test(decision) || isIndex || isOpen) return [];
  return [{ title, date: dateIn(fields.date ?? "")?.time, fields, lead: "", line, isRow: true }];
}

/** A bar inside code, or after a backslash, is text. */
function cellsOf(row: string): string[] {
  const cells =
    row
      .trim()
      .replace(/^\||\|$/g, "")
      .match(/(?:`[^`]*`|\\\||[^|])*(?:\||$)/g) ?? [];
  return cells.map((cell) => cell.replace(/\|$/, "").replaceAll("\\|", "|").trim()).slice(0, -1);
}
