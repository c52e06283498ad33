/**
 * Parses a file into a document: its format by name and content, its text, its sections. No content makes this throw; a
 * file that is not a document gives a reason.
 */

import { errorMessage } from "../kernel/errors.ts";
import { ownMember } from "../kernel/own_member.ts";
import { formatBytes } from "../kernel/text.ts";
import { type Decoded, decodeText } from "./decode.ts";
import { markupOf } from "./formats/markup.ts";
import type { DocumentFormat, ParsedDocument } from "./model.ts";

export type ParseResult =
  | {
      document: ParsedDocument;
      /** Broken UTF-8 sequences that were replaced. */
      replaced: number;
    }
  | {
      skipped: "binary" | "too_large" | "empty" | "unreadable";
      /** A sentence without the file's name, which the caller knows. */
      reason: string;
    };

/** Upper limit of `docs.maxFileBytes`. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;
export const MAX_PDF_BYTES = 64 * 1024 * 1024;

const FORMATS: Readonly<Record<string, DocumentFormat>> = {
  md: "markdown",
  markdown: "markdown",
  mdown: "markdown",
  mkd: "markdown",
  mkdn: "markdown",
  mdwn: "markdown",
  qmd: "markdown",
  rmd: "markdown",
  mdc: "markdown",
  mdx: "mdx",
  rst: "rst",
  rest: "rst",
  adoc: "asciidoc",
  asciidoc: "asciidoc",
  asc: "asciidoc",
  html: "html",
  htm: "html",
  xhtml: "html",
  ipynb: "notebook",
  txt: "text",
  text: "text",
  pdf: "pdf",
};

/** `git-log.1`, `crontab.5`, but no release (`v1.2`), library or log. */
const MANUAL =
  /^(?!.*\.(?:so|log|out|err|bak|old|tar)\.)[a-z_](?:[\w+:-]*[a-z_+-])?(?:\.[a-z_][\w+-]*)*\.[1-8][a-z]{0,4}$/;

/** The format by file name; undefined: the content decides. */
export function formatOfName(path: string): DocumentFormat | undefined {
  const name = path.slice(path.search(/[^/\\]*$/)).toLowerCase();
  const dot = name.lastIndexOf(".");
  if (dot < 0) return undefined;
  return ownMember(FORMATS, name.slice(dot + 1)) ?? (MANUAL.test(name) ? "manual" : undefined);
}

export async function parseDocument(path: string, bytes: Uint8Array): Promise<ParseResult> {
  try {
    return await parse(path, bytes);
  } catch (error) {
    return { skipped: "unreadable", reason: `It could not be read (${errorMessage(error)}).` };
  }
}

/** Like `parseDocument`, for text that is already decoded, and Markdown if it is of a notebook. */
export async function parseDecoded(path: string, decoded: Decoded): Promise<ParseResult> {
  try {
    return await parseDecodedText(path, decoded);
  } catch (error) {
    return { skipped: "unreadable", reason: `It could not be read (${errorMessage(error)}).` };
  }
}

export const NOT_A_NOTEBOOK = {
  skipped: "unreadable",
  reason: "It has the name of a Jupyter notebook, but is not one.",
} as const;

/** The text itself, or the Markdown of a notebook's cells; undefined: its name says that it is a notebook, but it is not. */
export async function readableText(path: string, decoded: Decoded): Promise<Decoded | undefined> {
  if (formatOfName(path) !== "notebook" || decoded.text.trim() === "") return decoded;
  const { notebookMarkdown } = await import("./formats/notebook.ts");
  const text = notebookMarkdown(decoded.text);
  return text === undefined ? undefined : { ...decoded, text };
}

