/**
 * PDF: the text of its pages. Sections follow the outline; without one every page is a section, so a citation names the
 * page. Scanned pages have no text; dex does no character recognition.
 */
import { getDocumentProxy } from "unpdf";
import { DexError } from "../../../kernel/errors.ts";
import { oneLine } from "../../../kernel/text.ts";
import { linesOf } from "../../lines.ts";
import { MAX_LEVEL, type ParsedDocument } from "../../model.ts";
import { buildSections } from "../../sections.ts";
import type { FoundHeading } from "../../structure.ts";
import { outliveLateFailures } from "./late_failures.ts";
import { layOut, PageLines } from "./layout.ts";
import { checkUnpackedSize } from "./unpacked_size.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf["getPage"]>>;
type TextContent = Awaited<ReturnType<Page["getTextContent"]>>;
type TextPiece = Extract<TextContent["items"][number], { str: string }>;
type OutlineItem = Awaited<ReturnType<Pdf["getOutline"]>>[number];

export const MAX_PAGES = 3000;
const MAX_TEXT_CHARS = 16 * 1024 * 1024;
const MAX_OUTLINE_ENTRIES = 5000;
const MAX_READ_MS = 120_000;
/** Pieces of text on one page. */
const MAX_PAGE_PIECES = 1_000_000;

/** Undefined: the PDF has no text. */
export async function parsePdf(bytes: Uint8Array): Promise<ParsedDocument | undefined> {
  checkUnpackedSize(bytes);
  outliveLateFailures();
  // PDF.js takes ownership of the buffer, so it gets a copy.
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0, useSystemFonts: false });
  try {
    const pages = await readPages(pdf);
    if (pages.every((lines) => lines.length === 0)) return undefined;
    const outline = await readOutline(pdf);
    const { text, headings } = compose(pages, outline);
    const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
    const title = "Title" in info && typeof info.Title === "string" ? info.Title.trim() : "";
    const sections = buildSections(linesOf(text), { headings });
    return { format: "pdf", title: title.slice(0, 500), text, sections };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** Lines of each page, without leading and trailing blank ones. */
async function readPages(pdf: Pdf): Promise<string[][]> {
  if (pdf.numPages > MAX_PAGES)
    throw new DexError("pdf_too_long", `it has ${pdf.numPages} pages, dex reads ${MAX_PAGES}`);
  const started = performance.now();
  const collected = new PageLines();
  let size = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    size += collected.add(await readPieces(page, MAX_TEXT_CHARS - size, started + MAX_READ_MS));
    page.cleanup();
  }
  return layOut(collected).map(linesOfPage);
}

/** The pieces of text of a page as they are found, so that a page without end is not unpacked whole. */
async function readPieces(page: Page, maxChars: number, until: number): Promise<TextPiece[]> {
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  const pieces: TextPiece[] = [];
  let chars = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const item of value.items) {
      if (!("str" in item)) continue;
      pieces.push(item);
      chars += item.str.length;
    }
    const problem = problemWith(pieces.length, chars, { maxChars, until });
    if (!problem) continue;
    reader.cancel(problem).catch(() => undefined);
    throw problem;
  }
  return pieces;
}

function problemWith(pieces: number, chars: number, { maxChars, until }: { maxChars: number; until: number }) {
  if (pieces > MAX_PAGE_PIECES || chars > maxChars)
    return new DexError("pdf_too_long", "it has more text than dex reads");
  if (performance.now() > until) return new DexError("pdf_too_slow", "its pages take too long to read");
  return undefined;
}

function linesOfPage(text: string): string[] {
  // Joins words hyphenated at a line end, so that search finds them.
  const joined = text.replace(/(\p{Ll})-[ \t]*\n(\p{Ll}+\S*)[ \t]?/gu, "$1$2\n");
  return joined === "" ? [] : joined.split("\n").map((line) => line.trimEnd());
}

