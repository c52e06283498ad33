/**
 * Pieces of a document that are found by themselves: sections, not windows. A section that fits is one piece; a longer
 * one is parted between its blocks. No line is in two pieces, and no line that holds text is in none, but for headings:
 * what is indexed is the heading path with the text, so that they need not be repeated.
 */
import { estimateTokens } from "../tokens/estimate.ts";
import { type Block, blocksOf } from "./blocks.ts";
import { type Lines, lineAt, linesOf, sliceLines } from "./lines.ts";
import type { Chunk, DocumentFormat, ParsedDocument, Section } from "./model.ts";
import { firstTextLine } from "./sections.ts";

export const CHUNK_TOKENS = 400;
/** A code block up to this size stays whole; a larger one is cut at line ends, for no model reads more at once. */
export const CODE_TOKENS = 2000;
/** A last piece that is smaller joins the one before it, which may grow by as much. */
const TAIL_TOKENS = 60;
/** Of a line that is longer only the start is indexed (inlined images, minified code); the section keeps all of it. */
export const MAX_CHUNK_LINE = 8000;

export function chunksOf(document: ParsedDocument): Chunk[] {
  const chunks: Chunk[] = [];
  let lines: Lines | undefined;
  for (const section of document.sections) {
    const { index, text } = section;
    if (text === "") {
      // The path of the sections below names it; one that has none would else not be found.
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

interface Piece extends Block {
  tokens: number;
}

function split(lines: Lines, section: Section, format: DocumentFormat, chunks: Chunk[]): void {
  const blocks = blocksOf(lines, firstTextLine(section), section.last_line, format);
  const pieces = blocks.flatMap((block) => fitting(lines, block));
  for (const group of grouped(pieces, (piece) => announces(lines, piece))) {
    const first = group[0]?.first ?? 0;
    const last = group.at(-1)?.last ?? 0;
    chunks.push({ section: section.index, first_line: first, last_line: last, text: boundedText(lines, first, last) });
  }
}

/** A block as it is, or cut at line ends when it is too large. */
function fitting(lines: Lines, block: Block): Piece[] {
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

/** Neighbours together up to the limit; a line that announces a code block goes with it. */
function grouped(pieces: readonly Piece[], announces: (piece: Piece) => boolean): Piece[][] {
  const groups: Piece[][] = [];
  let open: Piece[] = [];
  let tokens = 0;
  for (const piece of pieces) {
    if (open.length > 0 && tokens + piece.tokens > CHUNK_TOKENS) {
      const lead = open.at(-1);
      const carried = lead && open.length > 1 && piece.code && announces(lead) ? open.splice(-1) : [];
      // A lead alone before its code is no piece of its own either.
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
