/** AsciiDoc: tables, and the lines around and above blocks that have no text themselves. */
import { announced, type Block, csvCells, tableLines } from "./block.ts";

const TABLE = /^[|,:!]===+\s*$/;
/** Attributes of a block other than a listing. */
const ATTRIBUTES =
  /^\[(?:NOTE|TIP|WARNING|IMPORTANT|CAUTION|horizontal|qanda|discrete|abstract|example|sidebar|partintro|glossary|appendix|quote\b.*|verse\b.*|%[\w,%-]+.*|(?:cols|options|opts|role|width|format|separator|stripes|grid|frame|caption|start)\s*=.*|loweralpha|upperalpha|lowerroman|arabic|\.[\w.-]+)\]\s*$/;
const TITLE = /^\.(?=[^\s.]).+$/;
/** At most so many attributes and titles above a block. */
const MAX_LINES_ABOVE = 8;
/** Longer lines are horizontal rules. */
const DELIMITER = /^(?:={4,12}|\*{4,12}|_{4,12}|--)\s*$/;
const CONDITION = /^(?:ifn?def|ifeval|endif)::[^[\]\n]*\[(.*)\]\s*$/;
const NESTED_ITEM = /^(\*{2,5}|\.{1,5})\s+(?=\S)/;
/** Markup of reStructuredText that also starts with two dots. */
const EXPLICIT_MARKUP = /^\.\. (?:[\w:+.-]+::|_|\[|\|)/;
const CALLOUT = /^<(\d{1,2}|\.)>\s+(?=\S)/;
/** A bar, with the span, alignment and style of the cell that it starts. */
const CELL = /(?:(?<=^|\s)(?:(\d{1,2})\*|(\d{1,2})?(?:\.\d{1,2})?\+)?(?:[<^>]?(?:\.[<^>])?)?[aehlmsvd]?)?(?<!\\)\|/g;

/** The line as Markdown. `end`: the index after the block whose attributes start here. */
export function asciidocAt(lines: readonly string[], at: number): Block | undefined {
  const line = lines[at] ?? "";
  const first = line[0] ?? "";
  if (!"[.|,:!*<ie=_-".includes(first) || first === "") return undefined;
  if (TABLE.test(line)) return table(lines, at, "", "");
  if (ATTRIBUTES.test(line) || TITLE.test(line)) return attributed(lines, at);
  const condition = CONDITION.exec(line);
  if (condition) {
    const text = condition[1] ?? "";
    // Several terms may share one description, with blank lines between them.
    return { lines: text === "" && /::\s*$/.test(lines[at - 1] ?? "") ? [] : [text], end: at + 1 };
  }
  const [nested, marks = ""] = NESTED_ITEM.exec(line) ?? [];
  if (nested !== undefined && !EXPLICIT_MARKUP.test(line))
    return { lines: [`${"  ".repeat(marks.length - 1)}- ${line.slice(nested.length)}`], end: at + 1 };
  const [callout, number = ""] = CALLOUT.exec(line) ?? [];
  if (callout !== undefined)
    return { lines: [`${number === "." ? "1" : number}. ${line.slice(callout.length)}`], end: at + 1 };
  return undefined;
}

/** The index of the line that closes the example, side bar or quotation opened here. */
export function closingDelimiter(lines: readonly string[], at: number): number | undefined {
  const mark = (lines[at] ?? "").trimEnd();
  if (!DELIMITER.test(mark)) return undefined;
  const above = lines[at - 1] ?? "";
  if (above.trim() !== "" && !ATTRIBUTES.test(above) && !TITLE.test(above) && above.trim() !== "+") return undefined;
  const closing = lines.indexOf(mark, at + 1);
  // These are the lines above and below a heading.
  if (closing < 0 || (closing === at + 2 && (lines[at + 1] ?? "").trimEnd().length <= mark.length)) return undefined;
  return closing;
}

function attributed(lines: readonly string[], at: number): Block | undefined {
  let attributes = "";
  let title = "";
  let end = at;
  for (; end < lines.length && end < at + MAX_LINES_ABOVE; end += 1) {
    const line = lines[end] ?? "";
    if (ATTRIBUTES.test(line)) attributes += line;
    else if (TITLE.test(line)) title = line.slice(1);
    else break;
  }
  const next = lines[end] ?? "";
  if (TABLE.test(next)) return table(lines, end, attributes, title);
  // A title has a block below it; without one, it is a text that starts with a dot.
  if (title !== "" && attributes === "" && !/^(?:\[|[-=*_.]{4,}\s*$|--\s*$|[*.-]+\s|```|image::)/.test(next))
    return undefined;
  return { lines: ["", ...(title === "" ? [] : [announced(title), ""])], end };
}

function table(lines: readonly string[], at: number, attributes: string, title: string): Block | undefined {
  const mark = (lines[at] ?? "").trimEnd();
  const closing = lines.indexOf(mark, at + 1);
  if (closing < 0) return undefined;
  const body = lines.slice(at + 1, closing);
  const first = body.findIndex((line) => line.trim() !== "");
  const implicit = first === 0 && (body[1] ?? "x").trim() === "" && body.length > 2;
  const headRows = /header/.test(attributes) || (implicit && !/noheader/.test(attributes)) ? 1 : 0;
  const values = mark.startsWith(",") || /format="?csv/.test(attributes);
  if (values) {
    const rows = body.filter((line) => line.trim() !== "").map((line) => csvCells(line));
    return { lines: tableLines(rows, headRows, title), end: closing + 1 };
  }
  const cells = body.map((line) => cellsOf(line));
  const width = columns(attributes) || cells.find((own) => own.started.length > 0)?.started.length || 1;
  const all: string[] = [];
  for (const { before, started } of cells) {
    if (all.length > 0) all[all.length - 1] = `${all.at(-1) ?? ""} ${before}`;
    all.push(...started);
  }
  const rows: string[][] = [];
  for (let from = 0; from < all.length; from += width) rows.push(all.slice(from, from + width));
  return { lines: tableLines(rows, headRows, title), end: closing + 1 };
}

/** The text that continues the cell above, and the cells that start in the line. */
function cellsOf(line: string): { before: string; started: string[] } {
  if (/^(?:-{4,}|\.{4,}|={4,}|\+|\/\/.*|\[source.*\])\s*$/.test(line)) return { before: "", started: [] };
  const started: string[] = [];
  const marks = [...line.matchAll(CELL)];
  for (const [at, { index, 0: mark, 1: copies, 2: span }] of marks.entries()) {
    const text = line.slice(index + mark.length, marks[at + 1]?.index).trim();
    const count = Math.min(20, Number(copies ?? 1));
    for (let copy = 0; copy < count; copy += 1) started.push(text);
    for (let extra = 1; extra < Math.min(20, Number(span ?? 1)); extra += 1) started.push("");
  }
  return { before: line.slice(0, marks[0]?.index), started };
}

function columns(attributes: string): number {
  const spec = /cols\s*=\s*(?:"([^"]*)"|([^\],]*))/.exec(attributes);
  const parts = (spec?.[1] ?? spec?.[2] ?? "").split(/[,;]/).filter((part) => part.trim() !== "");
  return parts.reduce((sum, part) => sum + Math.min(50, Number(/^\s*(\d{1,2})\*/.exec(part)?.[1] ?? 1)), 0);
}
