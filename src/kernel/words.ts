/**
 * What the full-text tokenizer cannot see for itself: the words inside camelCase identifiers, and CJK text,
 * which has no spaces. Both are given to the index as extra words, and queries are broken up the same way.
 * (The tokenizer splits at `_`, `-`, `.`, `/` and every other non-alphanumeric character on its own.)
 */

const CAMEL = /[A-Za-z0-9]*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]\d|\d[A-Za-z])[A-Za-z0-9]*/g;
const CAMEL_PIECE = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
const CJK = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]/;
const CJK_RUN = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]+/g;

/** Identifiers longer than this are hashes, base64 or minified code: their pieces are noise. */
const LONGEST_IDENTIFIER = 60;

/** Words to index beside those the tokenizer finds in the text. Each once. */
export function extraWords(text: string, into: Set<string>): void {
  for (const match of text.matchAll(CAMEL)) {
    const word = match[0];
    if (word.length < 4 || word.length > LONGEST_IDENTIFIER) continue;
    for (const piece of camelPieces(word)) into.add(piece);
  }
  if (CJK.test(text)) {
    for (const match of text.matchAll(CJK_RUN)) for (const pair of cjkPairs(match[0])) into.add(pair);
  }
}

/** `getUserById` gives get, user, by, id; a word with no inner boundary gives nothing. */
export function camelPieces(word: string): string[] {
  const pieces = word.match(CAMEL_PIECE) ?? [];
  if (pieces.length < 2) return [];
  return pieces.filter((piece) => piece.length > 1).map((piece) => piece.toLowerCase());
}

/** Overlapping pairs of characters; a single character stands for itself. */
export function cjkPairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

export function hasCjk(text: string): boolean {
  return CJK.test(text);
}
