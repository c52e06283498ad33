/**
 * HTML pages: the main content as readable text. Navigation, scripts and footers are dropped; nothing of a page is run or
 * fetched.
 */
import { Parser } from "htmlparser2";
import { linesOf } from "../lines.ts";
import type { ParsedDocument } from "../model.ts";
import { buildSections, isHeading } from "../sections.ts";
import { HtmlWriter } from "./html_writer.ts";

/** The parser gets slower with depth; real pages come nowhere near this. */
const MAX_DEPTH = 1000;
const MAX_DESCRIPTION_CHARS = 2000;
const MAX_TITLE_CHARS = 500;

const DROPPED = new Set(
  "script style noscript template svg math nav footer iframe object canvas audio video select textarea button dialog input".split(
    " ",
  ),
);
const BLOCKS = new Set(
  "p div section article main header aside blockquote figure figcaption address fieldset form details summary hr dd body html center hgroup search".split(
    " ",
  ),
);
/** Blocks followed by a blank line. */
const SPACED_BLOCKS = new Set("p section article main blockquote figure details hr".split(" "));
/** Permalink signs next to headings, line numbers next to code, copy buttons, links to the pages before and after. */
const NOISE =
  /(?:^|[\s_-])(?:nav-?(?:header|footer|bar)|bread-?crumbs?|headerlink|header-anchor|anchor-?link|hash-?link|permalink|heading-anchor|linenos?|gutter|sr-only|visually-hidden|copy-?(?:button|btn))(?:$|[\s_-])/i;
