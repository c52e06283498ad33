/**
 * A number of tokens that a text will hardly exceed, without the tables of the exact estimate, which take longer to
 * build than a hook may take to answer. Budgets that are cut by it are kept, if not filled.
 */
const PIECES = /[A-Z]?[a-z]+|[A-Z]+|\d{1,3}|\n+|[^\S\n]{2,}|[!-/:-@[-`{-~]+|[^\s!-~]/g;

export function atMostTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return tokens;
}

/** Common words are one token up to eight letters or so; signs come in pairs; of other scripts every character counts. */
function tokensOf(piece: string): number {
  if (/^[A-Za-z]/.test(piece)) return Math.ceil(piece.length / 5);
  if (/^[!-~]/.test(piece)) return /^\d/.test(piece) ? 1 : Math.ceil(piece.length / 2);
  return /^\s/.test(piece) ? 1 : 2;
}
