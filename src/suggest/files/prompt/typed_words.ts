import { HAS_CJK, writtenTerms } from "../../../text/terms/forms.ts";

/**
 * Maps an indexed term to its spelling in the prompt: the whole word, or the part for which the term stands. A text
 * with `user` does not mention `getUserById`, and one with two characters of a Japanese sentence does not mention the
 * sentence.
 */
export function typedWords(words: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const word of words) {
    const parts = writtenTerms(word);
    const isWhole = (place: number): boolean => parts.length === 1 || (place === 0 && !HAS_CJK.test(word));
    for (const [place, { term, form }] of parts.entries())
      if (!found.has(term)) found.set(term, isWhole(place) ? word : form);
  }
  return found;
}
