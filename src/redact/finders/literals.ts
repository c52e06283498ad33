/**
 * Finds any of several hundred literals in a text in one fast pass.
 *
 * The text is copied as one byte per character and read in pairs, four at a time: a table (`pairs.ts`) gives the groups
 * of literals that a pair may belong to, and only where two neighbours share a group are the bytes compared in full. The
 * same table detects long words. The loop has no branches on single characters, which a processor predicts badly.
 * Tried and two to ten times slower: one expression of all literals, an expression that stops at rare characters,
 * `indexOf` for each, and a loop over `charCodeAt`.
 */
import { IN_WORD, inWord, pairTables, type WindowList } from "./pairs.ts";

/** Called for each occurrence, roughly in order; returns the offset up to which further ones are ignored. */
type Visit = (literal: number, start: number) => number;
/** Called for each word (letters, digits, `_`, `-`) that may be a token, with an offset inside it. */
type VisitWord = (inside: number) => void;

const CHUNK = 1 << 16;
/** Overlap of two chunks, and length of the empty margin before the text; no literal may be longer. */
const MARGIN = 64;
/** Words shorter than this are not reported. They fill at least four blocks of four pairs. */
const MIN_WORD = 40;
const FOUR_BLOCKS = 0b1111;
/** A token with a prefix has its first `_` or `-` within this many characters. */
const MAX_PREFIX_CHARS = 12;
const DASH = 45;
const UNDERSCORE = 95;

const buffer = new Uint8Array(MARGIN + CHUNK + MARGIN);
const writer = Buffer.from(buffer.buffer);
const pairs = new Uint16Array(buffer.buffer);

export type LiteralScanner = (text: string, visit: Visit, visitWord: VisitWord) => void;

/**
 * Finds the same as `literalScanner`, without its tables: they take longer to build than a few short texts take to scan.
 * Only for texts shorter than `CHUNK`.
 */
export function plainScanner(literals: readonly string[]): LiteralScanner {
  const byStart = new Map<number, number[]>();
  for (const [literal, text] of literals.entries()) {
    const key = (text.charCodeAt(0) << 8) | text.charCodeAt(1);
    const list = byStart.get(key);
    if (list) list.push(literal);
    else byStart.set(key, [literal]);
  }
  return (text, visit, visitWord) => {
    const length = writer.write(text, MARGIN, "latin1");
    const plain = writer.toString("latin1", MARGIN, MARGIN + length);
    let resume = 0;
    let wordStart = -1;
    for (let at = 0; at <= length; at++) {
      const code = plain.charCodeAt(at);
      if (at < length && inWord(text.charCodeAt(at))) {
        if (wordStart < 0) wordStart = at;
      } else if (wordStart >= 0) {
        if (at - wordStart >= MIN_WORD && mayBeToken(MARGIN + wordStart, MARGIN + at)) visitWord(wordStart);
        wordStart = -1;
      }
      for (const literal of byStart.get((code << 8) | plain.charCodeAt(at + 1)) ?? []) {
        if (at >= resume && plain.startsWith(literals[literal] ?? "", at))
          resume = Math.max(resume, visit(literal, at));
      }
    }
  };
}

