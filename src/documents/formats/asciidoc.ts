/** AsciiDoc: `=` headings outside delimited blocks, `[[anchors]]` and `[#ids]` before them; attributes stay text. */
import { countLines, lineAt, linesOf } from "../lines.ts";
import type { ParsedDocument } from "../model.ts";
import { buildSections, type FoundAnchor, type FoundHeading, MAX_SECTIONS } from "../sections.ts";

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
  const headings: FoundHeading[] = [];
  const anchors: FoundAnchor[] = [];
  /** Ids whose target has not come yet, and the line of the first. Ids before a heading belong to its lines. */
  let pendingIds: string[] = [];
  let firstIdLine = 0;
  let block: string | undefined;
  let description: string | undefined;
  const last = countLines(lines);
  const closed = delimitersBelow(text);
  for (let line = 1; line <= last; line += 1) {
    const own = lineAt(lines, line).slice(0, MAX_LINE_CHARS);
    const delimiter = DELIMITER.exec(own);
    const mark = delimiter?.[1] ?? delimiter?.[2];
    if (block !== undefined) {
      if (own.trimEnd() === block) block = undefined;
      continue;
    }
    const heading = oneLine(own) ?? twoLines(own, line < last ? lineAt(lines, line + 1).slice(0, MAX_LINE_CHARS) : "");
    if (mark !== undefined && !heading && closed.has(mark, line)) {
      for (const name of pendingIds) anchors.push({ name, line });
      pendingIds = [];
      block = mark;
      continue;
    }
    const id = BLOCK_ID.exec(own);
    const name = id?.[1] ?? id?.[2] ?? id?.[3];
    if (name) {
      if (pendingIds.length === 0) firstIdLine = line;
      pendingIds.push(name.trim());
    } else if (heading && headings.length < MAX_SECTIONS) {
      const first_line = pendingIds.length > 0 ? firstIdLine : line;
      for (const [, inline = ""] of heading.title.matchAll(INLINE_ID)) pendingIds.push(inline);
      headings.push({
        heading: plainText(heading.title),
        level: heading.level,
        first_line,
        last_line: line + heading.height - 1,
      });
    } else {
      description ??= DESCRIPTION.exec(own)?.[1];
      if (own.includes("[["))
        for (const [, inline = ""] of own.matchAll(INLINE_ID)) anchors.push({ name: inline, line });
    }
    if (pendingIds.length > 0 && !name && !(BETWEEN.test(own) && !heading)) {
      for (const label of pendingIds) anchors.push({ name: label, line });
      pendingIds = [];
    }
    if (heading && !name) line += heading.height - 1;
  }
  const sections = buildSections(lines, { headings, anchors: anchors.sort((one, other) => one.line - other.line) });
  const title = sections.find(({ level }) => level > 0)?.heading ?? "";
  return { format: "asciidoc", title, text, sections, ...(description && { description: description.trim() }) };
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

/** Last line of each delimiter. An unclosed delimiter opens nothing; it would swallow the rest of the document. */
function delimitersBelow(text: string): { has: (mark: string, below: number) => boolean } {
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
