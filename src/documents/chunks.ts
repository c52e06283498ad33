/**
 * Splits a document into chunks, the units of search: sections, not windows. A section that fits is one chunk; a longer
 * one is split between its blocks. Every line with text is in exactly one chunk, except headings: the index adds the
 * heading path to each chunk.
 */
import { estimateTokens } from "../tokens/estimate.ts";
import { TokenRanges } from "../tokens/ranges.ts";
import { blocksOf, type TextBlock } from "./blocks.ts";
import { type Lines, lineAt, linesOf, rangeOfLines, sliceLines } from "./lines.ts";
import type { Chunk, DocumentFormat, ParsedDocument, Section } from "./model.ts";
import { firstTextLine } from "./sections.ts";

export const CHUNK_TOKENS = 400;
/** A larger code block is split at line ends, because no model reads more at once. */
export const CODE_TOKENS = 2000;
/** A smaller last piece joins the previous one, which may then exceed its limit. */
const TAIL_TOKENS = 60;
/** A longer line (a paragraph without breaks, minified code) is split into parts, each a chunk of its own. */
export const MAX_LINE_CHARS = 8000;

/** The parts of a document that its chunks depend on. */
type ChunkedSection = Pick<Section, "index" | "level" | "first_line" | "last_line" | "text">;
type ChunkedDocument = Pick<ParsedDocument, "text" | "format"> & { sections: readonly ChunkedSection[] };

/** The text of a document, by line and with the tokens of its parts. */
export interface MeasuredText {
  lines: Lines;
  tokens: TokenRanges;
}

export function measuredText(text: string, tokens = new TokenRanges()): MeasuredText {
  tokens.read(text);
  return { lines: linesOf(text), tokens };
}

export function chunksOf(document: ChunkedDocument, measured = measuredText(document.text)): Chunk[] {
  const chunks: Chunk[] = [];
  for (const section of document.sections) {
    const { index, text } = section;
    if (text === "") {
      // Subsections carry its heading in their path; without any, it needs a chunk of its own to be found.
      const { level, first_line, last_line } = section;
      const named = (document.sections[index + 1]?.level ?? 0) > level;
      if (!named) chunks.push({ section: index, first_line, last_line, text: "" });
      continue;
    }
    const first = firstTextLine(section);
    const fits =
      text.length <= CHUNK_TOKENS ||
      (text.length < MAX_LINE_CHARS && tokensOf(measured, first, section.last_line) <= CHUNK_TOKENS);
    if (fits) chunks.push({ section: index, first_line: first, last_line: section.last_line, text });
    else split(measured, section, first, document.format, chunks);
  }
  return chunks;
}

interface Piece extends TextBlock {
  tokens: number;
  /** Set for a part of a long line. */
  text?: string;
}

function split(
  measured: MeasuredText,
  section: ChunkedSection,
  firstLine: number,
  format: DocumentFormat,
  chunks: Chunk[],
): void {
  const { lines } = measured;
  const blocks = blocksOf(lines, firstLine, section.last_line, format);
  const pieces = blocks.flatMap((block) => fittingPieces(measured, block));
  for (const group of groupPieces(pieces, (piece) => announces(lines, piece))) {
    const first = group[0]?.first ?? 0;
    const last = group.at(-1)?.last ?? 0;
    const text = group[0]?.text ?? sliceLines(lines, first, last);
    chunks.push({ section: section.index, first_line: first, last_line: last, text });
  }
}

