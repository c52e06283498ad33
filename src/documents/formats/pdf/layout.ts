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

export interface PageLine {
  text: string;
  /** Of its first character; `y` grows upwards. */
  x: number;
  y: number;
  /** The width of its characters, of those that were looked at. */
  charWidth: number;
  fonts: ReadonlySet<string>;
}

/** A line of the page, with whether its font is fixed-width. */
interface Line extends PageLine {
  isCode: boolean;
}

/** A distance between two lines larger than this multiple of the usual one separates two paragraphs. */
const PARAGRAPH_GAP = 1.25;
/** Lines at the top and at the bottom of a page that may be running heads. */
const EDGE_LINES = 2;
const MAX_HEAD_CHARS = 150;
/** A running head occurs on at least this many pages, and on this share of them. */
const MIN_HEAD_PAGES = 3;
const MIN_HEAD_SHARE = 0.1;
/** A line of a table of contents: dots that lead to a page number. */
const LEADER = /(?:\.\s?){5}\s*\d{1,4}\s*$/;
const MAX_INDENT = 80;
/** A font is fixed-width if its characters are equally wide in this share of at least this many texts. */
const MIN_ALIKE_SHARE = 0.85;
const MIN_TEXTS = 2;
const MIN_MEASURED_CHARS = 3;

/** Collects the lines of a PDF's pages, and the widths of the characters of each font. */
export class PageLines {
  readonly pages: PageLine[][] = [];
  /** How many texts of each font have characters of this width on average, in thousandths of its height. */
  readonly #widths = new Map<string, Map<number, number>>();

  /** Returns the number of characters. */
  add(items: readonly TextItem[]): number {
    const lines: PageLine[] = [];
    let open: TextItem[] = [];
    for (const [at, item] of items.entries()) {
      this.#measure(item);
      open.push(item);
      if (!item.hasEOL && at < items.length - 1) continue;
      const line = lineOf(open);
      if (line.text !== "") lines.push(line);
      open = [];
    }
    this.pages.push(lines);
    return lines.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** The fonts whose characters are equally wide. */
  fixedFonts(): Set<string> {
    const fixed = [...this.#widths].filter(([, counts]) => {
      const texts = counts.values().reduce((sum, count) => sum + count, 0);
      const [usual = 0] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
      const alike = [usual - 1, usual, usual + 1].reduce((sum, width) => sum + (counts.get(width) ?? 0), 0);
      return texts >= MIN_TEXTS && alike >= texts * MIN_ALIKE_SHARE;
    });
    return new Set(fixed.map(([font]) => font));
  }

  #measure({ str, width, height, fontName }: TextItem): void {
    if (height <= 0 || str.trim().length < MIN_MEASURED_CHARS) return;
    const counts = this.#widths.get(fontName) ?? new Map<number, number>();
    const share = Math.round((width / str.length / height) * 1000);
    counts.set(share, (counts.get(share) ?? 0) + 1);
    this.#widths.set(fontName, counts);
  }
}

function lineOf(items: readonly TextItem[]): PageLine {
  const shown = items.filter(({ str }) => /\S/.test(str));
  const [first] = shown;
  return {
    text: texCharacters(items.map(({ str }) => str).join("")).trimEnd(),
    x: first?.transform[4] ?? 0,
    y: first?.transform[5] ?? 0,
    charWidth: first ? first.width / first.str.length : 0,
    fonts: new Set(shown.map(({ fontName }) => fontName)),
  };
}

/** The text of each page. */
export function layOut(collected: PageLines): string[] {
  const fixed = collected.fixedFonts();
  const pages = collected.pages.map((lines) =>
    lines.map((line) => ({ ...line, isCode: line.fonts.isSubsetOf(fixed) })),
  );
  const isHead = runningHeads(pages);
  const spacing = usualSpacing(pages);
  return pages.map((lines) =>
    markUp(
      lines.filter((line, at) => !isHead(line, at, lines.length) && !LEADER.test(line.text)),
      spacing,
    ),
  );
}

/** A running head repeats except for its numbers; a chapter's name beside a page number changes with the chapter. */
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

function markUp(lines: readonly Line[], spacing: number): string {
  const inListing = lines.map((_, at) => isListing(lines, at, spacing));
  const text: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line;
    const before = lines[at - 1];
    if (inListing[at]) {
      const end = inListing.indexOf(false, at);
      const code = lines.slice(at, end < 0 ? lines.length : end);
      if (text.length > 0) text.push("");
      text.push("```", ...listing(code, spacing), "```");
      at += code.length;
      if (at < lines.length) text.push("");
      continue;
    }
    if (before && !inListing[at - 1] && isApart(before, line, spacing)) text.push("");
    text.push(line.text);
    at += 1;
  }
  return text.join("\n");
}

/**
 * Whether a line of code belongs to a listing: it is beside another one, or apart from the text. Within a text it is a
 * name.
 */
function isListing(lines: readonly Line[], at: number, spacing: number): boolean {
  const line = lines[at];
  if (!line?.isCode) return false;
  const beside = [lines[at - 1], lines[at + 1]].filter((other) => other !== undefined);
  return beside.some(({ isCode }) => isCode) || beside.every((other) => isApart(other, line, spacing));
}

function isApart(one: PageLine, other: PageLine, spacing: number): boolean {
  return Math.abs(one.y - other.y) > spacing * PARAGRAPH_GAP;
}

/** The lines, with spaces according to the positions of their texts. */
function listing(lines: readonly Line[], spacing: number): string[] {
  const left = Math.min(...lines.map(({ x }) => x));
  return lines.flatMap((line, at) => {
    const columns = line.charWidth > 0 ? Math.round((line.x - left) / line.charWidth) : 0;
    const shown = " ".repeat(Math.min(MAX_INDENT, Math.max(0, columns))) + line.text.trimStart();
    const before = lines[at - 1];
    return before && isApart(before, line, spacing) ? ["", shown] : [shown];
  });
}
