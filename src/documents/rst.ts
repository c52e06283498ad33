/**
 * reStructuredText: a heading is a line with a line of one punctuation mark under it, and perhaps the same over it. The
 * styles get their levels in the order they first appear. What is indented is content of something, never a heading.
 */
import { countLines, isBlank, type Lines, lineAt, linesOf } from "./lines.ts";
import type { ParsedDocument } from "./model.ts";
import { buildSections, type FoundAnchor, type FoundHeading, MAX_LEVEL, MAX_SECTIONS } from "./sections.ts";

const ADORNMENT = /^([!-/:-@[-`{-~])\1*[ \t]*$/;
const LABEL = /^\.\. _(`[^`]+`|(?:\\.|[^:\\])+):[ \t]*(\S.*)?$/;
const MAX_LINE = 1000;
/** A shorter adornment is often an ellipsis or a dash; docutils takes it only when it is as long as the title. */
const SURE_LENGTH = 4;

export function parseRst(text: string): ParsedDocument {
  const lines = linesOf(text);
  const styles = new Map<string, number>();
  const headings: FoundHeading[] = [];
  const anchors: FoundAnchor[] = [];
  /** Labels that wait for what they name, with the line of the first. A heading's labels are lines of the heading. */
  let labels: string[] = [];
  let labelled = 0;
  const last = countLines(lines);
  let line = 1;
  while (line <= last) {
    if (isBlank(lines, line)) {
      line += 1;
      continue;
    }
    const label = labelOf(lines, line);
    if (label !== undefined) {
      if (labels.length === 0) labelled = line;
      labels.push(label);
      line += 1;
      continue;
    }
    const found = headings.length < MAX_SECTIONS ? headingAt(lines, line) : undefined;
    for (const name of labels) anchors.push({ name, line });
    if (found && labels.length > 0) found.first_line = labelled;
    labels = [];
    if (!found) {
      line = endOfBlock(lines, line, last);
      continue;
    }
    const level = styles.get(found.style) ?? styles.size + 1;
    styles.set(found.style, level);
    headings.push({ ...found, level: Math.min(level, MAX_LEVEL) });
    line = found.last_line + 1;
  }
  const sections = buildSections(lines, { headings, anchors });
  return { format: "rst", title: sections.find(({ level }) => level > 0)?.heading ?? "", text, sections };
}

interface StyledHeading extends FoundHeading {
  style: string;
}

function headingAt(lines: Lines, line: number): StyledHeading | undefined {
  const own = short(lines, line);
  const over = ADORNMENT.exec(own)?.[1];
  if (over) {
    const title = short(lines, line + 1);
    const length = own.trimEnd().length;
    if (title.trim() === "" || short(lines, line + 2).trimEnd() !== own.trimEnd()) return undefined;
    // An overlined title may be indented, to stand centred.
    return longEnough(length, title.trim()) ? styled(title, 1, line, line + 2, `${over}${over}`) : undefined;
  }
  const under = short(lines, line + 1);
  const mark = ADORNMENT.exec(under)?.[1];
  if (!mark || /^\s/.test(own) || /^\.\.(?:\s|$)/.test(own)) return undefined;
  return longEnough(under.trimEnd().length, own.trimEnd()) ? styled(own, 1, line, line + 1, mark) : undefined;
}

function styled(title: string, level: number, first_line: number, last_line: number, style: string): StyledHeading {
  return { heading: plainText(title), level, first_line, last_line, style };
}

/** Too short an underline is a warning in docutils and a heading all the same, from four marks on. */
function longEnough(length: number, title: string): boolean {
  return length >= SURE_LENGTH || length >= title.length;
}

/** A paragraph ends at a blank line; what is indented below a line goes with it, literal blocks and directives whole. */
function endOfBlock(lines: Lines, line: number, last: number): number {
  const own = short(lines, line);
  const holds = /^\.\.(?:\s|$)/.test(own);
  // An adornment that is no overline is a transition, or a table: only its own line.
  let at = line + 1;
  if (!holds && ADORNMENT.test(own)) return at;
  if (isTableEdge(own)) {
    while (at <= last && !isBlank(lines, at)) at += 1;
    return at;
  }
  if (!holds) {
    while (at <= last && !isBlank(lines, at)) {
      // A title may stand right under a line of text in sloppy documents: it is looked at by itself.
      if (ADORNMENT.test(short(lines, at + 1)) && !ADORNMENT.test(short(lines, at)) && !isIndented(lines, at))
        return at;
      at += 1;
    }
  }
  while (at <= last && (isBlank(lines, at) || isIndented(lines, at))) at += 1;
  return at;
}

/** `===== =====` and `+----+----+`: the rows between them are no titles. */
function isTableEdge(text: string): boolean {
  return /^(?:=+[ \t]+=[= \t]*|\+[-=+]+\+)[ \t]*$/.test(text);
}

function labelOf(lines: Lines, line: number): string | undefined {
  const match = LABEL.exec(short(lines, line));
  const name = match?.[1];
  // With an address behind it, it names that and not a place here.
  if (!name || match?.[2] !== undefined || name === "_") return undefined;
  return name.replace(/^`|`$/g, "").replaceAll("\\", "");
}

/** Roles, links and emphasis shown as their text. */
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

/** A line as far as a heading may be long. */
function short(lines: Lines, line: number): string {
  return line <= countLines(lines) ? lineAt(lines, line).slice(0, MAX_LINE) : "";
}