/** The block, or its parts split at line ends when it is too large. Only a very long line is split itself. */
function fittingPieces(measured: MeasuredText, block: TextBlock): Piece[] {
  const { lines } = measured;
  const limit = block.code ? CODE_TOKENS : CHUNK_TOKENS;
  const tokens = tokensOf(measured, block.first, block.last);
  const isLong = (line: number): boolean => lineAt(lines, line).length > MAX_LINE_CHARS;
  if (block.first === block.last ? !isLong(block.first) : tokens <= limit) return [{ ...block, tokens }];
  const pieces: Piece[] = [];
  let open: Piece | undefined;
  for (let line = block.first; line <= block.last; line += 1) {
    if (isLong(line)) {
      const parts = partsOf(lineAt(lines, line));
      for (const text of parts)
        pieces.push({ first: line, last: line, code: block.code, tokens: estimateTokens(text), text });
      open = undefined;
      continue;
    }
    const own = tokensOf(measured, line, line);
    if (open && open.tokens + own <= limit) {
      open.last = line;
      open.tokens += own;
      continue;
    }
    open = { first: line, last: line, code: block.code, tokens: own };
    pieces.push(open);
  }
  return pieces;
}

/** A part of a long line that is one unbroken run of these is data, such as an inlined image. */
const DATA = /^[\w+/=%-]*$/;
const MAX_PART_CHARS = 4 * CHUNK_TOKENS;
const MIN_PART_CHARS = 200;

/**
 * The parts of a long line, split after a space, or else after a mark. Of inlined data only the first part is kept,
 * because nobody searches for the rest.
 */
function partsOf(line: string): string[] {
  const parts: string[] = [];
  let isData = false;
  for (let start = 0; start < line.length; ) {
    const end = partEnd(line, start);
    const part = line.slice(start, end);
    const wasData = isData;
    isData = part.length > MIN_PART_CHARS && DATA.test(part);
    if (part.trim() !== "" && !(isData && wasData)) parts.push(part.trim());
    start = end;
  }
  return parts;
}

function partEnd(line: string, start: number): number {
  let length = MAX_PART_CHARS;
  // Scripts such as Chinese have more tokens per character.
  while (length > MIN_PART_CHARS && estimateTokens(line.slice(start, start + length)) > CHUNK_TOKENS)
    length = Math.ceil(length / 2);
  if (start + length >= line.length) return line.length;
  const window = line.slice(start, start + length);
  for (const boundary of [/\s/u, /[^\w\s]/u]) {
    for (let at = window.length - 1; at >= length / 2; at -= 1) {
      if (boundary.test(window[at] ?? "") && !isHighSurrogate(line, start + at)) return start + at + 1;
    }
  }
  return start + length - (isHighSurrogate(line, start + length - 1) ? 1 : 0);
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Groups neighbours up to the limit; a line that announces a code block stays with it. */
function groupPieces(pieces: readonly Piece[], announces: (piece: Piece) => boolean): Piece[][] {
  const groups: Piece[][] = [];
  let open: Piece[] = [];
  let tokens = 0;
  for (const piece of pieces) {
    if (piece.text !== undefined) {
      if (open.length > 0) groups.push(open);
      groups.push([piece]);
      open = [];
      tokens = 0;
      continue;
    }
    if (open.length > 0 && tokens + piece.tokens > CHUNK_TOKENS) {
      const lead = open.at(-1);
      const carried = lead && open.length > 1 && piece.code && announces(lead) ? open.splice(-1) : [];
      // A lead-in is not left alone in a group either.
      const alone = lead && open.length === 1 && carried.length === 0 && piece.code && announces(lead);
      if (!alone) {
        groups.push(open);
        open = carried;
        tokens = carried[0]?.tokens ?? 0;
      }
    }
    open.push(piece);
    tokens += piece.tokens;
  }
  const before = groups.at(-1);
  if (before && before[0]?.text === undefined && tokens < TAIL_TOKENS && sum(before) <= CHUNK_TOKENS)
    before.push(...open);
  else if (open.length > 0) groups.push(open);
  return groups;
}

function announces(lines: Lines, { code, last, tokens }: Piece): boolean {
  return !code && tokens < TAIL_TOKENS && /:\s*$/.test(lineAt(lines, last).slice(-20));
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((total, { tokens }) => total + tokens, 0);
}

function tokensOf({ lines, tokens }: MeasuredText, first: number, last: number): number {
  const { start, end } = rangeOfLines(lines, first, last);
  return tokens.count(start, end);
}
