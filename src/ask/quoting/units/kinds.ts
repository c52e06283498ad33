/**
 * The kinds of blocks that a passage consists of, in the order in which they are recognised: each knows where it begins
 * and ends, and the units that it makes.
 */
import { indentOf } from "../../../text/indent.ts";
import { isMarks, isUnderline, RST_CODE } from "../markup/fences.ts";
import { directive, isDirective } from "./directives.ts";
import { isBlank, isIndented, isItem, isTerm, runEnd, saysNothing } from "./lines.ts";
import {
  asciidocListing,
  asciidocListingEnd,
  directiveListing,
  fenced,
  fenceEnd,
  isAsciidocListing,
  isAsciidocSource,
  isFence,
  isFenceLine,
  isLiteral,
  literal,
  literalEnd,
} from "./listings.ts";
import { isSummary, summary } from "./summaries.ts";
import { indentedProseEnd, isIndentedProse, isListed, isRow, isTableHead, items, paragraph, rows } from "./text.ts";
import type { Unit } from "./unit.ts";

type Lines = readonly string[];

interface BlockKind {
  /** Whether a block of this kind starts at this line. `inList`: the unit before is a list item. */
  begins(lines: Lines, at: number, inList: boolean): boolean;
  /** The index of the first line after the block. */
  end(lines: Lines, at: number): number;
  /** `lines`: the lines of the block. `split` divides a text into units. */
  units(lines: Lines, block: number, split: (text: string) => Unit[]): Unit[];
}

/** Markdown: a list item that may interrupt a paragraph. */
const INTERRUPTING_ITEM = /^ {0,3}(?:[-*+]|1[.)])\s+\S/;

const NOTHING = (): Unit[] => [];
const nextLine = (_: Lines, at: number): number => at + 1;
const first = (lines: Lines, at: number): string => lines[at] ?? "";

const LITERAL: BlockKind = {
  begins: isLiteral,
  end: (lines, at) => literalEnd(lines, at - 1),
  units: (lines, block) => literal(lines, "", block),
};

const ASCIIDOC_LISTING: BlockKind = {
  begins: isAsciidocListing,
  end: asciidocListingEnd,
  units: asciidocListing,
};

const ASCIIDOC_SOURCE: BlockKind = {
  begins: (lines, at) => isAsciidocSource(first(lines, at)),
  end: (lines, at) => runEnd(lines, at, (line) => !isBlank(line)),
  units: asciidocListing,
};

const DIRECTIVE_LISTING: BlockKind = {
  begins: (lines, at) => RST_CODE.test(first(lines, at)),
  end: literalEnd,
  units: directiveListing,
};

const FENCE: BlockKind = { begins: isFence, end: fenceEnd, units: fenced };

/** A heading whose underline looks like a fence. */
const FENCED_HEADING: BlockKind = {
  begins: (lines, at) => isFenceLine(first(lines, at + 1)) && isUnderline(lines, at + 1),
  end: (_, at) => at + 2,
  units: NOTHING,
};

const SILENT: BlockKind = {
  begins: (lines, at) => saysNothing(first(lines, at)),
  end: nextLine,
  units: NOTHING,
};

const SUMMARY: BlockKind = {
  begins: (lines, at) => isSummary(first(lines, at)),
  end: nextLine,
  units: (lines, block) => summary(first(lines, 0), block, indentOf(first(lines, 0))),
};

const DIRECTIVE: BlockKind = {
  begins: (lines, at) => isDirective(first(lines, at)),
  end: (lines, at) => runEnd(lines, at, (line) => isBlank(line) || /^\s/.test(line)),
  units: directive,
};

const INDENTED_PROSE: BlockKind = {
  begins: isIndentedProse,
  end: indentedProseEnd,
  units: (lines, block) => (isListed(lines) ? items(lines, block) : paragraph(lines, block)),
};

/** Below a list item, an indented item is not code. */
const INDENTED_CODE: BlockKind = {
  begins: (lines, at, inList) => isIndented(first(lines, at)) && !(inList && isItem(first(lines, at))),
  end: (lines, at) => runEnd(lines, at, (line) => isBlank(line) || isIndented(line)),
  units: (lines, block) => literal(lines, "", block),
};

const TABLE: BlockKind = {
  begins: isTableHead,
  end: (lines, at) => runEnd(lines, at, (line) => line.includes("|")),
  units: rows,
};

const ROWS: BlockKind = {
  begins: (lines, at) => isRow(first(lines, at)),
  end: (lines, at) => runEnd(lines, at, isRow),
  units: rows,
};

const LIST: BlockKind = {
  begins: (lines, at) => isItem(first(lines, at)) || isTerm(first(lines, at)),
  end: (lines, at) => textEnd(lines, at),
  units: (lines, block) => (isListed(lines) ? items(lines, block) : paragraph(lines, block)),
};

const UNDERLINED_HEADING: BlockKind = {
  begins: (lines, at) => isUnderline(lines, at + 1),
  end: (_, at) => at + 2,
  units: NOTHING,
};

/** A line of punctuation marks: with the heading below it, unless it underlines the block above. */
const MARKS: BlockKind = {
  begins: (lines, at) => isMarks(first(lines, at)),
  end: (lines, at) => (isUnderline(lines, at) ? at + 1 : textEnd(lines, at, isInterruptingItem)),
  units: NOTHING,
};

const PARAGRAPH: BlockKind = {
  begins: () => true,
  end: (lines, at) => textEnd(lines, at, isInterruptingItem),
  units: paragraph,
};

const KINDS: readonly BlockKind[] = [
  LITERAL,
  ASCIIDOC_LISTING,
  DIRECTIVE_LISTING,
  FENCE,
  FENCED_HEADING,
  SILENT,
  SUMMARY,
  DIRECTIVE,
  INDENTED_PROSE,
  INDENTED_CODE,
  TABLE,
  ROWS,
  ASCIIDOC_SOURCE,
  MARKS,
  LIST,
  UNDERLINED_HEADING,
  PARAGRAPH,
];

export function kindAt(lines: Lines, at: number, inList: boolean): BlockKind {
  return KINDS.find((kind) => kind.begins(lines, at, inList)) ?? PARAGRAPH;
}

function isInterruptingItem(line: string): boolean {
  return INTERRUPTING_ITEM.test(line);
}

/** The end of a paragraph or a list: a blank line, or a block that may interrupt it. */
function textEnd(lines: Lines, from: number, interrupts: (line: string) => boolean = () => false): number {
  return runEnd(
    lines,
    from,
    (line, at) =>
      !saysNothing(line) &&
      !isFenceLine(line) &&
      !isRow(line) &&
      !isTableHead(lines, at) &&
      !isSummary(line) &&
      !isAsciidocSource(line) &&
      !interrupts(line),
  );
}
