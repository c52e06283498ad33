/**
 * Splits a passage into units that can be quoted alone: sentences, list items, table rows, and code blocks, which are
 * never cut. It works line by line and for any light markup, because a passage is only a part of a parsed document.
 */

import { dedented, indentOf } from "../../text/indent.ts";
import { laidOut } from "./layout/layout.ts";
import { withLeads } from "./leads.ts";
import { directiveText, speaksAlone } from "./markup/directives.ts";
import { isMarks, isUnderline, RST_CODE } from "./markup/fences.ts";
import type { Unit } from "./unit.ts";

const FENCE = /^\s{0,3}(`{3,}|~{3,}|-{4}\s*$|\.{4}\s*$)/;
const DELIMITER = /^(?:-{4,}|\.{4,})\s*$/;
const HEADING = /^\s{0,3}#{1,6}\s|^={1,6}\s\S/;
/** A field of reStructuredText (`:param name: text`) says as much alone as an item of a list. */
const ITEM = /^\s*(?:(?:[-*+•]|\d{1,3}[.)]|#\.)\s+|:\w[^:\n`]{0,60}:(?:\s|$))/;
/** reStructuredText: an item that is numbered by its place. */
const AUTOMATIC_NUMBER = /^#\.\s+/;
const ROW = /^\s*\|.*\|\s*$/;
/** The line below the head of a table. The pipes at the ends of its lines may be missing. */
const RULE_ROW = /^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*){0,40}(?:\|\s*)?$/;
const INDENTED = /^(?: {4}|\t)\s*\S/;
/** reStructuredText: a paragraph whose next, indented block is literal. */
const RST_LITERAL = /(?:^|[^:])::\s*$/;
/** Any other directive of reStructuredText: its name and argument. */
const DIRECTIVE = /^\.\. ([\w:-]{1,60})::(?:\s+(.*))?$/;
/** One that describes an option, a function or the like: the text below it says nothing without its name. */
const DESCRIBES =
  /^(?:\w+:)?(?:attribute|class|confval|cmdoption|data|decorator|describe|envvar|exception|function|macro|method|object|option|property|setting|type|var)$/;
