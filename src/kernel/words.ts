/**
 * What the full-text tokenizer cannot see for itself: the words inside camelCase identifiers, and CJK text,
 * which has no spaces. Both are given to the index as extra words, and queries are broken up the same way.
 * (The tokenizer splits at `_`, `-`, `.`, `/` and every other non-alphanumeric character on its own.)
 */

const CAMEL_PIECE = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
const CJK = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]/;
const CJK_RUN = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]+/g;
const FIRST_CJK = 0x3040;

/** Identifiers longer than this are base64 or minified code: their pieces are noise. */
const LONGEST_IDENTIFIER = 60;

const OTHER = 0;
const DIGIT = 1;
const LOWER = 2;
const UPPER = 3;
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 97 && code <= 122) return LOWER;
  return code >= 65 && code <= 90 ? UPPER : OTHER;
});

/**
 * Words to index beside those the tokenizer finds in the text. Each once. This runs over every byte that is synced:
 * it looks at each character once and makes no string but those it keeps.
 */
export function extraWords(text: string, into: Set<string>): void {
  let start = 0;
  let before = OTHER;
  let humps = 0;
  let cjk = false;
  for (let i = 0; i <= text.length; i += 1) {
    const code = i < text.length ? text.charCodeAt(i) : 0;
    const kind = code < 128 ? (CLASSES[code] as number) : OTHER;
    if (kind === OTHER) {
      if (humps > 0 && i - start <= LONGEST_IDENTIFIER) {
        for (const piece of camelPieces(text.slice(start, i))) into.add(piece);
      }
      if (code >= FIRST_CJK) cjk = true;
      start = i + 1;
      humps = 0;
    } else if ((kind === UPPER && before === LOWER) || (kind === LOWER && before === UPPER && i - start > 1)) {
      humps += 1;
    }
    before = kind;
  }
  if (!cjk) return;
  for (const match of text.matchAll(CJK_RUN)) for (const pair of cjkPairs(match[0])) into.add(pair);
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
