/**
 * Recognises short texts without secrets: lower-case words, and ids. This costs almost nothing, while loading the rules
 * takes longer than a search. It must be stricter than the rules; `plain.test.ts` checks that.
 */
import { patternFor } from "../text/patterns.ts";

const WORDS = patternFor(String.raw`^(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}]{0,15}[.,?!]?(?:\s|$))*$`);
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:#\d{1,9})?$/;
const MAX_CHARS = 500;

export function isPlain(text: string): boolean {
  return text.length <= MAX_CHARS && (WORDS(text).test(text) || ID.test(text));
}
