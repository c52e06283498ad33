/**
 * Jupyter notebooks (.ipynb), versions 2 to 4, as Markdown: Markdown cells as they are, code cells as fenced code. Outputs
 * and attachments are left out: they are results, and often images in base64.
 */
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  parseJson,
} from "../../kernel/json.ts";
import { oneLine } from "../../kernel/text.ts";
import type { ParsedDocument } from "../model.ts";
import { parseMarkdown } from "./markdown.ts";

/** Further cells are left out. */
const MAX_CELLS = 100_000;
const MAX_LANGUAGE_CHARS = 40;
const LANGUAGE = /^[\w+#.-]+$/;

/** The cells of the file as Markdown; undefined: it is not a notebook. */
export function notebookMarkdown(json: string): string | undefined {
  const notebook = parseJson(json);
  if (!isObject(notebook)) return undefined;
  const cells = cellsOf(notebook);
  if (!cells) return undefined;
  const { metadata } = notebook;
  const language =
    languageOf(asObject(metadata).language_info) ?? languageOf(asObject(metadata).kernelspec) ?? "python";
  const parts = cells.slice(0, MAX_CELLS).map((cell) => cellMarkdown(cell, language));
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Its Markdown, as `notebookMarkdown` gave it. */
export function parseNotebook(markdown: string): ParsedDocument {
  return { ...parseMarkdown(markdown), format: "notebook" };
}

/** Before version 4 the cells were in worksheets. */
function cellsOf(notebook: { cells?: Json; worksheets?: Json }): Json[] | undefined {
  if (Array.isArray(notebook.cells)) return notebook.cells;
  if (!Array.isArray(notebook.worksheets)) return undefined;
  return notebook.worksheets.flatMap((sheet) => asArray(asObject(sheet).cells));
}

function cellMarkdown(value: Json, language: string): string {
  const cell = asObject(value);
  const type = asString(cell.cell_type);
  const source = sourceOf(cell.source ?? cell.input).replace(/\r\n?/g, "\n");
  if (source.trim() === "") return "";
  if (type === "code") return fenced(source, languageOf(cell) ?? language);
  // A type of cell of version 3.
  if (type === "heading") {
    const level = Math.min(6, Math.max(1, Math.trunc(asNumber(cell.level) ?? 1)));
    return `${"#".repeat(level)} ${oneLine(source)}`;
  }
  if (type === "markdown") return closed(source);
  return type === "raw" ? fenced(source, "") : "";
}

/** Text, or a list of lines with their line ends. */
function sourceOf(source: Json | undefined): string {
  if (typeof source === "string") return source;
  return asArray(source)
    .filter((line) => typeof line === "string")
    .join("");
}

function fenced(source: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(source) + 1));
  return `${fence}${language}\n${source.trimEnd()}\n${fence}`;
}

function longestRun(source: string): number {
  return (source.match(/`{3,}/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** A fence that is not closed ends with its cell, not with the notebook. */
function closed(source: string): string {
  let open = "";
  for (const line of source.split("\n")) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) continue;
    if (open === "") open = fence;
    else if (fence[0] === open[0] && fence.length >= open.length) open = "";
  }
  const text = source.trimEnd();
  return open === "" ? text : `${text}\n${open}`;
}

function languageOf(value: Json | undefined): string | undefined {
  const name = firstString(asObject(value), "language", "name")?.toLowerCase();
  return name !== undefined && name.length <= MAX_LANGUAGE_CHARS && LANGUAGE.test(name) ? name : undefined;
}