const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|brush:|sourceCode|highlight)[-\s]?([\w+#.-]+)/;

/** The title of a box in the text: it begins no section. */
const BOX_TITLE = /^(?:attention|caution|danger|hint|important|info|note|tip|warning)[:!]?$/i;
const BOX_TITLE_CLASS = /(?:^|\s)admonition-title(?:\s|$)/;
const HEADING = /^h[1-6]$/;
const LISTS = new Set(["ul", "ol", "li", "dl", "dt", "table", "pre"]);

function endsHeading(name: string): boolean {
  return BLOCKS.has(name) || LISTS.has(name) || HEADING.test(name);
}

class TooDeep extends Error {}

export function parseHtml(source: string): ParsedDocument {
  const page = mainPage(source);
  const sections = buildSections(linesOf(page.text), page.writer);
  const title = page.writer.headings.find(({ level }) => level === 1)?.heading ?? page.title;
  const { text, description } = page;
  return { format: "html", title, text, sections, ...(description && { description }) };
}

/** Articles may be cards next to the content: they count as the content when they have this share of the text. */
const MIN_ARTICLE_SHARE = 0.4;

function mainPage(source: string): Page {
  const tag = mainTag(source);
  const main = readPage(source, tag);
  if (tag === undefined || (tag === "main" && main.text !== "")) return main;
  const whole = readPage(source, undefined);
  return main.text.length < whole.text.length * MIN_ARTICLE_SHARE ? whole : main;
}

/** The element that holds the main content, if the page has one. */
function mainTag(source: string): MainTag {
  if (/<main[\s>]|\srole=["']?main\b/i.test(source)) return "main";
  return /<article[\s>]/i.test(source) ? "article" : undefined;
}

interface Page {
  text: string;
  title: string;
  description: string;
  writer: HtmlWriter;
}

function readPage(source: string, main: MainTag): Page {
  const reader = new PageReader(main);
  const parser = new Parser(reader, { decodeEntities: true });
  try {
    parser.end(source);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    // Nested too deeply: keep the words without the structure.
    const writer = new HtmlWriter();
    writer.write(source.replace(/<[^<>]*>/g, " "));
    return { text: writer.finish(), title: "", description: "", writer };
  }
  return reader.page();
}

type MainTag = "main" | "article" | undefined;
type Attributes = Record<string, string>;

/** Handles the parser's events. Depths are those at which the outermost open element of a kind was opened; 0: none open. */
class PageReader {
  readonly #writer = new HtmlWriter();
  readonly #main: MainTag;
  #depth = 0;
  #droppedDepth = 0;
  #mainDepth = 0;
  #headingDepth = 0;
  #headingLevel = 1;
  #codeDepth = 0;
  #titleDepth = 0;
  #title = "";
  #description = "";
  #code = "";
  #language = "";
  /** Whether the last part of the innermost definition list was a term. */
  #wasTerm = false;
  /** The depth of the title of a box. */
  #boxTitleDepth = 0;
  #openTables = 0;
  #row: { cells: string[]; head: boolean } | undefined;

  constructor(main: MainTag) {
    this.#main = main;
  }

  onopentag(name: string, attributes: Attributes): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new TooDeep();
    if (name === "title" && this.#title === "") this.#titleDepth = this.#depth;
    if (name === "meta" && /^(?:og:)?description$/i.test(attributes.name ?? attributes.property ?? "")) {
      this.#description ||= spaced(attributes.content ?? "").slice(0, MAX_DESCRIPTION_CHARS);
    }
    if (this.#droppedDepth > 0) return;
    if (this.#mainDepth === 0 && this.#main && isMain(name, attributes, this.#main)) this.#mainDepth = this.#depth;
    if (isDropped(name, attributes, this.#mainDepth > 0)) this.#droppedDepth = this.#depth;
    else if (this.#isContent) this.#open(name, attributes);
  }

  onclosetag(name: string): void {
    if (this.#titleDepth === this.#depth) this.#titleDepth = 0;
    if (this.#isContent) this.#close(name);
    if (this.#droppedDepth === this.#depth) this.#droppedDepth = 0;
    if (this.#mainDepth === this.#depth) this.#mainDepth = 0;
    this.#depth -= 1;
  }

  ontext(text: string): void {
    if (this.#titleDepth > 0) this.#title += text;
    else if (!this.#isContent) return;
    else if (this.#codeDepth > 0) this.#code += text;
    else this.#writer.write(text);
  }

  page(): Page {
    this.#endRow();
    const text = this.#writer.finish();
    const title = spaced(this.#title).slice(0, MAX_TITLE_CHARS);
    return { text, title, description: this.#description, writer: this.#writer };
  }

  get #isContent(): boolean {
    return this.#droppedDepth === 0 && (this.#main === undefined || this.#mainDepth > 0);
  }

  #open(name: string, attributes: Attributes): void {
    const anchor = attributes.id ?? (name === "a" ? attributes.name : undefined);
    if (anchor) this.#writer.name(anchor);
    if (this.#codeDepth > 0) {
      if (name === "br") this.#code += "\n";
      if (name === "code") this.#language ||= languageIn(attributes) ?? "";
      return;
    }
    // A browser shows such a block below an unclosed heading, so the heading ends before it.
    if (this.#headingDepth > 0 && endsHeading(name) && this.#writer.hasInline()) this.#endHeading(this.#headingLevel);
    if (name === "pre") this.#openCode(attributes);
    else if (HEADING.test(name) && this.#headingDepth === 0 && this.#openTables === 0) {
      this.#writer.endBlock(true);
      this.#headingDepth = this.#depth;
      this.#headingLevel = Number(name[1]);
    } else if (name === "table" || this.#openTables > 0) this.#openInTable(name);
    else this.#openBlock(name);
    if (BOX_TITLE_CLASS.test(attributes.class ?? "") && this.#openTables === 0) this.#boxTitleDepth = this.#depth;
    if (name === "img" && attributes.alt) this.#writer.write(` ${attributes.alt} `);
    if (name === "code" || name === "kbd") this.#writer.write("`");
  }

  #openCode(attributes: Attributes): void {
    this.#endRow();
    this.#writer.endBlock(true);
    this.#codeDepth = this.#depth;
    this.#code = "";
    this.#language = languageIn(attributes) ?? attributes.lang ?? "";
  }

  /** Tables inside a table are written as text of the outer cell. */
  #openInTable(name: string): void {
    if (name === "table") {
      if (this.#openTables === 0) this.#writer.endBlock(true);
      this.#openTables += 1;
    } else if (this.#openTables === 1 && name === "tr") {
      this.#endRow();
      this.#row = { cells: [], head: false };
    } else if (this.#openTables === 1 && name === "th" && this.#row) {
      this.#row.head = this.#row.cells.length === 0 || this.#row.head;
    } else if (BLOCKS.has(name) || name === "li" || name === "br" || name === "tr") this.#writer.write(" ");
  }

  #openBlock(name: string): void {
    if (name === "ul" || name === "ol" || name === "dl") this.#writer.openList(name === "ol");
    else if (name === "li") this.#writer.openItem();
    else if (name === "dt") this.#openTerm();
    else if (name === "br") this.#headingDepth > 0 ? this.#writer.write(" ") : this.#writer.endBlock(false);
    else if (name === "dd") this.#openDescription();
    else if (BLOCKS.has(name) && this.#headingDepth === 0) this.#writer.endBlock(SPACED_BLOCKS.has(name), true);
  }

  /** Terms that share a description are one item. */
  #openTerm(): void {
    if (this.#wasTerm && this.#writer.hasInline()) this.#writer.write(", ");
    else this.#writer.openItem();
    this.#wasTerm = true;
  }

  #openDescription(): void {
    if (this.#wasTerm) this.#writer.endLabel();
    else this.#writer.endBlock(false);
    this.#wasTerm = false;
  }

  #close(name: string): void {
    if (this.#codeDepth > 0) {
      this.#closeInCode(name);
      return;
    }
    if (name === "code" || name === "kbd") this.#writer.write("`");
    if (this.#headingDepth > 0) {
      if (this.#depth === this.#headingDepth) this.#endHeading(this.#headingLevel);
    } else if (this.#openTables > 0) this.#closeInTable(name);
    else if (this.#boxTitleDepth === this.#depth) {
      this.#boxTitleDepth = 0;
      this.#writer.endLabel();
    } else if (name === "ul" || name === "ol" || name === "dl") this.#writer.closeList();
    else if (name === "li") this.#writer.endBlock(false);
    else if (BLOCKS.has(name) || HEADING.test(name)) this.#writer.endBlock(SPACED_BLOCKS.has(name));
  }

  #closeInCode(name: string): void {
    if (name === "div" && !this.#code.endsWith("\n")) this.#code += "\n";
    if (this.#depth !== this.#codeDepth) return;
    this.#codeDepth = 0;
    this.#writer.code(this.#code, /^[\w+#.-]{1,30}$/.test(this.#language) ? this.#language : "");
  }

  #closeInTable(name: string): void {
    if (name === "table") {
      if (this.#openTables === 1) this.#endRow();
      this.#openTables -= 1;
      if (this.#openTables === 0) this.#writer.endBlock(true);
    } else if (this.#openTables > 1) this.#writer.write(" ");
    else if (name === "td" || name === "th") this.#row?.cells.push(this.#takeCell());
    else if (name === "tr") this.#endRow();
    else if (name === "caption") this.#writer.endBlock(false);
  }

  #endRow(): void {
    const row = this.#row;
    if (!row) return;
    const cell = this.#takeCell();
    if (cell !== "") row.cells.push(cell);
    if (row.cells.some((text) => text !== "")) this.#writer.row(row.cells, row.head);
    this.#row = undefined;
  }

  #takeCell(): string {
    return this.#writer.takeInline().replaceAll("|", "\\|");
  }

  #endHeading(level: number): void {
    this.#headingDepth = 0;
    const text = this.#writer
      .takeInline()
      .replaceAll("`", "")
      .replace(/^#+ |(?:\s*[¶§🔗]|\s#)+$/u, "")
      .trim();
    if (isHeading(text) && !BOX_TITLE.test(text)) {
      this.#writer.heading(level, text);
      return;
    }
    this.#writer.write(text);
    if (isHeading(text)) this.#writer.endLabel();
    else this.#writer.endBlock(true);
  }
}

function languageIn({ class: names }: Attributes): string | undefined {
  return LANGUAGE.exec(names ?? "")?.[1];
}

function spaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function isMain(name: string, attributes: Attributes, main: "main" | "article"): boolean {
  return name === main || (main === "main" && attributes.role === "main");
}

function isDropped(name: string, attributes: Attributes, inMain: boolean): boolean {
  if (DROPPED.has(name) || name === "head") return true;
  // Outside the main content it is a side bar; inside it a note.
  if (name === "aside" && !inMain) return true;
  if (attributes.role === "navigation" || attributes.role === "search") return true;
  return attributes.class !== undefined && attributes.class.length < 500 && NOISE.test(attributes.class);
}
