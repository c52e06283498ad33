/**
 * Finds any of several hundred literals in a text in one fast pass.
 *
 * The text is copied as one byte per character and read in pairs, four at a time, by a loop of WebAssembly
 * (wasm/literals.ts): a table (`pairs.ts`) gives the groups of literals that a pair may belong to, and only where two
 * neighbours share a group are the bytes compared in full. The same table detects long words. The loop has no branches on
 * single characters, which a processor predicts badly. Tried and two to ten times slower than the same loop in JavaScript:
 * one expression of all literals, an expression that stops at rare characters, `indexOf` for each, and a loop over
 * `charCodeAt`.
 */
import { LITERALS_CODE } from "../../loops/literals_code.ts";
import { Program } from "../../loops/program.ts";
import { inWord, pairTables } from "./pairs.ts";

/** Called for each occurrence, roughly in order; returns the offset up to which further ones are ignored. */
type Visit = (literal: number, start: number) => number;
/** Called for each word (letters, digits, `_`, `-`) that may be a token, with an offset inside it. */
type VisitWord = (inside: number) => void;

const CHUNK = 1 << 16;
/** Overlap of two chunks, and length of the empty margin before the text; no literal may be longer. */
const MARGIN = 64;
/** Words shorter than this are not reported. */
const MIN_WORD = 40;
/** A token with a prefix has its first `_` or `-` within this many characters. */
const MAX_PREFIX_CHARS = 12;
const DASH = 45;
const UNDERSCORE = 95;

/** The loop returns after so many literals and words, plus those of one block. */
const MAX_FOUND = 1 << 10;

const buffer = new Uint8Array(MARGIN + CHUNK + MARGIN);
const writer = Buffer.from(buffer.buffer);

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

interface LiteralFunctions {
  place(
    textAt: number,
    marksAt: number,
    wordCharsAt: number,
    literalsAt: number,
    bytesAt: number,
    foundAt: number,
    maxFound: number,
  ): void;
  placeFirst(listAt: number, endsAt: number, windowsAt: number): void;
  placeSecond(listAt: number, endsAt: number, windowsAt: number): void;
  start(bytes: number, limit: number, isFirst: boolean, isLast: boolean): void;
  /** How many literals and words were found since the last call. */
  scan(): number;
  isDone(): number;
}

/** A scanner for these literals, all Latin text of 3 to 64 characters. Not re-entrant from `visit`. */
export function literalScanner(literals: readonly string[]): LiteralScanner {
  const { run, text: bytes, found } = literalLoop(literals);
  const textWriter = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (text, visit, visitWord) => {
    let resume = 0;
    for (let from = 0; from < text.length; from += CHUNK - MARGIN) {
      const isLast = from + CHUNK >= text.length;
      const length = textWriter.write(isLast && from === 0 ? text : text.slice(from, from + CHUNK), MARGIN, "latin1");
      // A literal that starts in the overlap is found again in the next chunk.
      run.start(length, isLast ? length : CHUNK - MARGIN, from === 0, isLast);
      do {
        const end = run.scan() * 2;
        for (let i = 0; i < end; i += 2) {
          const literal = found[i] as number;
          const start = from + (found[i + 1] as number);
          if (literal < 0) visitWord(start);
          else if (start >= resume) resume = Math.max(resume, visit(literal, start));
        }
      } while (!run.isDone());
      if (isLast) return;
    }
  };
}

/** The loop with its tables. `text`: a margin, a chunk and another margin. `found`: a literal, or -1 for a word, and its place. */
function literalLoop(literals: readonly string[]): { run: LiteralFunctions; text: Uint8Array; found: Int32Array } {
  const { marks, byFirst, bySecond } = pairTables(literals, MARGIN);
  const parts = literals.map((literal) => Buffer.from(literal, "latin1"));
  let end = 0;
  const starts = Uint16Array.from([0, ...parts.map(({ length }) => (end += length))]);
  const wordChars = Uint8Array.from({ length: 256 }, (_, code) => (inWord(code) ? 1 : 0));
  // Each of the four pairs of a block finds at most the windows of all literals.
  const maxFound = 2 * MAX_FOUND + 4 * (byFirst.windows.length + bySecond.windows.length);
  const tables = [marks, starts, byFirst.listOf, byFirst.ends, byFirst.windows];
  const others = [bySecond.listOf, bySecond.ends, bySecond.windows];
  const sizes = [...tables, ...others].map(({ byteLength }) => byteLength);
  const textBytes = MARGIN + CHUNK + MARGIN;
  const program = new Program<LiteralFunctions>(LITERALS_CODE, [
    ...[textBytes, wordChars.length, end, maxFound * 4],
    ...sizes,
  ]);
  const text = program.bytes(textBytes);
  const bytes = program.bytes(end);
  bytes.set(Buffer.concat(parts));
  const known = program.bytes(wordChars.length);
  known.set(wordChars);
  const found = program.integers(maxFound);
  const kept = (table: Uint16Array): number => {
    const copy = program.shorts(table.length);
    copy.set(table);
    return copy.byteOffset;
  };
  const { run } = program;
  run.place(
    text.byteOffset,
    kept(marks),
    known.byteOffset,
    kept(starts),
    bytes.byteOffset,
    found.byteOffset,
    MAX_FOUND,
  );
  run.placeFirst(kept(byFirst.listOf), kept(byFirst.ends), kept(byFirst.windows));
  run.placeSecond(kept(bySecond.listOf), kept(bySecond.ends), kept(bySecond.windows));
  return { run, text, found };
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
