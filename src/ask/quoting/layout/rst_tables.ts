/** Tables of reStructuredText: grid tables, simple tables, list tables and CSV tables. */
import { dedented, indentOf } from "../../../text/indent.ts";
import { type Block, csvCells, tableLines } from "./block.ts";

const GRID_EDGE = /^\+(?:[-=]{2,}\+)+\s*$/;
const GRID_LINE = /^[+|].*[+|]\s*$/;
const SIMPLE_EDGE = /^={2,}(?: +={2,})+\s*$/;
const SPAN_RULE = /^-{2,}(?: +-{2,})*\s*$/;
const DIRECTIVE = /^\.\. (list-table|csv-table|table)::\s*(.*)$/;
const OPTION = /^\s*:([\w-]+):\s*(.*)$/;

export function rstTableAt(lines: readonly string[], at: number): Block | undefined {
  const first = lines[at] ?? "";
  if (first.startsWith("+")) return gridTable(lines, at);
  if (first.startsWith("==")) return simpleTable(lines, at);
  return first.startsWith(".. ") ? tableDirective(lines, at) : undefined;
}

function gridTable(lines: readonly string[], at: number): Block | undefined {
  if (!GRID_EDGE.test(lines[at] ?? "") || !(lines[at + 1] ?? "").startsWith("|")) return undefined;
  const edges = [...(lines[at] ?? "").matchAll(/\+/g)].map(({ index }) => index);
  const rows: string[][] = [];
  let headRows = 0;
  let row: string[] = [];
  let end = at + 1;
  for (; end < lines.length && GRID_LINE.test(lines[end] ?? ""); end += 1) {
    const line = lines[end] ?? "";
    if (GRID_EDGE.test(line) || /\+[-=]{2,}\+/.test(line)) {
      rows.push(row);
      row = [];
      if (/^\+=/.test(line)) headRows = rows.length;
    } else addCells(row, line, edges);
  }
  if (row.length > 0) rows.push(row);
  return { lines: tableLines(rows, headRows), end };
}

/** A cell that spans columns goes into the first one. */
function addCells(row: string[], line: string, edges: readonly number[]): void {
  let column = 0;
  for (let at = 0; at + 1 < edges.length; at += 1) {
    const text = line.slice((edges[at] ?? 0) + 1, edges[at + 1]).trim();
    if (at === 0 || line[edges[at] ?? 0] === "|") column = at;
    const joined = column === at ? text : line.slice((edges[column] ?? 0) + 1, edges[at + 1]).trim();
    if (column !== at) row[column] = "";
    row[column] = `${row[column] ?? ""} ${joined}`;
  }
}

function simpleTable(lines: readonly string[], at: number): Block | undefined {
  const edge = lines[at] ?? "";
  if (!SIMPLE_EDGE.test(edge)) return undefined;
  const starts = [...edge.matchAll(/(?<=^|\s)=/g)].map(({ index }) => index);
  const rows: string[][] = [];
  let headRows = 0;
  let end = at + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const isEdge = SIMPLE_EDGE.test(line);
    if (isEdge && (lines[end + 1] ?? "").trim() === "") return { lines: tableLines(rows, headRows), end: end + 1 };
    if (isEdge) headRows = rows.length;
    else if (line.trim() !== "" && !SPAN_RULE.test(line)) addRow(rows, line, starts, headRows);
  }
  return undefined;
}

/** A line without a first cell continues the row above. */
function addRow(rows: string[][], line: string, starts: readonly number[], headRows: number): void {
  const cells = starts.map((start, column) => line.slice(start, starts[column + 1]).trim());
  const above = rows.at(-1);
  if (cells[0] !== "" || !above || rows.length === headRows) rows.push(cells);
  else for (const [column, text] of cells.entries()) above[column] = `${above[column] ?? ""} ${text}`;
}

function tableDirective(lines: readonly string[], at: number): Block | undefined {
  const [, kind = "", title = ""] = DIRECTIVE.exec(lines[at] ?? "") ?? [];
  if (kind === "") return undefined;
  let end = at + 1;
  while (end < lines.length && ((lines[end] ?? "").trim() === "" || /^\s/.test(lines[end] ?? ""))) end += 1;
  const inner = dedented(lines.slice(at + 1, end));
  const options = new Map<string, string>();
  let from = 0;
  for (; from < inner.length && (inner[from] ?? "").trim() !== ""; from += 1) {
    const [, name, value = ""] = OPTION.exec(inner[from] ?? "") ?? [];
    if (name) options.set(name, value);
  }
  const body = dedented(inner.slice(from).filter((line) => line.trim() !== ""));
  const headRows = Number(options.get("header-rows") ?? 0);
  if (kind === "list-table") return { lines: tableLines(listRows(body), headRows, title), end };
  if (kind === "csv-table") {
    const head = options.get("header");
    const separator = options.get("delim")?.[0] ?? ",";
    const rows = body.map((line) => csvCells(line, separator));
    return { lines: tableLines(head ? [csvCells(head), ...rows] : rows, head ? 1 : headRows, title), end };
  }
  const table = rstTableAt(body, 0);
  return table && { lines: table.lines, end };
}

function listRows(lines: readonly string[]): string[][] {
  const rows: string[][] = [];
  let cellIndent = 2;
  for (const line of lines) {
    const [, mark = "", text = ""] = /^([*-]\s+[-*])(?:\s+(.*))?$/.exec(line) ?? [];
    const row = rows.at(-1);
    if (mark !== "") {
      cellIndent = mark.length - 1;
      rows.push([text]);
    } else if (row && indentOf(line) === cellIndent && /^\s+[-*](?:\s|$)/.test(line))
      row.push(line.trim().slice(1).trim());
    else if (row) row[row.length - 1] = `${row.at(-1) ?? ""} ${line.trim()}`;
  }
  return rows;
}
