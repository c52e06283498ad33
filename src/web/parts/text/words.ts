/** Where the words of a query are in a text. */

const MIN_STEM_CHARS = 3;
const ENDINGS = /(?:ies|ied|ing|ed|es|s|y)$/;
/** Scripts that put no spaces between words: a word may begin and end anywhere. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * Splits a text so that every second part is a word of the query. A word matches where its beginning does, as the index
 * stems words. Undefined without words.
 */
export function wordPattern(words: readonly string[]): RegExp | undefined {
  const starts = words.flatMap((word) => {
    if (word.trim() === "") return [];
    if (UNSPACED.test(word)) return [quoted(word)];
    const stem = word.replace(ENDINGS, "");
    return [`(?<![\\p{L}\\p{N}])${quoted(stem.length >= MIN_STEM_CHARS ? stem : word)}[\\p{L}\\p{N}]*`];
  });
  return starts.length === 0 ? undefined : new RegExp(`(${starts.join("|")})`, "giu");
}

/** A text as the source of a regular expression, with or without the flag `u`: with it, no other character may be escaped. */
export function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
