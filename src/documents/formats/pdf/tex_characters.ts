/**
 * Fonts of LaTeX have ligatures, quotation marks and dashes at the codes of control characters. Many of its PDFs do not
 * say which characters these are, so a reader gets the codes: "speci\x1ced" for "specified".
 */

/** Of both encodings, T1 (Cork) and OT1: where one has a ligature, the other has accents and letters that English lacks. */
const CHARACTERS: Readonly<Record<string, string>> = {
  "\x0b": "ff",
  "\x0c": "fi",
  "\r": "fl",
  "\x0e": "ffi",
  "\x0f": "ffl",
  "\x10": "“",
  "\x11": "”",
  "\x15": "–",
  "\x16": "—",
  "\x1b": "ff",
  "\x1c": "fi",
  "\x1d": "fl",
  "\x1e": "ffi",
  "\x1f": "ffl",
};

/** A piece of a line as a font's codes, or with ligatures as characters of their own: "ﬁ". */
export function texCharacters(piece: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these codes are what is looked for.
  return piece.replace(/[\x00-\x08\x0b-\x1f\ufb00-\ufb06]/g, (code) =>
    code < " " ? (CHARACTERS[code] ?? "") : code.normalize("NFKC"),
  );
}