/** A scanner for these literals, all Latin text of 3 to 64 characters. Not re-entrant from `visit`. */
export function literalScanner(literals: readonly string[]): LiteralScanner {
  const { marks, byFirst, bySecond } = pairTables(literals, MARGIN);
  const bytes = literals.map((literal) => new Uint8Array(Buffer.from(literal, "latin1")));
  let resume = 0;
  let limit = 0;

  /** Visits the literals of one list of windows that stand where the pairs are. */
  function visitList(list: WindowList, number: number, pair: number, other: number, from: number, visit: Visit): void {
    const end = list.ends[number] ?? 0;
    for (let index = list.ends[number - 1] ?? 0; index < end; index++) {
      if ((other & (list.masks[index] ?? 0)) !== list.others[index]) continue;
      const literal = list.literals[index] ?? 0;
      const start = pair * 2 - (list.offsets[index] ?? 0) - MARGIN;
      // A literal that starts in the overlap is found again in the next chunk.
      if (start < 0 || start >= limit || from + start < resume || !stands(bytes[literal], start)) continue;
      resume = Math.max(resume, visit(literal, from + start));
    }
  }

  return (text, visit, visitWord) => {
    resume = 0;
    for (let from = 0; from < text.length; from += CHUNK - MARGIN) {
      const isLast = from + CHUNK >= text.length;
      const length = writer.write(isLast && from === 0 ? text : text.slice(from, from + CHUNK), MARGIN, "latin1");
      // Bytes of an earlier text after the end must not complete a literal.
      buffer[MARGIN + length] = 0;
      buffer[MARGIN + length + 1] = 0;
      limit = isLast ? length : CHUNK - MARGIN;
      const count = (MARGIN + length + 1) >> 1;
      let wordEnd = 0;
      let inWords = 0;
      let next = marks[pairs[MARGIN >> 1] ?? 0] ?? 0;
      for (let at = MARGIN >> 1; at < count; at += 4) {
        const one = next;
        const two = marks[pairs[at + 1] ?? 0] ?? 0;
        const three = marks[pairs[at + 2] ?? 0] ?? 0;
        const four = marks[pairs[at + 3] ?? 0] ?? 0;
        next = marks[pairs[at + 4] ?? 0] ?? 0;
        inWords = ((inWords << 1) | ((one & two & three & four & IN_WORD) >> 7)) & FOUR_BLOCKS;
        const hits = (one & (two >> 8)) | (two & (three >> 8)) | (three & (four >> 8)) | (four & (next >> 8));
        if (inWords === FOUR_BLOCKS && at * 2 >= wordEnd) {
          wordEnd = endOfWord(at * 2, MARGIN + length);
          if (isReported(at * 2, wordEnd, from, length, isLast)) visitWord(from + at * 2 - MARGIN);
        }
        if (hits === 0) continue;
        for (let pair = at; pair < at + 4; pair++) {
          const first = pairs[pair] ?? 0;
          const second = pairs[pair + 1] ?? 0;
          if (((marks[first] ?? 0) & ((marks[second] ?? 0) >> 8)) === 0) continue;
          const firstList = byFirst.listOf[first] ?? 0;
          if (firstList !== 0) visitList(byFirst, firstList, pair, second, from, visit);
          const secondList = bySecond.listOf[second] ?? 0;
          if (secondList !== 0) visitList(bySecond, secondList, pair, first, from, visit);
        }
      }
      if (isLast) return;
    }
  };
}

function stands(bytes: Uint8Array | undefined, start: number): boolean {
  if (bytes === undefined) return false;
  for (let at = 0; at < bytes.length; at++) if (buffer[MARGIN + start + at] !== bytes[at]) return false;
  return true;
}

function endOfWord(inside: number, limit: number): number {
  let end = inside;
  while (end < limit && inWord(buffer[end] ?? 0)) end++;
  return end;
}

/** Whether the word around `inside`, which ends at `end`, is long and may be a token. */
function isReported(inside: number, end: number, from: number, length: number, isLast: boolean): boolean {
  let start = inside;
  while (start > MARGIN && inWord(buffer[start - 1] ?? 0)) start--;
  // A word at the edge of two chunks is cut here; the visitor sees it whole.
  const isCut = (start === MARGIN && from > 0) || (end === MARGIN + length && !isLast);
  return isCut || (end - start >= MIN_WORD && mayBeToken(start, end));
}

/** Whether a word has the marks of a token with a prefix: a `_` or `-` early on, capitals and digits. */
function mayBeToken(start: number, end: number): boolean {
  let separated = false;
  for (let at = start + 1; at <= start + MAX_PREFIX_CHARS && !separated; at++)
    separated = buffer[at] === DASH || buffer[at] === UNDERSCORE;
  if (!separated) return false;
  let capitals = 0;
  let digits = 0;
  for (let at = start; at < end; at++) {
    const code = buffer[at] ?? 0;
    if (code >= 48 && code <= 57) digits++;
    else if (code >= 65 && code <= 90) capitals++;
  }
  return capitals > 1 && digits > 1;
}