interface OutlineEntry {
  title: string;
  level: number;
  /** From 0. */
  page: number;
}

async function readOutline(pdf: Pdf): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const add = async (items: readonly OutlineItem[], level: number): Promise<void> => {
    for (const item of items) {
      if (entries.length >= MAX_OUTLINE_ENTRIES) return;
      const page = await pageOf(pdf, item.dest).catch(() => undefined);
      const title = oneLine(item.title);
      if (page !== undefined && title !== "") entries.push({ title, level: Math.min(level, MAX_LEVEL), page });
      if (level < MAX_LEVEL * 2) await add(item.items, level + 1);
    }
  };
  const outline = await pdf.getOutline().catch(() => null);
  if (outline) await add(outline, 1);
  return entries.sort((one, other) => one.page - other.page);
}

async function pageOf(pdf: Pdf, dest: OutlineItem["dest"]): Promise<number | undefined> {
  const target = typeof dest === "string" ? await pdf.getDestination(dest) : dest;
  const page: unknown = target?.[0];
  if (typeof page === "number") return page;
  if (typeof page !== "object" || page === null || !("num" in page) || !("gen" in page)) return undefined;
  if (typeof page.num !== "number" || typeof page.gen !== "number") return undefined;
  return pdf.getPageIndex({ num: page.num, gen: page.gen });
}

function compose(pages: readonly string[][], outline: readonly OutlineEntry[]) {
  const text: string[] = [];
  const headings: FoundHeading[] = [];
  const head = (heading: string, level: number): void => {
    headings.push({ heading, level, first_line: text.length, last_line: text.length });
  };
  let next = 0;
  for (const [number, lines] of pages.entries()) {
    if (lines.length === 0 && outline[next]?.page !== number) continue;
    if (text.length > 0) text.push("");
    if (outline.length === 0) {
      text.push(`Page ${number + 1}`);
      head(`Page ${number + 1}`, 1);
    }
    let from = 0;
    for (; (outline[next]?.page ?? Number.POSITIVE_INFINITY) <= number; next += 1) {
      const { title = "", level = 1 } = outline[next] ?? {};
      const at = findTitle(lines, title, from);
      // A title without a line of its own on the page is inserted before the rest of the page.
      if (at === undefined) text.push(title);
      else {
        text.push(...lines.slice(from, at.first), lines.slice(at.first, at.last + 1).join(" "));
        from = at.last + 1;
      }
      head(title, level);
    }
    text.push(...lines.slice(from));
  }
  return { text: text.join("\n"), headings };
}

/** A heading may wrap onto this many lines. */
const MAX_TITLE_LINES = 4;
const MAX_TITLE_LINE_CHARS = 600;

/** The lines with this title, perhaps after a number. A title on one line is preferred. */
function findTitle(lines: readonly string[], title: string, from: number): { first: number; last: number } | undefined {
  const wanted = folded(title);
  if (wanted === "") return undefined;
  const own = lines.map((line, at) => (at < from || line.length >= MAX_TITLE_LINE_CHARS ? "" : folded(line)));
  const alone = own.indexOf(wanted, from);
  if (alone >= 0) return { first: alone, last: alone };
  for (let first = from; first < lines.length; first += 1) {
    let joined = own[first] ?? "";
    if (joined === "" || !wanted.startsWith(joined)) continue;
    for (let last = first + 1; last < Math.min(lines.length, first + MAX_TITLE_LINES); last += 1) {
      joined += lettersOf(lines[last] ?? "");
      if (joined === wanted) return { first, last };
      if (!wanted.startsWith(joined)) break;
    }
  }
  return undefined;
}

/** Letters and digits only, without a leading number. */
function folded(text: string): string {
  return lettersOf(text.replace(/^[\s\d.]+(?=\s)/, ""));
}

function lettersOf(text: string): string {
  return text
    .slice(0, MAX_TITLE_LINE_CHARS)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
