/** AsciiDoc: `=` headings outside delimited blocks, `[[anchors]]` and `[#ids]` before them; attributes stay text. */
import { countLines, type Lines, lineAt, linesOf } from "../lines.ts";
import type { ParsedDocument } from "../model.ts";
import { buildSections, MAX_SECTIONS } from "../sections.ts";
import type { FoundAnchor, FoundHeading } from "../structure.ts";

const HEADING = /^(={1,6}|#{1,6})[ \t]+(\S.*)$/;
/** The older form: a title underlined by a line of the same length, give or take one. */
const UNDERLINE = /^(?:=+|-+|~+|\^+|\++)[ \t]*$/;
const UNDERLINES = "=-~^+";
/** Comment, listing, literal, passthrough, quote, example, side bar, open block, tables, and Markdown's fence. */
const DELIMITER = /^(\/{4,}|-{4,}|\.{4,}|\+{4,}|_{4,}|={4,}|\*{4,}|--|[|,:!]={3,})[ \t]*$|^(`{3,})[^`]*$/;
const BLOCK_ID = /^\[(?:\[([^\],]+)[^\]]*\]|(?:[^\]#,]*)#([^\].,%]+)[^\]]*|[^\]]*\bid="?([^\],"]+)"?[^\]]*)\][ \t]*$/;
const INLINE_ID = /\[\[([^\][,]+)(?:,[^\][]*)?\]\]/g;
/** Lines that may follow an id before its target. */
const BETWEEN = /^(?:\[.*\]|\.[^\s.].*|\/\/.*)?[ \t]*$/;
const DESCRIPTION = /^:description:[ \t]+(\S.*)$/;
const MAX_LINE_CHARS = 1000;
const MAX_TITLE_CHARS = 500;

export function parseAsciidoc(text: string): ParsedDocument {
  const lines = linesOf(text);
  const { headings, anchors, description } = new AsciidocReader(text, lines).read();
  const sections = buildSections(lines, { headings, anchors: anchors.sort((one, other) => one.line - other.line) });
  const title = sections.find(({ level }) => level > 0)?.heading ?? "";
  return { format: "asciidoc", title, text, sections, ...(description && { description: description.trim() }) };
}

class AsciidocReader {
  readonly headings: FoundHeading[] = [];
  readonly anchors: FoundAnchor[] = [];
  description: string | undefined;
  readonly #lines: Lines;
  readonly #last: number;
  readonly #closed: Delimiters;
  /** Ids whose target has not come yet, and the line of the first. Ids before a heading belong to its lines. */
  #pendingIds: string[] = [];
  #firstIdLine = 0;
  /** The delimiter of the block that the line is in. */
  #block: string | undefined;

  constructor(text: string, lines: Lines) {
    this.#lines = lines;
    this.#last = countLines(lines);
    this.#closed = delimitersBelow(text);
  }

  read(): this {
    for (let line = 1; line <= this.#last; ) line += this.#readAt(line);
    return this;
  }

  /** Returns the number of lines it has read. */
  #readAt(line: number): number {
    const own = this.#line(line);
    if (this.#block !== undefined) {
      if (own.trimEnd() === this.#block) this.#block = undefined;
      return 1;
    }
    const heading = oneLine(own) ?? twoLines(own, line < this.#last ? this.#line(line + 1) : "");
    const delimiter = DELIMITER.exec(own);
    const mark = delimiter?.[1] ?? delimiter?.[2];
    if (mark !== undefined && !heading && this.#closed.has(mark, line)) {
      this.#placeIds(line);
      this.#block = mark;
      return 1;
    }
    const id = BLOCK_ID.exec(own);
    const name = id?.[1] ?? id?.[2] ?? id?.[3];
    if (name) {
      if (this.#pendingIds.length === 0) this.#firstIdLine = line;
      this.#pendingIds.push(name.trim());
      return 1;
    }
    if (heading && this.headings.length < MAX_SECTIONS) this.#heading(heading, line);
    else this.#text(own, line);
    if (heading || !BETWEEN.test(own)) this.#placeIds(line);
    return heading?.height ?? 1;
  }

  #line(line: number): string {
    return lineAt(this.#lines, line).slice(0, MAX_LINE_CHARS);
  }

  #heading({ title, level, height }: Title, line: number): void {
    const first_line = this.#pendingIds.length > 0 ? this.#firstIdLine : line;
    for (const [, inline = ""] of title.matchAll(INLINE_ID)) this.#pendingIds.push(inline);
    this.headings.push({ heading: plainText(title), level, first_line, last_line: line + height - 1 });
  }

  #text(own: string, line: number): void {
    this.description ??= DESCRIPTION.exec(own)?.[1];
    if (!own.includes("[[")) return;
    for (const [, inline = ""] of own.matchAll(INLINE_ID)) this.anchors.push({ name: inline, line });
  }

  /** The line is the target of the ids before it. */
  #placeIds(line: number): void {
    for (const name of this.#pendingIds) this.anchors.push({ name, line });
    this.#pendingIds = [];
  }
}

interface Title {
  title: string;
  level: number;
  /** Number of lines. */
  height: number;
}

function oneLine(text: string): Title | undefined {
  const [, marks = "", rest = ""] = HEADING.exec(text) ?? [];
  if (marks === "" || rest.length > MAX_TITLE_CHARS) return undefined;
  const title = rest.trimEnd();
  const closed = title.endsWith(` ${marks}`);
  return { title: closed ? title.slice(0, -marks.length) : title, level: marks.length, height: 1 };
}

function twoLines(text: string, below: string): Title | undefined {
  const level = UNDERLINES.indexOf(below[0] ?? " ") + 1;
  if (level === 0 || !/^[\p{L}\p{N}]/u.test(text) || !UNDERLINE.test(below)) return undefined;
  const title = text.trimEnd();
  const near = title.length > 1 && Math.abs(title.length - below.trimEnd().length) <= 1;
  return near && title.length <= MAX_TITLE_CHARS ? { title, level, height: 2 } : undefined;
}

interface Delimiters {
  has: (mark: string, below: number) => boolean;
}

/** Last line of each delimiter. An unclosed delimiter opens nothing; it would swallow the rest of the document. */
function delimitersBelow(text: string): Delimiters {
  const lastLine = new Map<string, number>();
  let line = 1;
  for (const own of text.split("\n")) {
    const mark = own.length <= MAX_LINE_CHARS ? own.trimEnd() : "";
    if (mark !== "" && DELIMITER.test(mark)) lastLine.set(mark, line);
    line += 1;
  }
  return { has: (mark, below) => (lastLine.get(mark) ?? 0) > below };
}

function plainText(title: string): string {
  return title
    .replace(INLINE_ID, "")
    .replace(/(?:link|xref|mailto|https?):\S*?\[([^\]]*)\]/g, "$1")
    .replace(/<<[^<>,]*(?:,([^<>]*))?>>/g, "$1")
    .replace(/(?<![\w`])`\+?([^`]+?)\+?`(?![\w`])/g, "$1")
    .replace(/(?<![\w*])\*{1,2}([^*]+)\*{1,2}(?![\w*])|(?<![\w_])_{1,2}([^_]+)_{1,2}(?![\w_])/g, "$1$2")
    .replace(/\s+/g, " ")
    .trim();
}
