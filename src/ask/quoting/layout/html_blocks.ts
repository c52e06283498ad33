/** Tables and definition lists that are written as HTML in Markdown. */
import { oneLine } from "../../../kernel/text.ts";
import { type Block, tableLines } from "./block.ts";

const OPENING = /^\s*<(table|dl)(?:\s[^<>]*)?>/i;
const TAG = /<(\/?)(table|thead|tr|t[dh]|d[ltd]|br|p|li|div)\b[^<>]*>/gi;
const CODE = /<code\b[^<>]*>([^<>`]*)<\/code>/gi;
/** Tags that say nothing about the text between them. */
const INLINE = /<\/?(?:a|b|em|i|kbd|small|span|strong|sub|sup|u)\b[^<>]*>/gi;
/** Longer blocks stay unchanged. */
const MAX_LINES = 2000;

export function htmlBlockAt(lines: readonly string[], at: number): Block | undefined {
  const name = OPENING.exec(lines[at] ?? "")?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const closing = `</${name}>`;
  const last = Math.min(lines.length, at + MAX_LINES);
  let end = at;
  while (end < last && !(lines[end] ?? "").toLowerCase().includes(closing)) end += 1;
  if (end === last) return undefined;
  const source = lines.slice(at, end + 1).join("\n");
  return { lines: name === "table" ? tableOf(source) : termsOf(source), end: end + 1 };
}

function tableOf(source: string): string[] {
  const rows: { cells: string[]; head: boolean }[] = [];
  for (const { tag, text } of pieces(source)) {
    const row = rows.at(-1);
    if (tag === "tr") rows.push({ cells: [], head: true });
    else if (tag === "td" || tag === "th") {
      if (!row) continue;
      row.cells.push(text);
      if (tag === "td") row.head = false;
    } else if (row && row.cells.length > 0 && text !== "") row.cells.push(`${row.cells.pop() ?? ""} ${text}`);
  }
  return tableLines(
    rows.map(({ cells }) => cells),
    rows[0]?.head ? 1 : 0,
  );
}

function termsOf(source: string): string[] {
  const lines: string[] = [""];
  let term = "";
  for (const { tag, text } of pieces(source)) {
    if (tag === "dt") term = term === "" ? text : `${term}, ${text}`;
    else if (tag === "dd" && term !== "") {
      lines.push(`- ${term}: ${text}`);
      term = "";
    } else if (text !== "" && lines.length > 1) lines.push(`  ${text}`);
  }
  return [...lines, ...(term === "" ? [] : [`- ${term}`]), ""];
}

/** Each tag and the text after it. */
function pieces(source: string): { tag: string; text: string }[] {
  const tags = [...source.matchAll(TAG)];
  return tags.map(({ index, 0: whole, 1: slash, 2: name = "" }, at) => ({
    tag: slash === "/" ? "/" : name.toLowerCase(),
    text: oneLine(
      source
        .slice(index + whole.length, tags[at + 1]?.index)
        .replace(CODE, "`$1`")
        .replace(INLINE, ""),
    ),
  }));
}
