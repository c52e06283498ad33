/**
 * Splits a document into chunks, the units of search: sections, not windows. A section that fits is one chunk; a longer
 * one is split between its blocks. Every line with text is in exactly one chunk, except headings: the index adds the
 * heading path to each chunk.
 */
import { estimateTokens } from "../tokens/estimate.ts";
import { blocksOf, type TextBlock } from "./blocks.ts";
import { type Lines, lineAt, linesOf, sliceLines } from "./lines.ts";
import type { Chunk, DocumentFormat, ParsedDocument, Section } from "./model.ts";
import { firstTextLine } from "./sections.ts";

export const CHUNK_TOKENS = 400;
/** A larger code block is split at line ends, because no model reads more at once. */
export const CODE_TOKENS = 2000;
/** A smaller last piece joins the previous one, which may then exceed its limit. */
const TAIL_TOKENS = 60;
/** Only the start of a longer line is indexed (inlined images, minified code); the section keeps all of it. */
export const MAX_CHUNK_LINE = 8000;

export function chunksOf(document: ParsedDocument): Chunk[] {
  const chunks: Chunk[] = [];
  let lines: Lines | undefined;
  for (const section of document.sections) {
    const { index, text } = section;
    if (text === "") {
      // Subsections carry its heading in their path; without any, it needs a chunk of its own to be found.
      const { level, first_line, last_line } = section;
      const named = (document.sections[index + 1]?.level ?? 0) > level;
      if (!named) chunks.push({ section: index, first_line, last_line, text: "" });
    } else if (text.length <= CHUNK_TOKENS || (text.length < MAX_CHUNK_LINE && estimateTokens(text) <= CHUNK_TOKENS)) {
      chunks.push({ section: index, first_line: firstTextLine(section), last_line: section.last_line, text });
    } else {
      lines ??= linesOf(document.text);
      split(lines, section, document.format, chunks);
    }
  }
  return chunks;
}

interface Piece extends TextBlock {
  tokens: number;
}

function split(lines: Lines, section: Section, format: DocumentFormat, chunks: Chunk[]): void {
  const blocks = blocksOf(lines, firstTextLine(section), section.last_line, format);
  const pieces = blocks.flatMap((block) => fittingPieces(lines, block));
  for (const group of groupPieces(pieces, (piece) => announces(lines, piece))) {
    const first = group[0]?.first ?? 0;
    const last = group.at(-1)?.last ?? 0;
    chunks.push({ section: section.index, first_line: first, last_line: last, text: boundedText(lines, first, last) });
  }
}

/** The block, or its parts split at line ends when it is too large. */
function fittingPieces(lines: Lines, block: TextBlock): Piece[] {
  const limit = block.code ? CODE_TOKENS : CHUNK_TOKENS;
  const tokens = tokensOf(lines, block.first, block.last);
  if (tokens <= limit || block.first === block.last) return [{ ...block, tokens }];
  const pieces: Piece[] = [];
  let open: Piece | undefined;
  for (let line = block.first; line <= block.last; line += 1) {
    const own = tokensOf(lines, line, line);
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

/** Groups neighbours up to the limit; a line that announces a code block stays with it. */
function groupPieces(pieces: readonly Piece[], announces: (piece: Piece) => boolean): Piece[][] {
  const groups: Piece[][] = [];
  let open: Piece[] = [];
  let tokens = 0;
  for (const piece of pieces) {
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
  if (before && tokens < TAIL_TOKENS && sum(before) <= CHUNK_TOKENS) before.push(...open);
  else if (open.length > 0) groups.push(open);
  return groups;
}

function announces(lines: Lines, { code, last, tokens }: Piece): boolean {
  return !code && tokens < TAIL_TOKENS && /:\s*$/.test(lineAt(lines, last).slice(-20));
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((total, { tokens }) => total + tokens, 0);
}

function tokensOf(lines: Lines, first: number, last: number): number {
  return estimateTokens(sliceLines(lines, first, last));
}

function boundedText(lines: Lines, first: number, last: number): string {
  const text = sliceLines(lines, first, last);
  if (text.length <= MAX_CHUNK_LINE) return text;
  return text
    .split("\n")
    .map((line) => (line.length > MAX_CHUNK_LINE ? line.slice(0, MAX_CHUNK_LINE) : line))
    .join("\n");
}
