/** Measures text in terminal columns, and truncates and wraps it accordingly. */
import { lazyPattern } from "../../text/patterns.ts";

/** East Asian wide and full-width characters (Unicode W and F), without unassigned ones: two columns in every terminal. */
const WIDE: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1aff0, 0x1b2ff],
  [0x20000, 0x3fffd],
];
const PRESENTED_AS_EMOJI = lazyPattern(() => /^\p{Emoji_Presentation}$/u);
const CAN_BE_EMOJI = lazyPattern(() => /^[\p{Extended_Pictographic}\d#*]$/u);
/** Combining marks, format characters (zero-width, bidi), controls, and the vowels and finals of Hangul syllables. */
const NO_WIDTH = lazyPattern(() => /^(?:\p{M}|\p{Cf}|\p{Cc}|[\u1160-\u11ff\ud7b0-\ud7ff])$/u);
const ZERO_WIDTH_JOINER = "\u200d";
const EMOJI_SELECTOR = "\ufe0f";

export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  let before = "";
  let beforeColumns = 0;
  for (const character of text) {
    beforeColumns = columnsOf(character, before, beforeColumns);
    before = character;
    width += beforeColumns;
  }
  return width;
}

/** Each character with the columns it adds. */
function* cellsOf(text: string): Generator<{ character: string; columns: number }> {
  let before = "";
  let beforeColumns = 0;
  for (const character of text) {
    const columns = columnsOf(character, before, beforeColumns);
    yield { character, columns };
    before = character;
    beforeColumns = columns;
  }
}

function columnsOf(character: string, before: string, beforeColumns: number): number {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) return 1;
  if (isNarrow(code) && before !== ZERO_WIDTH_JOINER) return 1;
  // The selector turns a text character into an emoji, which is wide.
  if (character === EMOJI_SELECTOR) return beforeColumns === 1 && CAN_BE_EMOJI().test(before) ? 1 : 0;
  if (NO_WIDTH().test(character)) return 0;
  // Joined to the emoji before it, or its skin tone.
  if (before === ZERO_WIDTH_JOINER || (isSkinTone(code) && beforeColumns > 0)) return 0;
  // Two regional indicators form one flag.
  if (code >= 0x1f1e6 && code <= 0x1f1ff) return 1;
  return PRESENTED_AS_EMOJI().test(character) || isWide(code) ? 2 : 1;
}

/** Latin letters, punctuation, arrows, mathematical operators and boxes: frequent, and quicker found than by properties. */
function isNarrow(code: number): boolean {
  return (
    (code >= 0xa0 && code < 0x300 && code !== 0xad) ||
    (code >= 0x2010 && code <= 0x2027) ||
    (code >= 0x2190 && code <= 0x2319) ||
    (code >= 0x2500 && code <= 0x25fc)
  );
}

function isSkinTone(code: number): boolean {
  return code >= 0x1f3fb && code <= 0x1f3ff;
}

function isWide(code: number): boolean {
  return code >= 0x1100 && WIDE.some(([first, last]) => code >= first && code <= last);
}

/** Truncates the end to a width, with an ellipsis. */
export function fit(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width <= 0) return "";
  return `${beginning(text, width - 1).trimEnd()}…`;
}

/** Truncates the beginning to a width, for paths. */
export function fitEnd(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const cells = cellsOf(text);
  let kept = "";
  let used = 1;
  for (const { character, columns } of [...cells].reverse()) {
    used += columns;
    if (used > width) break;
    kept = character + kept;
  }
  return width <= 0 ? "" : `…${kept}`;
}

/** The leading characters that fit, each with its combining marks. */
function beginning(text: string, width: number): string {
  let kept = "";
  let used = 0;
  for (const { character, columns } of cellsOf(text)) {
    used += columns;
    if (used > width) break;
    kept += character;
  }
  return kept;
}

/** Wraps text at spaces, and splits words that are too long, so that no line is wider than `width`. */
export function wrap(text: string, width: number, indent: string): string {
  const room = Math.max(1, width - textWidth(indent));
  const lines: string[] = [];
  let line = "";
  let lineWidth = 0;
  for (const word of text.split(" ").flatMap((each) => pieces(each, room))) {
    const wordWidth = textWidth(word);
    if (line !== "" && lineWidth + wordWidth + 1 > room) {
      lines.push(indent + line);
      line = word;
      lineWidth = wordWidth;
    } else if (line === "") {
      line = word;
      lineWidth = wordWidth;
    } else {
      line = `${line} ${word}`;
      // A mark at its beginning belongs to the space.
      lineWidth += textWidth(` ${word}`);
    }
  }
  return [...lines, indent + line].join("\n");
}

function pieces(word: string, room: number): string[] {
  const found: string[] = [];
  let rest = word;
  while (textWidth(rest) > room && !rest.includes("\n")) {
    const piece = beginning(rest, room) || String.fromCodePoint(rest.codePointAt(0) ?? 0x20);
    found.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...found, rest];
}

const ESCAPE = "\u001b";
const STYLE = new RegExp(`${ESCAPE}\\[(\\d+)m`, "g");

/**
 * Wraps lines that are wider than the terminal at spaces and keeps their indentation. Long words stay whole, so that
 * paths and links can be copied. Colours are closed and reopened around a break.
 */
export function wrapLines(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => (plainWidth(line) <= width ? line : wrapLine(line, width)))
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  const indent = /^ */.exec(line.replace(STYLE, ""))?.[0] ?? "";
  if (textWidth(indent) > width / 2) return line;
  const lines: string[] = [];
  const [first = "", ...words] = line.split(" ");
  let current = first;
  let style = styleAfter(first, "");
  for (const word of words) {
    const candidate = `${current} ${word}`;
    if (plainWidth(candidate) > width && plainWidth(current) > textWidth(indent)) {
      lines.push(style === "" ? current : `${current}${ESCAPE}[0m`);
      current = `${indent}${style}${word}`;
    } else {
      current = candidate;
    }
    style = styleAfter(word, style);
  }
  return [...lines, current].join("\n");
}

function styleAfter(word: string, before: string): string {
  const last = [...word.matchAll(STYLE)].at(-1);
  if (!last) return before;
  return last[1] === "0" ? "" : last[0];
}

function plainWidth(text: string): number {
  return textWidth(text.replace(STYLE, ""));
}
