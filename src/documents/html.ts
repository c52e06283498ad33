/**
 * HTML pages: the main content as readable text. What surrounds it (navigation, scripts, footers) is dropped; nothing of
 * a page is run or fetched.
 */
import { Parser } from "htmlparser2";
import { HtmlWriter } from "./html_writer.ts";
import { linesOf } from "./lines.ts";
import type { ParsedDocument } from "./model.ts";
import { buildSections, isHeading } from "./sections.ts";

/** The parser's time grows with the depth; no page that people read comes near. */
const MAX_DEPTH = 1000;
const MAX_DESCRIPTION = 2000;

const DROPPED = new Set(
  "script style noscript template svg math nav footer iframe object canvas audio video select textarea button dialog input".split(
    " ",
  ),
);
const BLOCKS = new Set(
  "p div section article main header aside blockquote figure figcaption address fieldset form details summary hr dl dt dd body html center hgroup search".split(
    " ",
  ),
);
const APART = new Set("p section article main blockquote figure details dl hr".split(" "));
/** Signs beside a heading that link to it, and numbers beside lines of code. */
const NOISE =
  /(?:^|[\s_-])(?:headerlink|header-anchor|anchor-?link|hash-?link|permalink|heading-anchor|linenos?|gutter|sr-only|visually-hidden|copy-?(?:button|btn))(?:$|[\s_-])/i;
