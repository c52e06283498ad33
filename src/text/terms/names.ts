/**
 * Finds names that are terms of their own, in addition to their words: snake_case, dotted names (`a.b.c`, `main.go`,
 * `1.24.3`) and flags (`--no-verify`). Texts and queries are split by the same functions, so a typed name matches the
 * indexed one.
 */
import { unitsOf } from "../units.ts";

/** Longer names are blobs. */
const MAX_NAME_CHARS = 64;
export const UNDERSCORE = 0x5f;
export const DOT = 0x2e;
export const HYPHEN = 0x2d;

/** 1 for letters and digits of ASCII. */
export const ALPHANUMERIC: Uint8Array = new Uint8Array(128).fill(1, 48, 58).fill(1, 65, 91).fill(1, 97, 123);

/** Called with the beginning and the end of a name. `isSnake`: no other name can contain it as a whole. */
export type FoundName = (from: number, to: number, isSnake: boolean) => void;

/**
 * The snake_case and dotted names that begin with the word from `start` to `end`, which an underscore or a dot follows.
 * Returns the position after them.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the units of every text
export function namesFrom(units: Uint16Array, length: number, start: number, end: number, found: FoundName): number {
  let from = end;
  while (from > start && isAlphanumeric(units[from - 1] as number)) from -= 1;
  // A word with letters beyond ASCII is not part of a name; a dash or a quotation mark before it separates.
  if (from === end || (from > start && isForeignLetter(units[from - 1] as number))) return end;
  let at = from;
  let lastEnd = from;
  let part = from;
  let words = 1;
  let dots = 0;
  let hasLetter = false;
  for (; at < length; at += 1) {
    const code = units[at] as number;
    if (isAlphanumeric(code)) {
      if (lastEnd !== at) {
        words += 1;
        if (words === 1) part = at;
      }
      if (code > 0x39) hasLetter = true;
      lastEnd = at + 1;
    } else if (code === DOT) {
      const next = at + 1 < length ? (units[at + 1] as number) : 0;
      if (next !== UNDERSCORE && !isAlphanumeric(next)) break;
      if (words > 1 && lastEnd - part <= MAX_NAME_CHARS) found(part, lastEnd, true);
      words = 0;
      dots += 1;
    } else if (code !== UNDERSCORE) {
      if (code >= 128 && isForeignLetter(code)) return at;
      break;
    }
  }
  if (words > 1 && lastEnd - part <= MAX_NAME_CHARS) found(part, lastEnd, true);
  // 3.14 is a number, 3.14.0 a version.
  const isDotted = words > 0 ? dots > 0 : dots > 1;
  if (isDotted && (hasLetter || dots > 1) && lastEnd - from <= MAX_NAME_CHARS) found(from, lastEnd, false);
  return at;
}

/** The flag whose first word is from `start` on, if two hyphens precede that word. */
export function flagFrom(units: Uint16Array, length: number, start: number, found: FoundName): void {
  const before = start > 2 ? (units[start - 3] as number) : 0;
  if (before === HYPHEN || before === UNDERSCORE || isAlphanumeric(before) || isForeignLetter(before)) return;
  if ((units[start] as number) <= 0x39) return;
  let at = start;
  for (; at < length; at += 1) {
    const code = units[at] as number;
    if (isAlphanumeric(code)) continue;
    if (code >= 128 && isForeignLetter(code)) return;
    if (code !== HYPHEN && code !== UNDERSCORE) break;
    const next = at + 1 < length ? (units[at + 1] as number) : 0;
    if (!isAlphanumeric(next)) break;
  }
  if (at - start + 2 <= MAX_NAME_CHARS) found(start - 2, at, false);
}

export interface Names {
  snake: string[];
  /** Dotted names and flags. A longer one may contain a shorter one: `a.b.c` has `a.b`, `--no-verify-ssl` has `--no-verify`. */
  joined: string[];
}

/** The names of a short text as they are written there. */
export function namesIn(text: string): Names {
  const names: Names = { snake: [], joined: [] };
  const found: FoundName = (from, to, isSnake) => (isSnake ? names.snake : names.joined).push(text.slice(from, to));
  const units = unitsOf(text);
  let start = 0;
  let until = 0;
  for (let i = 0; i <= text.length; i += 1) {
    const code = i < text.length ? (units[i] as number) : 0;
    if (code >= 128 || isAlphanumeric(code)) continue;
    if (i > start) {
      if ((code === UNDERSCORE || code === DOT) && i >= until) until = namesFrom(units, text.length, start, i, found);
      if (start > 1 && units[start - 1] === HYPHEN && units[start - 2] === HYPHEN) {
        flagFrom(units, text.length, start, found);
      }
    }
    start = i + 1;
  }
  return names;
}

function isAlphanumeric(code: number): boolean {
  return code < 128 && ALPHANUMERIC[code] === 1;
}

function isForeignLetter(code: number): boolean {
  return code >= 128 && /[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(code));
}
