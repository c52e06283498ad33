/**
 * An upper bound for the tokens of a text, without the tables of the exact estimate, which take longer to build than a
 * hook may take to answer. Text cut by it stays within its budget but may not fill it.
 */
import { patternFor } from "../text/patterns.ts";

/** A space before a word belongs to its token, but one before a number does not. */
const PIECES = /[A-Za-z0-9]+|\n+|[^\S\n](?=\d)|[^\S\n]{2,}(?!\d)|[!-/:-@[-`{-~]+|[^\s!-~]/g;
const SPACE_OR_LETTER = patternFor(String.raw`^[\s\p{L}]`);
const PARTS = /[A-Z]?[a-z]+|[A-Z]+|\d{1,3}/g;

export function atMostTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return tokens;
}

/** Words are a token up to five letters, in ids each letter; signs come in pairs; other scripts by character. */
function tokensOf(piece: string): number {
  if (/^[A-Za-z0-9]/.test(piece)) {
    const letters = /\d/.test(piece) ? 1 : 5;
    return (piece.match(PARTS) ?? []).reduce(
      (sum, part) => sum + (/^\d/.test(part) ? 1 : Math.ceil(part.length / letters)),
      0,
    );
  }
  if (/^[!-~]/.test(piece)) return Math.ceil(piece.length / 2);
  return SPACE_OR_LETTER(piece).test(piece) ? 1 : 2;
}