const DESCRIBED_INDENT = 4;
const OPTION = /^\s*:[\w-]+:/;
/** AsciiDoc: a line of attributes above a listing, a term of a labelled list, and the sign that continues an item. */
const ASCIIDOC_SOURCE = /^\[(?:source|listing|,)[^\]]*\]\s*$/;
/** Plain text and PDF: a term on a line of its own above its explanation. */
const LONE_TERM = /^(?=\S*[\p{L}\d])[^\s.,;:!?]{2,40}$/u;
/** A row that goes on about the one above it. */
const EMPTY_CELL = /^\s*\|\s*\|/;
const TERM = /^\S[^\n]*?::(?:\s+\S|\s*$)/;
const CONTINUATION = /^\+\s*$/;
/** A line that stands for another file, which the passage does not have. */
const INCLUDE = /^\s*include::\S[^\n]*\]\s*$/;
/** A line without text to quote: a comment, an anchor, a label or target of reStructuredText, names of a place at the right. */
const COMMENT =
  /^\s*<!--.*-->\s*$|^\[\[[^\]\n]*\]\]\s*$|^\[#[\w-]+\]\s*$|^\s*<a\s[^<>]*>\s*<\/a>\s*$|^\s*<\/?(?:details|summary|div|p|br|center|picture)\b[^<>]*>\s*$|^\.\. (?:_[^\s]|\|)|^ *\t[ \t]*(?:\*[^\s*]{1,80}\*\s*){1,9}$/;
/** The line above a text that can be unfolded, mostly a question and its answer; and the end of that text. */
const SUMMARY = /^\s*(?:<details[^<>]*>\s*)?<summary>(.*)<\/summary>\s*(?:<br\s*\/?>)?\s*$/i;
/** A summary that says nothing about the text. */
const EMPTY_SUMMARY = /^\s*(?:click|expand|show|view|see|open|details|more|example)\b/i;
const SUMMARY_END = /<\/details>/i;
/** Markdown: a line of a quotation, the kind of a callout in one, and an item that interrupts a paragraph. */
const QUOTED = /^ {0,3}> ?/;
const CALLOUT = /^\[!\w+\]\s*$/;
const INTERRUPTING_ITEM = /^ {0,3}(?:[-*+]|1[.)])\s+\S/;
const SENTENCE_END = /(?<=[.!?…]["'”’)\]`*_]{0,4})\s+(?=[\p{Lu}\p{Lo}\p{N}`*_"'“([])|(?<=[。！？])/u;
/** An abbreviation, whose full stop does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|no|approx|incl|resp|pp?|figs?|sec|chap|vol|Mr|Dr|St)\.$/i;

/** Words of a line of prose. */
const MIN_PROSE_WORDS = 4;
const MAX_PASSAGE_CHARS = 200_000;

export function unitsOf(text: string): Unit[] {
  return withLeads(splitUnits(text).filter((unit) => !isEmptyListing(unit)));
}

/** A listing without lines, or in AsciiDoc with lines that are in another file. */
function isEmptyListing({ kind, text }: Unit): boolean {
  if (kind !== "code") return false;
  return text.split("\n").every((line) => line.trim() === "" || FENCE.test(line) || INCLUDE.test(line));
}

function splitUnits(text: string): Unit[] {
  const lines = laidOut(unquoted(text.slice(0, MAX_PASSAGE_CHARS).split(/\r?\n/)));
  const units: Unit[] = [];
  let block = 0;
  let at = 0;
  let summary: number | undefined;
  while (at < lines.length) {
    const inList = units.at(-1)?.kind === "item";
    const end = blockEnd(lines, at, inList);
    const part = lines.slice(at, end);
    const made = announcesLiteral(lines, at - 1) ? [literal(part, "", block)] : unitsOfBlock(part, block, inList);
    const isSummary = SUMMARY.test(part[0] ?? "");
    if (isSummary || SUMMARY_END.test(part[0] ?? "")) summary = undefined;
    units.push(...(summary === undefined ? made : made.map((unit) => ({ ...unit, summary }))));
    if (isSummary && made.length > 0) summary = block;
    if (made.length > 0) block = (made.at(-1)?.block ?? block) + 1;
    at = end;
  }
  return units;
}

/** The lines without the marks of quotations; a quotation is separate from the text around it. */
function unquoted(lines: readonly string[]): string[] {
  let wasQuoted = false;
  let fence = "";
  return lines.flatMap((line) => {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (mark !== "" && (fence === "" || mark.startsWith(fence))) fence = fence === "" ? mark : "";
    const isQuoted = fence === "" && mark === "" && QUOTED.test(line);
    const plain = isQuoted ? line.replace(QUOTED, "") : line;
    const boundary = isQuoted === wasQuoted ? [] : [""];
    wasQuoted = isQuoted;
    return CALLOUT.test(plain) ? boundary : [...boundary, plain];
  });
}

/** The index of the first line after the block that starts at `from`. */
function blockEnd(lines: readonly string[], from: number, inList: boolean): number {
  const first = lines[from] ?? "";
  // The attributes of a listing stay with it.
  if (ASCIIDOC_SOURCE.test(first) && DELIMITER.test(lines[from + 1] ?? "")) return fenceEnd(lines, from + 1, DELIMITER);
  if (RST_CODE.test(first)) return literalEnd(lines, from);
  if (FENCE.test(first) && !isUnderline(lines, from)) return fenceEnd(lines, from);
  if (FENCE.test(lines[from + 1] ?? "") && isUnderline(lines, from + 1)) return from + 2;
  if (first.trim() === "" || HEADING.test(first) || COMMENT.test(first) || SUMMARY.test(first)) return from + 1;
  if (DIRECTIVE.test(first)) return runEnd(lines, from, (line) => line.trim() === "" || /^\s/.test(line));
  if (announcesLiteral(lines, from - 1)) return literalEnd(lines, from - 1);
  if (isIndentedProse(lines, from)) return runEnd(lines, from, (line) => INDENTED.test(line) && !ITEM.test(line));
  if (isIndentedCode(first, inList)) return runEnd(lines, from, (line) => line.trim() === "" || INDENTED.test(line));
  if (isTableHead(lines, from)) return runEnd(lines, from, (line) => line.includes("|"));
  if (ROW.test(first)) return runEnd(lines, from, (line) => ROW.test(line));
  const isList = ITEM.test(first) || TERM.test(first);
  return runEnd(
    lines,
    from,
    (line, at) =>
      line.trim() !== "" &&
      !FENCE.test(line) &&
      !HEADING.test(line) &&
      !ROW.test(line) &&
      !isTableHead(lines, at) &&
      !COMMENT.test(line) &&
      !SUMMARY.test(line) &&
      !ASCIIDOC_SOURCE.test(line) &&
      (isList || !INTERRUPTING_ITEM.test(line)),
  );
}

function fenceEnd(lines: readonly string[], from: number, opening = FENCE): number {
  const [whole = "", fence = whole.trim()] = opening.exec(lines[from] ?? "") ?? [];
  for (let i = from + 1; i < lines.length; i += 1) if ((lines[i] ?? "").trim().startsWith(fence)) return i + 1;
  // Four dashes without a closing line are a horizontal rule.
  return /^[-.]/.test(fence) ? from + 1 : lines.length;
}

/** Whether the text before the blank line at `blank` ends in `::` and an indented block follows. */
function announcesLiteral(lines: readonly string[], blank: number): boolean {
  if (blank < 1 || (lines[blank] ?? "").trim() !== "") return false;
  let above = blank;
  while (above > 0 && (lines[above] ?? "").trim() === "") above -= 1;
  const text = lines[above] ?? "";
  return RST_LITERAL.test(text) && !RST_CODE.test(text) && indentOf(lines[blank + 1] ?? "") > indentOf(text);
}

/** The end of the lines that are indented deeper than the line that announces them, which is at or above `from`. */
function literalEnd(lines: readonly string[], from: number): number {
  let above = from;
  while (above > 0 && (lines[above] ?? "").trim() === "") above -= 1;
  const indent = indentOf(lines[above] ?? "");
  const end = runEnd(lines, from, (line) => line.trim() === "" || indentOf(line) > indent);
  let last = end;
  while (last > from + 1 && (lines[last - 1] ?? "").trim() === "") last -= 1;
  return last;
}

function isTableHead(lines: readonly string[], at: number): boolean {
  const rule = lines[at + 1] ?? "";
  return (lines[at] ?? "").includes("|") && rule.includes("|") && RULE_ROW.test(rule);
}

function runEnd(lines: readonly string[], from: number, goesOn: (line: string, at: number) => boolean): number {
  let end = from + 1;
  while (end < lines.length && goesOn(lines[end] ?? "", end)) end += 1;
  return end;
}

/** Below an item, an indented item is not code. */
function isIndentedCode(line: string, inList: boolean): boolean {
  return INDENTED.test(line) && !(inList && ITEM.test(line));
}

/** In plain text, an indented paragraph need not be code: most lines have several words and few signs, and a sentence ends. */
function isIndentedProse(lines: readonly string[], from: number): boolean {
  if (!INDENTED.test(lines[from] ?? "")) return false;
  const paragraph = lines.slice(
    from,
    runEnd(lines, from, (line) => line.trim() !== ""),
  );
  const text = paragraph.join("\n");
  const words = text.match(/(?<=^|[\s(])[\p{L}'’-]{2,}(?=[\s.,:;!?)]|$)/gmu)?.length ?? 0;
  const signs = text.match(/[{}[\]=<>$|\\;#&*+/]/g)?.length ?? 0;
  return (
    paragraph.length > 1 && words >= paragraph.length * MIN_PROSE_WORDS && signs * 4 <= words && /[.!?]\s*$/m.test(text)
  );
}

function unitsOfBlock(lines: readonly string[], block: number, inList: boolean): Unit[] {
  const first = lines[0] ?? "";
  const indent = indentOf(first);
  const title = SUMMARY.exec(first)?.[1];
  if (title !== undefined) {
    const plain = title.replace(/<[^<>]*>/g, "");
    return EMPTY_SUMMARY.test(plain) ? [] : sentenceUnits(plain, block, indent);
  }
  if (ASCIIDOC_SOURCE.test(first)) {
    const language = /,\s*([\w+#.-]+)/.exec(first)?.[1] ?? "";
    return lines.length > 2 ? [literal(lines.slice(2, -1), language, block)] : [];
  }
  const directive = RST_CODE.exec(first);
  if (directive) {
    // Options such as `:caption:` come before the first blank line.
    const blank = lines.findIndex((line, at) => at > 0 && line.trim() === "");
    const options = lines.slice(1).findIndex((line) => !/^\s+:[\w-]+:/.test(line)) + 1;
    const code = lines.slice(blank > 0 && blank <= options ? blank : options);
    return code.some((line) => line.trim() !== "") ? [literal(code, directive[2] ?? "", block)] : [];
  }
  if (FENCE.test(first))
    return lines.length > 1 ? [{ kind: "code", text: dedented(lines).join("\n").trim(), block, indent }] : [];
  if (first.trim() === "" || HEADING.test(first) || COMMENT.test(first) || isMarks(first)) return [];
  const other = DIRECTIVE.exec(first);
  if (other) return unitsOfDirective(other[1] ?? "", other[2] ?? "", lines.slice(1), block);
  if (isIndentedCode(first, inList) && !isIndentedProse(lines, 0)) return [literal(lines, "", block)];
  if (ROW.test(first) || isTableHead(lines, 0)) return rows(lines, block);
  const isTerm = TERM.test(first) && (lines.length > 1 || !RST_LITERAL.test(first));
  if (ITEM.test(first) || isTerm) return items(lines, block);
  // An underlined heading is a block of its own, or starts one.
  if (isUnderline(lines, 1)) return unitsOfBlock(lines.slice(2), block, inList);
  const made = sentenceUnits(lines.join(" ").replace(/[.!]?\s*::\s*$/, ":"), block, indent);
  const explains = lines.length > 1 && LONE_TERM.test(first.trim());
  return explains ? made.map((unit, at) => (at === 0 ? unit : { ...unit, continues: true })) : made;
}

function sentenceUnits(text: string, block: number, indent: number): Unit[] {
  return sentences(text).map((each) => ({ kind: "sentence", text: each, block, indent }));
}

/** Code without its common indentation, in a fence. */
function literal(lines: readonly string[], language: string, block: number): Unit {
  const code = dedented(lines).join("\n");
  const text = `\`\`\`${language}\n${code.replace(/^(?:\s*\n)+/, "").trimEnd()}\n\`\`\``;
  return { kind: "code", text, block, indent: indentOf(lines.find((line) => line.trim() !== "") ?? "") };
}

/** The text below a directive is prose, which starts with the directive's argument. */
function unitsOfDirective(name: string, argument: string, lines: readonly string[], block: number): Unit[] {
  const options = lines.findIndex((line) => !OPTION.test(line));
  const body = dedented(options < 0 ? [] : lines.slice(options));
  const units = splitUnits(body.join("\n")).map((unit) => ({ ...unit, block: block + unit.block }));
  const [opening, ...rest] = units;
  const named = argument.trim();
  if (named === "" || (!opening && !speaksAlone(name))) return units;
  const isProse = opening?.kind === "sentence";
  const text = isProse ? directiveText(name, named, opening.text) : directiveText(name, named, undefined);
  if (speaksAlone(name) && !isProse) return [{ kind: "sentence", text, block, indent: 0 }, ...units];
  if (!DESCRIBES.test(name)) return isProse ? [{ ...opening, text }, ...rest] : units;
  const below = (isProse ? rest : units).map((unit) => ({
    ...unit,
    indent: (unit.indent ?? 0) + DESCRIBED_INDENT,
  }));
  return [{ kind: "item", text, block, indent: 0 }, ...below];
}

function rows(lines: readonly string[], block: number): Unit[] {
  const ruled = RULE_ROW.test(lines[1] ?? "");
  const head = ruled ? `${lines[0]?.trim()}\n${lines[1]?.trim()}` : "";
  return lines.slice(ruled ? 2 : 0).map((line, at) => {
    const continues = at > 0 && EMPTY_CELL.test(line);
    return { kind: "row", text: line.trim(), block, head, ...(continues ? { continues } : {}) };
  });
}

function items(lines: readonly string[], block: number): Unit[] {
  const found: Unit[] = [];
  for (const line of lines) {
    if (CONTINUATION.test(line)) continue;
    const last = found.at(-1);
    if (!last || ITEM.test(line) || TERM.test(line))
      found.push({ kind: "item", text: line.trim().replace(AUTOMATIC_NUMBER, "- "), block, indent: indentOf(line) });
    else last.text += ` ${line.trim()}`;
  }
  return found;
}

export function sentences(text: string): string[] {
  const found: string[] = [];
  for (const piece of text.replace(/\s+/g, " ").trim().split(SENTENCE_END)) {
    const last = found.at(-1);
    if (last !== undefined && ABBREVIATION.test(last)) found[found.length - 1] = `${last} ${piece}`;
    else if (piece.trim() !== "") found.push(piece.trim());
  }
  return found;
}
