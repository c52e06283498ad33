/**
 * HTML pages: the main content as readable text. Navigation, scripts and footers are dropped; nothing of a page is run or
 * fetched.
 */
import { Parser } from "htmlparser2";
import { linesOf } from "../../lines.ts";
import type { ParsedDocument } from "../../model.ts";
import { buildSections } from "../../sections.ts";
import type { MainTag } from "./furniture.ts";
import { type Page, PageReader, TooDeep } from "./reader.ts";
import { layoutTables } from "./tables.ts";
import { HtmlWriter } from "./writer.ts";

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
  const layout = layoutTables(source);
  const main = readPage(source, tag, layout);
  if (tag === undefined || (tag === "main" && main.text !== "")) return main;
  const whole = readPage(source, undefined, layout);
  return main.text.length < whole.text.length * MIN_ARTICLE_SHARE ? whole : main;
}

/** The element that holds the main content, if the page has one. */
function mainTag(source: string): MainTag {
  if (/<main[\s>]|\srole=["']?main\b/i.test(source)) return "main";
  return /<article[\s>]/i.test(source) ? "article" : undefined;
}

function readPage(source: string, main: MainTag, layout: ReadonlySet<number>): Page {
  const reader = new PageReader(main, layout);
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
