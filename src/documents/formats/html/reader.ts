/** Reads the events of the HTML parser, and writes the content of the page. */
import { oneLine } from "../../../kernel/text.ts";
import { isHeading } from "../../sections.ts";
import { Elements } from "./elements.ts";
import { type Attributes, isDropped, isLinkRow, isMain, type MainTag } from "./furniture.ts";
import { TableRows } from "./tables.ts";
import { HtmlWriter } from "./writer.ts";

/** The parser gets slower with depth; real pages come nowhere near this. */
const MAX_DEPTH = 1000;
const MAX_DESCRIPTION_CHARS = 2000;
const MAX_TITLE_CHARS = 500;

const BLOCKS = new Set(
  "p div section article main header aside blockquote figure figcaption address fieldset form details summary hr dd body html center hgroup search".split(
    " ",
  ),
);
/** Blocks followed by a blank line. */
const SPACED_BLOCKS = new Set("p section article main blockquote figure details hr".split(" "));
const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|brush:|sourceCode|highlight)[-\s]?([\w+#.-]+)/;

/** The title of a box in the text: it begins no section. */
const BOX_TITLE = /^(?:attention|caution|danger|hint|important|info|note|tip|warning)[:!]?$/i;
const BOX_TITLE_CLASS = /(?:^|\s)admonition-title(?:\s|$)/;
const HEADING = /^h[1-6]$/;
const LISTS = new Set(["ul", "ol", "li", "dl", "dt", "table", "pre"]);

function endsHeading(name: string): boolean {
  return BLOCKS.has(name) || LISTS.has(name) || HEADING.test(name);
}

export class TooDeep extends Error {}

export interface Page {
  text: string;
  title: string;
  description: string;
  writer: HtmlWriter;
}

/** Handles the parser's events. Depths are those at which the outermost open element of a kind was opened; 0: none open. */
export class PageReader {
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
  /** Code that is written as the cells of a table or as lines that are `div`s. */
  #codeForm: "" | "memname" | "fragment" = "";
  #language = "";
  /** Whether the last part of the innermost definition list was a term. */
  #wasTerm = false;
  /** The depth of the title of a box. */
  #boxTitleDepth = 0;
  #openTables = 0;
  #rows = new TableRows();
  /** The depth of code in a cell. */
  #cellCodeDepth = 0;
  #linkDepth = 0;
  #boldDepth = 0;
  readonly #elements: Elements;
  #parser: { startIndex: number } | undefined;

  constructor(main: MainTag, layout: ReadonlySet<number>) {
    this.#main = main;
    this.#elements = new Elements(layout);
  }

  onparserinit(parser: { startIndex: number }): void {
    this.#parser = parser;
  }

  onopentag(tag: string, attributes: Attributes): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new TooDeep();
    const name = this.#elements.open(tag, attributes, this.#parser?.startIndex ?? -1);
    if (name === "title" && this.#title === "") this.#titleDepth = this.#depth;
    if (name === "meta" && /^(?:og:)?description$/i.test(attributes.name ?? attributes.property ?? "")) {
      this.#description ||= oneLine(attributes.content ?? "").slice(0, MAX_DESCRIPTION_CHARS);
    }
    if (this.#droppedDepth > 0) return;
    if (this.#mainDepth === 0 && this.#main && isMain(name, attributes, this.#main)) this.#mainDepth = this.#depth;
    if (isDropped(name, attributes, this.#mainDepth > 0)) this.#droppedDepth = this.#depth;
    else if (this.#isContent) this.#open(name, attributes);
  }

  onclosetag(): void {
    const name = this.#elements.close();
    if (this.#titleDepth === this.#depth) this.#titleDepth = 0;
    if (this.#isContent) this.#close(name);
    if (this.#droppedDepth === this.#depth) this.#droppedDepth = 0;
    if (this.#mainDepth === this.#depth) this.#mainDepth = 0;
    this.#depth -= 1;
  }

  ontext(text: string): void {
    if (this.#titleDepth > 0) this.#title += text;
    else if (!this.#isContent) return;
    else if (this.#codeDepth > 0) this.#code += this.#codeForm === "fragment" ? text.replaceAll("\n", "") : text;
    else this.#writer.write(text, this.#linkDepth > 0, this.#boldDepth > 0);
  }

  page(): Page {
    this.#endRow();
    const text = this.#writer.finish();
    const title = oneLine(this.#title).slice(0, MAX_TITLE_CHARS);
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
    if (name === "a" && this.#linkDepth === 0) this.#linkDepth = this.#depth;
    if ((name === "b" || name === "strong") && this.#boldDepth === 0) this.#boldDepth = this.#depth;
    if (name === "pre" && this.#openTables === 0) this.#openCode(attributes);
    else if (HEADING.test(name) && this.#headingDepth === 0 && this.#mayHead) {
      this.#writer.endBlock(true);
      this.#headingDepth = this.#depth;
      this.#headingLevel = Number(name[1]);
    } else if (name === "table" || this.#openTables > 0) this.#openInTable(name, attributes);
    else this.#openBlock(name);
    if (BOX_TITLE_CLASS.test(attributes.class ?? "") && this.#openTables === 0) this.#boxTitleDepth = this.#depth;
    if (name === "img" && attributes.alt) this.#writer.write(` ${attributes.alt} `);
    if ((name === "code" || name === "kbd") && this.#cellCodeDepth === 0) this.#writer.write("`", true);
  }

  /** In a table, only the title of a part of it is a heading. */
  get #mayHead(): boolean {
    return this.#openTables === 0 || (this.#openTables === 1 && this.#rows.isTitle);
  }

  #openCode(attributes: Attributes): void {
    this.#writer.endBlock(true);
    this.#codeDepth = this.#depth;
    this.#code = "";
    const names = attributes.class;
    this.#codeForm = names === "memname" || names === "fragment" ? names : "";
    this.#language = languageIn(attributes) ?? attributes.lang ?? "";
  }

  /** Tables inside a table are written as text of the outer cell. */
  #openInTable(name: string, attributes: Attributes): void {
    if (name === "table") {
      if (this.#openTables === 0) {
        this.#writer.endBlock(true);
        this.#rows = new TableRows();
      }
      this.#openTables += 1;
    } else if (this.#openTables === 1 && (name === "tr" || this.#elements.startsRow(attributes))) {
      this.#endRow();
      this.#rows.openRow();
    }
    if (this.#openTables === 1 && (name === "td" || name === "th")) this.#rows.openCell(attributes);
    else if (name === "pre" && this.#cellCodeDepth === 0) {
      this.#cellCodeDepth = this.#depth;
      this.#writer.write(" `");
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
    if (this.#linkDepth === this.#depth) this.#linkDepth = 0;
    if (this.#boldDepth === this.#depth) this.#boldDepth = 0;
    if ((name === "code" || name === "kbd") && this.#cellCodeDepth === 0) this.#writer.write("`", true);
    if (this.#headingDepth > 0) {
      if (this.#depth === this.#headingDepth) this.#endHeading(this.#headingLevel);
    } else if (this.#openTables > 0) this.#closeInTable(name);
    else if (this.#boxTitleDepth === this.#depth) {
      this.#boxTitleDepth = 0;
      this.#writer.endLabel();
    } else if (name === "ul" || name === "ol" || name === "dl") this.#writer.closeList();
    else if (name === "li") this.#writer.endBlock(false);
    else if (BLOCKS.has(name) && this.#writer.isParagraph(BOX_TITLE)) this.#writer.endLabel();
    else if (BLOCKS.has(name) || HEADING.test(name)) this.#writer.endBlock(SPACED_BLOCKS.has(name), name !== "dd");
  }

  #closeInCode(name: string): void {
    if (name === "div" && (this.#codeForm === "fragment" || !this.#code.endsWith("\n"))) this.#code += "\n";
    if (this.#depth !== this.#codeDepth) return;
    this.#codeDepth = 0;
    const code = this.#codeForm === "memname" ? oneLine(this.#code) : this.#code;
    this.#writer.code(code, /^[\w+#.-]{1,30}$/.test(this.#language) ? this.#language : "");
  }

  #closeInTable(name: string): void {
    if (name === "table") {
      if (this.#openTables === 1) this.#endRow();
      this.#openTables -= 1;
      if (this.#openTables === 0) this.#writer.endBlock(true);
    } else if (name === "pre" && this.#cellCodeDepth === this.#depth) {
      this.#cellCodeDepth = 0;
      this.#writer.write("` ");
    } else if (this.#openTables > 1) this.#writer.write(" ");
    else if (name === "td" || name === "th") this.#rows.closeCell(this.#takeCell(), name === "th");
    else if (name === "tr") this.#endRow();
    else if (name === "caption") this.#writer.endBlock(false);
  }

  #endRow(): void {
    if (!this.#rows.isRowOpen) return;
    const cell = this.#takeCell();
    if (cell !== "") this.#rows.closeCell(cell, false);
    const row = this.#rows.closeRow();
    if (row && !isLinkRow(row.cells)) this.#writer.row(row.cells, row.isHead);
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
