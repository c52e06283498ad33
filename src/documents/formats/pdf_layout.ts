/**
 * The lines of a PDF's pages as light markup: paragraphs apart, code in fences, and without running heads and page
 * numbers. A PDF only says where its characters stand and in which font.
 */
import { texCharacters } from "./tex_characters.ts";

/** As PDF.js gives it. */
export interface TextItem {
  str: string;
  /** The last two are the left end of the base line. */
  transform: readonly number[];
  width: number;
  height: number;
  fontName: string;
  hasEOL: boolean;
}

/** By the names of fonts. */
type Styles = Readonly<Record<string, { fontFamily?: string }>>;

export interface PageLine {
  text: string;
  /** Of its first character; `y` grows upwards. */
  x: number;
  y: number;
  /** Whether all of it is in a font whose characters are equally wide. */
  isCode: boolean;
  /** Of a character of code. */
  charWidth: number;
}

/** A larger distance between two lines than this many usual ones parts two paragraphs. */
const PARAGRAPH_GAP = 1.25;
/** Lines at the top and at the bottom of a page that may be running heads. */
const EDGE_LINES = 2;
const MAX_HEAD_CHARS = 150;
/** A running head stands on at least so many pages, and on this share of them. */
const MIN_HEAD_PAGES = 3;
const MIN_HEAD_SHARE = 0.1;
/** A line of a table of contents: dots that lead to a page number. */
const LEADER = /(?:\.\s?){5}\s*\d{1,4}\s*$/;
const MAX_INDENT = 80;

export function linesOfItems(items: readonly TextItem[], styles: Styles): PageLine[] {
  const lines: PageLine[] = [];
  let open: TextItem[] = [];
  const end = (): void => {
    const shown = open.filter(({ str }) => /\S/.test(str));
    const [first] = shown;
    const text = open.map(({ str }) => texCharacters(str)).join("");
    const isFixed = ({ fontName }: TextItem): boolean => styles[fontName]?.fontFamily === "monospace";
    lines.push({
      text: text.trimEnd(),
      x: first?.transform[4] ?? 0,
      y: first?.transform[5] ?? 0,
      isCode: first !== undefined && shown.every(isFixed),
      charWidth: first ? first.width / first.str.length : 0,
    });
    open = [];
  };
  for (const item of items) {
    open.push(item);
    if (item.hasEOL) end();
  }
  if (open.length > 0) end();
  return lines.filter(({ text }) => text !== "");
}

/** The text of each page. */
export function layOut(pages: readonly (readonly PageLine[])[]): string[] {
  const isHead = runningHeads(pages);
  const spacing = usualSpacing(pages);
  return pages.map((lines) =>
    markUp(
      lines.filter((line, at) => !isHead(line, at, lines.length) && !LEADER.test(line.text)),
      spacing,
    ),
  );
}

/** A head repeats but for its numbers; a chapter's name beside a page number changes with the chapter. */
function runningHeads(pages: readonly (readonly PageLine[])[]): (line: PageLine, at: number, count: number) => boolean {
  const counts = new Map<string, number>();
  for (const lines of pages) {
    const edges = lines.filter((line, at) => isEdge(line, at, lines.length));
    for (const key of new Set(edges.map(withoutNumbers))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const least = Math.max(MIN_HEAD_PAGES, pages.length * MIN_HEAD_SHARE);
  return (line, at, count) => {
    if (!isEdge(line, at, count)) return false;
    const found = counts.get(withoutNumbers(line)) ?? 0;
    return found >= (hasPageNumber(line) ? MIN_HEAD_PAGES : least);
  };
}

function isEdge({ text }: PageLine, at: number, count: number): boolean {
  return (at < EDGE_LINES || at >= count - EDGE_LINES) && text.length <= MAX_HEAD_CHARS;
}

function withoutNumbers({ text }: PageLine): string {
  return text.replace(/[\d\s]+/g, " ").trim();
}

function hasPageNumber({ text }: PageLine): boolean {
  return /^\s*\d{1,4}(?:\s|$)|(?:^|\s)\d{1,4}\s*$/.test(text);
}

/** The most frequent distance of two lines, the smallest of several. */
function usualSpacing(pages: readonly (readonly PageLine[])[]): number {
  const counts = new Map<number, number>();
  for (const lines of pages) {
    for (const [at, { y }] of lines.entries()) {
      const distance = Math.round((lines[at - 1]?.y ?? y) - y);
      if (distance > 0) counts.set(distance, (counts.get(distance) ?? 0) + 1);
    }
  }
  const [usual] = [...counts].sort(([a, times], [b, others]) => others - times || a - b);
  return usual?.[0] ?? Number.POSITIVE_INFINITY;
}

function markUp(lines: readonly PageLine[], spacing: number): string {
  const text: string[] = [];
  let last: PageLine | undefined;
  for (const [at, line] of lines.entries()) {
    const isCode = isListing(lines, at, spacing);
    const wasCode = last !== undefined && isListing(lines, at - 1, spacing);
    if (wasCode && !isCode) text.push("```", "");
    if (isCode && !wasCode) text.push(...(text.length > 0 ? [""] : []), "```");
    else if (last && isApart(last, line, spacing) && text.at(-1) !== "") text.push("");
    text.push(isCode ? indented(lines, at, spacing) : line.text);
    last = line;
  }
  if (last && isListing(lines, lines.length - 1, spacing)) text.push("```");
  return text.join("\n");
}

/** A line of code is a listing beside another one, or apart from the text around it: in a text, it is a name. */
function isListing(lines: readonly PageLine[], at: number, spacing: number): boolean {
  const line = lines[at];
  if (!line?.isCode) return false;
  const beside = [lines[at - 1], lines[at + 1]].filter((other) => other !== undefined);
  return beside.some(({ isCode }) => isCode) || beside.every((other) => isApart(other, line, spacing));
}

function isApart(one: PageLine, other: PageLine, spacing: number): boolean {
  return Math.abs(one.y - other.y) > spacing * PARAGRAPH_GAP;
}

/** With the spaces that its place beside the other lines of the listing stands for. */
function indented(lines: readonly PageLine[], at: number, spacing: number): string {
  let left = lines[at]?.x ?? 0;
  for (const step of [-1, 1]) {
    for (let i = at + step; isListing(lines, i, spacing); i += step) left = Math.min(left, lines[i]?.x ?? left);
  }
  const { x = 0, charWidth = 0, text = "" } = lines[at] ?? {};
  const columns = charWidth > 0 ? Math.round((x - left) / charWidth) : 0;
  return " ".repeat(Math.min(MAX_INDENT, Math.max(0, columns))) + text.trimStart();
}
