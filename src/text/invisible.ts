/**
 * Invisible characters: escape sequences of terminals, controls, zero-width and bidirectional characters, variation
 * selectors, tags. The cleaner removes them. The search for secrets looks through them, because a token that one of
 * them splits is still the token for anyone who copies it from a cleaned text.
 */
import { lazyPattern } from "./patterns.ts";

/**
 * Terminal control sequences as a whole, so that no "[31m" stays behind: CSI, OSC and the other string sequences (ended
 * by BEL or ST, or by the end of the line where nothing ends them), and two-character escapes. Every part is bounded.
 */
export const ESCAPE_SEQUENCE =
  "(?:\\u001b\\[|\\u009b)[0-?]{0,64}[ -/]{0,16}[@-~]?|(?:\\u001b[\\]P^_X]|[\\u009d\\u0090\\u009e\\u009f\\u0098])[^\\u0007\\u001b\\u009c\\n]{0,4096}(?:\\u0007|\\u001b\\\\|\\u009c)?|\\u001b[ -/]{0,4}[0-~]?";
/** All controls except tabs and newlines, as the ranges of a class. V8 needs longer for \p{Cc}. */
export const CONTROL_RANGES = "\\0-\\u0008\\u000b-\\u001f\\u007f-\\u009f";
export const VARIATION_RANGES = "\\ufe00-\\ufe0f";
/** Soft hyphen, grapheme joiner, zero-width, bidi, invisible operators, interlinear marks, Hangul fillers. */
export const INVISIBLE_RANGES =
  "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb";
/** Controls of shorthand and of musical notation, tags, and the other variation selectors: as pairs of surrogates. */
const PAIRS = "\\ud82f[\\udca0-\\udca3]|\\ud834[\\udd73-\\udd7a]|[\\udb40-\\udb43][\\udc00-\\udfff]";

/** A carriage return ends a line, so it separates the text on its two sides. */
const SINGLE = `[${CONTROL_RANGES.replace("\\u000b-\\u001f", "\\u000b\\u000c\\u000e-\\u001f")}${INVISIBLE_RANGES}${VARIATION_RANGES}]`;
/**
 * Every text is tested with this. One class of at most sixteen ranges takes a third of the time of an exact one, and an
 * alternative to it as much again, so it also matches some rare visible characters; of a surrogate pair it contains the
 * first half.
 */
const SUSPECTS =
  "[\\0-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ud82f-\\ud834\\udb40-\\udb43\\ufe00-\\ufeff\\uffa0-\\uffff]";
const MAY_HIDE = lazyPattern(() => new RegExp(SUSPECTS));
const NEXT = lazyPattern(() => new RegExp(SUSPECTS, "g"));
const HIDDEN = lazyPattern(() => new RegExp(`${ESCAPE_SEQUENCE}|${SINGLE}|${PAIRS}`, "y"));
/** After these, variation selectors and joiners make an emoji: symbols, keycaps' frames and halves of pairs. */
const SYMBOL = /[\u2010-\u2bff\u3030\u303d\u3297\u3299\ud800-\udfff]/;

/** Whether a text may have invisible characters. */
export function mayHaveInvisible(text: string): boolean {
  return MAY_HIDE().test(text);
}

/** A piece of a text between invisible characters. */
interface Piece {
  /** Its start in the original text, and in the visible text. */
  origin: number;
  start: number;
  text: string;
}

/** A text without its invisible characters, with a map back to the positions in the original. */
export interface VisibleText {
  text: string;
  /** The offset of this character in the original. */
  original: (offset: number) => number;
}

/** Undefined if the only invisible characters are those that join the parts of emoji. */
export function visibleText(text: string): VisibleText | undefined {
  if (!mayHaveInvisible(text)) return undefined;
  const pieces = visiblePieces(text);
  if (pieces.every((_, i) => i === 0 || followsSymbol(pieces[i - 1]))) return undefined;
  const original = (offset: number): number => {
    const piece = pieces[lastAtMost(pieces, offset)];
    return piece === undefined ? offset : piece.origin + offset - piece.start;
  };
  return { text: pieces.map((piece) => piece.text).join(""), original };
}

/** The text without invisible characters, for names, which are compared as a whole. */
export function withoutInvisible(text: string): string {
  return mayHaveInvisible(text)
    ? visiblePieces(text)
        .map((piece) => piece.text)
        .join("")
    : text;
}

function visiblePieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  const next = NEXT();
  const hidden = HIDDEN();
  let start = 0;
  let origin = 0;
  for (let at = 0; ; ) {
    next.lastIndex = at;
    const found = next.exec(text)?.index ?? text.length;
    hidden.lastIndex = found;
    const isHidden = hidden.test(text);
    if (found < text.length && !isHidden) {
      at = found + 1;
      continue;
    }
    if (found > origin) {
      pieces.push({ origin, start, text: text.slice(origin, found) });
      start += found - origin;
    }
    if (found === text.length) return pieces;
    at = hidden.lastIndex;
    origin = at;
  }
}

function followsSymbol(before: Piece | undefined): boolean {
  return before !== undefined && SYMBOL.test(before.text.charAt(before.text.length - 1));
}

/** The index of the last piece that begins at or before this offset of the visible text. */
function lastAtMost(pieces: readonly Piece[], offset: number): number {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
