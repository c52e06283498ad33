/**
 * Completes a part of a long section, which may start or end within fenced code or within a table: without its opening
 * line, code would be read as prose, and the rows of a table written in HTML as one long sentence.
 */
import { closed, openFence } from "./markup/fences.ts";
import { isTableHead } from "./units/text.ts";

/** A table starts on a line of its own: in a sentence its tag is only mentioned. */
const HTML_TABLE_TAG = /^\s*<(table)\b[^<>]*>|<(\/table|\/?(?:tr|t[dh]))\b[^<>]*>/gim;
const FENCED = /^ {0,3}(`{3,}|~{3,})[\s\S]*?^ {0,3}\1/gm;
const ROW = /^\s*\|/;

/** `before`: the lines of the section above the part. */
export function completed(part: string, before: readonly string[]): string {
  const fence = openFence(before);
  if (fence !== undefined) return closed(`${fence}\n${part}`);
  const tags = openTableTags(before.join("\n"));
  const opened = [tags.join(""), ...tableHeadAbove(part, before), part].filter((text) => text !== "").join("\n");
  const isOpen = openTableTags(opened).includes("<table>");
  return closed(isOpen ? `${opened}\n</table>` : opened);
}

/** The tags of an HTML table that a text opens and does not close, the outermost first. */
function openTableTags(text: string): string[] {
  const open: string[] = [];
  for (const [, table, other] of text.replace(FENCED, "").matchAll(HTML_TABLE_TAG)) {
    const name = (table ?? other ?? "").toLowerCase();
    const tag = `<${name.replace("/", "")}>`;
    if (!name.startsWith("/")) open.push(tag);
    else if (open.includes(tag)) open.length = open.lastIndexOf(tag);
  }
  // Cells and rows need no closing tag: only the last of them is open.
  const table = open.lastIndexOf("<table>");
  if (table < 0) return [];
  const row = open.lastIndexOf("<tr>");
  const cell = Math.max(open.lastIndexOf("<td>"), open.lastIndexOf("<th>"));
  return ["<table>", ...(row > table ? ["<tr>"] : []), ...(cell > Math.max(row, table) ? [open[cell] ?? ""] : [])];
}

/** The head of a Markdown table in whose rows the part starts. */
function tableHeadAbove(part: string, before: readonly string[]): string[] {
  if (!ROW.test(part.split("\n", 1)[0] ?? "")) return [];
  const first = before.findLastIndex((line) => !ROW.test(line)) + 1;
  return isTableHead(before, first) ? before.slice(first, first + 2) : [];
}
