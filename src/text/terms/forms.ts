/**
 * The terms of one run of letters and digits: in lower case, without accents, reduced to their stem; the words inside a
 * camelCase identifier besides the whole; pairs of neighbouring CJK characters.
 */
import { stemmer } from "stemmer";
import { patternFor } from "../patterns.ts";
import { stemRussian } from "./russian.ts";

/** Longer words are blobs; they are truncated, and a search still finds them by their start. */
const MAX_TERM_CHARS = 64;
/** Pieces of longer identifiers are noise: they are base64 or minified code. */
const MAX_IDENTIFIER_CHARS = 60;
const MAX_STEMMED_CHARS = 24;

const CAMEL_PIECE = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
const HAS_INNER_BOUNDARY = /[a-z][A-Z]|[A-Z]{2}[a-z]/;
const WORD = patternFor(String.raw`[\p{L}\p{N}\p{M}]+`, "g");
const CJK = "\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\uff66-\\uff9f";
export const HAS_CJK = new RegExp(`[${CJK}]`);
const CJK_CHARACTER = new RegExp(`[${CJK}]`, "g");
const CJK_RUN = new RegExp(`[${CJK}]+|[^${CJK}]+`, "g");

/** A term, and the word it was made of: in lower case and without accents, but with its ending. */
export interface WrittenTerm {
  term: string;
  form: string;
}

/** The terms of a run of letters and digits, each once, with the form that came first. */
export function writtenTerms(run: string): WrittenTerm[] {
  const found = new Map<string, string>();
  for (const form of /^[\0-\x7f]*$/.test(run) ? asciiForms(run) : foreignForms(run)) {
    const term = stem(form);
    if (!found.has(term)) found.set(term, form);
  }
  return [...found].map(([term, form]) => ({ term, form }));
}

export function asciiForms(run: string): string[] {
  if (/^[a-z0-9]+$/.test(run)) return [run];
  const forms = [run.toLowerCase()];
  if (run.length > MAX_IDENTIFIER_CHARS || !HAS_INNER_BOUNDARY.test(run)) return forms;
  for (const piece of camelPieces(run)) forms.push(piece);
  return forms;
}

/** `getUserById` gives get, user, by, id; a word with no inner boundary, and a hash, gives nothing. */
export function camelPieces(word: string): string[] {
  if (!HAS_INNER_BOUNDARY.test(word)) return [];
  const pieces = word.match(CAMEL_PIECE) ?? [];
  if (pieces.length < 2) return [];
  return pieces.filter((piece) => piece.length > 1).map((piece) => piece.toLowerCase());
}

/** Full-width Latin letters, half-width Japanese ones, and ligatures of a font: variants of common letters. */
const OTHER_SHAPE = /[\ufb00-\ufb06\uff00-\uffef]/;
const CYRILLIC = patternFor(String.raw`\p{Script=Cyrillic}`);
/** Letters that do not decompose into an ASCII letter and an accent. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  ı: "i",
};

/** A run with characters beyond ASCII: punctuation among them separates, accents fall away, CJK becomes pairs. */
export function foreignForms(run: string): string[] {
  const forms: string[] = [];
  const text = run.normalize(OTHER_SHAPE.test(run) ? "NFKC" : "NFC");
  for (const [word] of text.matchAll(WORD(text))) {
    for (const [part] of word.matchAll(CJK_RUN)) {
      // Single characters too, for a query of one.
      if (HAS_CJK.test(part)) forms.push(...new Set([...part, ...cjkPairs(part)]));
      // й is a letter of its own, unlike ё, which is mostly written as е.
      else if (CYRILLIC(part).test(part)) forms.push(part.toLowerCase().replaceAll("ё", "е"));
      else forms.push(...asciiForms(withoutAccents(part)));
    }
  }
  return forms;
}

function withoutAccents(part: string): string {
  const plain = part.normalize("NFD").replace(/\p{M}+/gu, "");
  return plain.replace(/[ßẞæÆœŒøØłŁı]/g, (letter) => SPELLED[letter] ?? letter);
}

/** Overlapping pairs of characters; a single character stands for itself. */
export function cjkPairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** The length of a text as if it were in Latin letters: a CJK character says about as much as three of them. */
export function latinLength(text: string): number {
  return text.length + 2 * (text.match(CJK_CHARACTER)?.length ?? 0);
}

export function isCjkPair(term: string): boolean {
  return HAS_CJK.test(term) && [...term].length === 2;
}

export function isCjkCharacter(term: string): boolean {
  return HAS_CJK.test(term) && [...term].length === 1;
}

export function stem(word: string): string {
  if (word.length > MAX_TERM_CHARS) return word.slice(0, MAX_TERM_CHARS);
  if (word.length <= 3 || word.length > MAX_STEMMED_CHARS) return word;
  if (/^[a-z]+$/.test(word)) return stemmer(word);
  return /^[а-я]+$/.test(word) ? stemRussian(word) : word;
}