async function parse(path: string, bytes: Uint8Array): Promise<ParseResult> {
  if (isPdf(path, bytes)) {
    if (bytes.length > MAX_PDF_BYTES) return tooLarge(bytes.length, MAX_PDF_BYTES);
    const { readPdf } = await import("./formats/pdf/thread.ts");
    const document = await readPdf(bytes);
    if (!document) return { skipped: "empty", reason: "It is a PDF without text; dex does not read scanned pages." };
    return { document: { ...document, title: document.title || titleOfName(path) }, replaced: 0 };
  }
  if (bytes.length > MAX_TEXT_BYTES) return tooLarge(bytes.length, MAX_TEXT_BYTES);
  const decoded = formatOfName(path) === "pdf" ? undefined : decodeText(bytes);
  if (!decoded) return { skipped: "binary", reason: "It is a binary file, not text." };
  const readable = await readableText(path, decoded);
  return readable ? parseDecodedText(path, readable) : NOT_A_NOTEBOOK;
}

async function parseDecodedText(path: string, decoded: Decoded): Promise<ParseResult> {
  if (decoded.text.trim() === "") return { skipped: "empty", reason: "It has no text." };
  const format = await formatOf(path, decoded.text);
  const document = await parseText(decoded.text, format);
  if (document.sections.length === 0) return { skipped: "empty", reason: "It has no text." };
  return { document: { ...document, title: document.title || titleOfName(path) }, replaced: decoded.replaced };
}

type Parser = (text: string) => ParsedDocument;

const loaded = new Map<DocumentFormat, Parser>();

/** Each format is loaded for its first document; Node takes a tenth of a millisecond to import a module once more. */
async function parseText(text: string, format: DocumentFormat): Promise<ParsedDocument> {
  const parser = loaded.get(format) ?? (await loadParser(format));
  loaded.set(format, parser);
  return parser(text);
}

async function loadParser(format: DocumentFormat): Promise<Parser> {
  switch (format) {
    case "markdown":
    case "mdx": {
      const { parseMarkdown } = await import("./formats/markdown.ts");
      return (text) => parseMarkdown(text, format);
    }
    case "notebook":
      return (await import("./formats/notebook.ts")).parseNotebook;
    case "rst":
      return (await import("./formats/rst.ts")).parseRst;
    case "asciidoc":
      return (await import("./formats/asciidoc.ts")).parseAsciidoc;
    case "manual":
      return (await import("./formats/manual/manual.ts")).parseManual;
    case "html":
      return (await import("./formats/html/html.ts")).parseHtml;
    default:
      return (await import("./formats/plain.ts")).parsePlain;
  }
}

/** By its signature. Other bytes may precede it, but then only the name tells a PDF from a text about PDFs. */
export function isPdf(path: string, bytes: Uint8Array): boolean {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).indexOf("%PDF-");
  return at === 0 || (at > 0 && formatOfName(path) === "pdf");
}

/** By name. The content decides for a `.txt`, and for a name without a known extension (README, web pages). */
async function formatOf(path: string, text: string): Promise<DocumentFormat> {
  const name = formatOfName(path);
  const named = name === "manual" && !(await import("./formats/manual/manual.ts")).isManual(text) ? undefined : name;
  if (named !== undefined && named !== "text") return named;
  return (named === undefined ? formatOfText(text) : undefined) ?? markupOf(text) ?? "text";
}

/** HTML by its first tag, Markdown by its markup. */
function formatOfText(text: string): DocumentFormat | undefined {
  const head = text.slice(0, 20_000);
  const start = head.replace(/<!--[\s\S]*?-->|<\?xml[^>]*>/g, "").trimStart();
  if (/^<(?:!doctype html|html|head|body)\b/i.test(start)) return "html";
  const markdown = /^(?:#{1,6} \S|```|~~~|\[[^\]\n]+\]: \S|.{1,200}\]\(\S+\))/m.test(head);
  return markdown ? "markdown" : undefined;
}

function titleOfName(path: string): string {
  const name = path.split(/[/\\]/).findLast((part) => part !== "") ?? "";
  return name.replace(/(?<=.)\.[^.]*$/, "");
}

function tooLarge(size: number, limit: number): ParseResult {
  return {
    skipped: "too_large",
    reason: `It has ${formatBytes(size)}; dex reads at most ${formatBytes(limit)}.`,
  };
}