const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|brush:|sourceCode|highlight)[-\s]?([\w+#.-]+)/;

class TooDeep extends Error {}

export function parseHtml(source: string): ParsedDocument {
  const page = mainPage(source);
  const sections = buildSections(linesOf(page.text), page.writer);
  const title = page.writer.headings.find(({ level }) => level === 1)?.heading ?? page.title;
  const { text, description } = page;
  return { format: "html", title, text, sections, ...(description && { description }) };
}

/** Articles may be cards beside the content: they count as it when they hold this share of the words. */
const MIN_ARTICLE_SHARE = 0.4;

function mainPage(source: string): Page {
  const tag = mainTag(source);
  const main = readPage(source, tag);
  if (tag === undefined || (tag === "main" && main.text !== "")) return main;
  const whole = readPage(source, undefined);
  return main.text.length < whole.text.length * MIN_ARTICLE_SHARE ? whole : main;
}

/** Where the content stands, if the page says so. */
function mainTag(source: string): "main" | "article" | undefined {
  if (/<main[\s>]|\srole=["']?main\b/i.test(source)) return "main";
  return /<article[\s>]/i.test(source) ? "article" : undefined;
}

interface Page {
  text: string;
  title: string;
  description: string;
  writer: HtmlWriter;
}

function readPage(source: string, main: "main" | "article" | undefined): Page {
  const reader = pageReader(main);
  const parser = new Parser(reader.handler, { decodeEntities: true });
  try {
    parser.end(source);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    // Nested beyond reason: its words without its shape.
    const writer = new HtmlWriter();
    writer.write(source.replace(/<[^<>]*>/g, " "));
    return { text: writer.finish(), title: "", description: "", writer };
  }
  return reader.page();
}

function pageReader(main: "main" | "article" | undefined) {
  const writer = new HtmlWriter();
  let depth = 0;
  /** Depths at which the outermost open element of a kind was opened; 0: none is open. */
  let droppedAt = 0;
  let mainAt = 0;
  let headingAt = 0;
  let codeAt = 0;
  let titleAt = 0;
  let title = "";
  let description = "";
  let code = "";
  let language = "";
  let tables = 0;
  let row: { cells: string[]; head: boolean } | undefined;

  const on = (): boolean => droppedAt === 0 && (main === undefined || mainAt > 0);
  const endRow = (): void => {
    if (!row) return;
    const cell = writer.takeInline().replaceAll("|", "\\|");
    if (cell !== "") row.cells.push(cell);
    if (row.cells.some((text) => text !== "")) writer.row(row.cells, row.head);
    row = undefined;
  };
  const open = (name: string, attributes: Record<string, string>): void => {
    const anchor = attributes.id ?? (name === "a" ? attributes.name : undefined);
    if (anchor) writer.name(anchor);
    if (codeAt > 0) {
      if (name === "br") code += "\n";
      if (name === "code") language ||= LANGUAGE.exec(attributes.class ?? "")?.[1] ?? "";
      return;
    }
    if (/^h[1-6]$/.test(name) && headingAt === 0 && tables === 0) {
      writer.endBlock(true);
      headingAt = depth;
    } else if (name === "pre") {
      endRow();
      writer.endBlock(true);
      codeAt = depth;
      code = "";
      language = LANGUAGE.exec(attributes.class ?? "")?.[1] ?? attributes.lang ?? "";
    } else if (name === "table") {
      if (tables === 0) writer.endBlock(true);
      tables += 1;
    } else if (tables > 0) {
      if (tables === 1 && name === "tr") {
        endRow();
        row = { cells: [], head: false };
      } else if (tables === 1 && name === "th" && row) row.head = row.cells.length === 0 || row.head;
      else if (BLOCKS.has(name) || name === "li" || name === "br" || name === "tr") writer.write(" ");
    } else if (name === "ul" || name === "ol") writer.openList(name === "ol");
    else if (name === "li") writer.openItem();
    else if (name === "br") headingAt > 0 ? writer.write(" ") : writer.endBlock(false);
    else if (BLOCKS.has(name) && headingAt === 0) writer.endBlock(APART.has(name));
    if (name === "img" && attributes.alt) writer.write(` ${attributes.alt} `);
    if (name === "code" || name === "kbd") writer.write("`");
  };
  const close = (name: string): void => {
    if (codeAt > 0) {
      if (name === "div" && !code.endsWith("\n")) code += "\n";
      if (depth !== codeAt) return;
      codeAt = 0;
      writer.code(code, /^[\w+#.-]{1,30}$/.test(language) ? language : "");
      return;
    }
    if (name === "code" || name === "kbd") writer.write("`");
    if (headingAt > 0) {
      if (depth === headingAt) endHeading(Number(name[1]) || 1);
      return;
    }
    if (name === "table" && tables > 0) {
      if (tables === 1) endRow();
      tables -= 1;
      if (tables === 0) writer.endBlock(true);
    } else if (tables > 0) {
      if (tables > 1) writer.write(" ");
      else if (name === "td" || name === "th") row?.cells.push(writer.takeInline().replaceAll("|", "\\|"));
      else if (name === "tr") endRow();
      else if (name === "caption") writer.endBlock(false);
    } else if (name === "ul" || name === "ol") writer.closeList();
    else if (name === "li") writer.endBlock(false);
    else if (BLOCKS.has(name)) writer.endBlock(APART.has(name));
  };
  const endHeading = (level: number): void => {
    headingAt = 0;
    const text = writer
      .takeInline()
      .replaceAll("`", "")
      .replace(/^#+ |(?:\s*[¶§🔗]|\s#)+$/u, "")
      .trim();
    if (isHeading(text)) {
      writer.heading(level, text);
      return;
    }
    writer.write(text);
    writer.endBlock(true);
  };

  const handler = {
    onopentag(name: string, attributes: Record<string, string>): void {
      depth += 1;
      if (depth > MAX_DEPTH) throw new TooDeep();
      if (name === "title" && title === "") titleAt = depth;
      if (name === "meta" && /^(?:og:)?description$/i.test(attributes.name ?? attributes.property ?? "")) {
        description ||= (attributes.content ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_DESCRIPTION);
      }
      if (droppedAt > 0) return;
      if (mainAt === 0 && main && isMain(name, attributes, main)) mainAt = depth;
      if (isDropped(name, attributes, mainAt > 0)) droppedAt = depth;
      else if (on()) open(name, attributes);
    },
    onclosetag(name: string): void {
      if (titleAt === depth) titleAt = 0;
      if (droppedAt === 0 && on()) close(name);
      if (droppedAt === depth) droppedAt = 0;
      if (mainAt === depth) mainAt = 0;
      depth -= 1;
    },
    ontext(text: string): void {
      if (titleAt > 0) title += text;
      else if (!on()) return;
      else if (codeAt > 0) code += text;
      else writer.write(text);
    },
  };
  const page = (): Page => {
    endRow();
    return { text: writer.finish(), title: title.replace(/\s+/g, " ").trim().slice(0, 500), description, writer };
  };
  return { handler, page };
}

function isMain(name: string, attributes: Record<string, string>, main: "main" | "article"): boolean {
  return name === main || (main === "main" && attributes.role === "main");
}

function isDropped(name: string, attributes: Record<string, string>, inMain: boolean): boolean {
  if (DROPPED.has(name) || name === "head") return true;
  // Beside the content it is a side bar; within it a note.
  if (name === "aside" && !inMain) return true;
  if (attributes.role === "navigation" || attributes.role === "search") return true;
  return attributes.class !== undefined && attributes.class.length < 500 && NOISE.test(attributes.class);
}
