/**
 * reStructuredText: a heading is a line underlined, and perhaps overlined, with one repeated punctuation mark. Styles get
 * their levels in the order of first use. Indented lines are content of something else, never headings.
 */
import { countLines, isBlank, type Lines, lineAt, linesOf } from "../lines.ts";
import { MAX_LEVEL, type ParsedDocument } from "../model.ts";
import { buildSections, MAX_SECTIONS } from "../sections.ts";
import type { BoldParagraph, FoundAnchor, FoundHeading } from "../structure.ts";

const ADORNMENT = /^([!-/:-@[-`{-~])\1*[ \t]*$/;
/** A paragraph of bold text alone. */
const BOLD = /^\*\*(?=\S)([^*]+)\*\*[ \t]*$/;
const LABEL = /^\.\. _(`[^`]+`|(?:\\.|[^:\\])+):[ \t]*(\S.*)?$/;
const MAX_LINE_CHARS = 1000;
/** A shorter adornment is often an ellipsis or a dash; docutils accepts it only if it is as long as the title. */
const MIN_ADORNMENT = 4;

export function parseRst(text: string): ParsedDocument {
  const lines = linesOf(text);
  const styles = new Map<string, number>();
  const headings: FoundHeading[] = [];
  const boldParagraphs: BoldParagraph[] = [];
  const anchors: FoundAnchor[] = [];
  /** Labels whose target has not come yet, and the line of the first. Labels before a heading belong to its lines. */
  let labels: string[] = [];
  let firstLabelLine = 0;
  const last = countLines(lines);
  let line = 1;
  while (line <= last) {
    if (isBlank(lines, line)) {
      line += 1;
      continue;
    }
    const label = labelOf(lines, line);
    if (label !== undefined) {
      if (labels.length === 0) firstLabelLine = line;
      labels.push(label);
      line += 1;
      continue;
    }
    const found = headings.length < MAX_SECTIONS ? headingAt(lines, line) : undefined;
    for (const name of labels) anchors.push({ name, line });
    if (found && labels.length > 0) found.first_line = firstLabelLine;
    labels = [];
    if (!found) {
      const bold = BOLD.exec(headOf(lines, line))?.[1];
      if (bold && (line === last || isBlank(lines, line + 1))) boldParagraphs.push({ text: plainText(bold), line });
      line = endOfBlock(lines, line, last);
      continue;
    }
    const level = styles.get(found.style) ?? styles.size + 1;
    styles.set(found.style, level);
    headings.push({ ...found, level: Math.min(level, MAX_LEVEL) });
    line = found.last_line + 1;
  }
  const sections = buildSections(lines, { headings, boldParagraphs, anchors });
  return { format: "rst", title: sections.find(({ level }) => level > 0)?.heading ?? "", text, sections };
}

interface StyledHeading extends FoundHeading {
  style: string;
}

function headingAt(lines: Lines, line: number): StyledHeading | undefined {
  const own = headOf(lines, line);
  const over = ADORNMENT.exec(own)?.[1];
  if (over) {
    const title = headOf(lines, line + 1);
    const length = own.trimEnd().length;
    if (title.trim() === "" || headOf(lines, line + 2).trimEnd() !== own.trimEnd()) return undefined;
    // An overlined title may be indented to centre it.
    return longEnough(length, title.trim()) ? styled(title, 1, line, line + 2, `${over}${over}`) : undefined;
  }
  const under = headOf(lines, line + 1);
  const mark = ADORNMENT.exec(under)?.[1];
  if (!mark || /^\s/.test(own) || /^\.\.(?:\s|$)/.test(own)) return undefined;
  return longEnough(under.trimEnd().length, own.trimEnd()) ? styled(own, 1, line, line + 1, mark) : undefined;
}

function styled(title: string, level: number, first_line: number, last_line: number, style: string): StyledHeading {
  return { heading: plainText(title), level, first_line, last_line, style };
}

/** From four marks on, docutils warns about a short underline but still accepts the heading. */
function longEnough(length: number, title: string): boolean {
  return length >= MIN_ADORNMENT || length >= title.length;
}

/** A paragraph ends at a blank line; indented lines below belong to it, such as literal blocks and directives. */
function endOfBlock(lines: Lines, line: number, last: number): number {
  const own = headOf(lines, line);
  const isDirective = /^\.\.(?:\s|$)/.test(own);
  // An adornment that is not an overline is a transition or a table: only its own line.
  let at = line + 1;
  if (!isDirective && ADORNMENT.test(own)) return at;
  if (isTableEdge(own)) {
    while (at <= last && !isBlank(lines, at)) at += 1;
    return at;
  }
  if (!isDirective) {
    while (at <= last && !isBlank(lines, at)) {
      // In sloppy documents a title may directly follow a line of text: it is examined on its own.
      if (ADORNMENT.test(headOf(lines, at + 1)) && !ADORNMENT.test(headOf(lines, at)) && !isIndented(lines, at))
        return at;
      at += 1;
    }
  }
  while (at <= last && (isBlank(lines, at) || isIndented(lines, at))) at += 1;
  return at;
}

/** `===== =====` and `+----+----+`: the rows between them are not titles. */
function isTableEdge(text: string): boolean {
  return /^(?:=+[ \t]+=[= \t]*|\+[-=+]+\+)[ \t]*$/.test(text);
}

function labelOf(lines: Lines, line: number): string | undefined {
  const match = LABEL.exec(headOf(lines, line));
  const name = match?.[1];
  // A label followed by an address names the address, not a place in this document.
  if (!name || match?.[2] !== undefined || name === "_") return undefined;
  return name.replace(/^`|`$/g, "").replaceAll("\\", "");
}

/** Reduces roles, links and emphasis to their text. */
function plainText(title: string): string {
  return title
    .replace(/:[\w:.+-]{1,64}:`([^`<]*)(?:<[^<>`]*>)?`/g, "$1")
    .replace(/`([^`<]+)<[^<>`]*>`__?/g, "$1")
    .replace(/``([^`]+)``|`([^`]+)`__?|`([^`]+)`/g, "$1$2$3")
    .replace(/\*\*([^*]+)\*\*|\*([^*]+)\*/g, "$1$2")
    .replace(/\\(.)/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

function isIndented(lines: Lines, line: number): boolean {
  const unit = lines.text.charCodeAt(lines.starts[line - 1] ?? 0);
  return unit === 0x20 || unit === 0x09;
}

/** A line, cut to the longest possible heading. */
function headOf(lines: Lines, line: number): string {
  return line <= countLines(lines) ? lineAt(lines, line).slice(0, MAX_LINE_CHARS) : "";
}
