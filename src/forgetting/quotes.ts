/**
 * Tests whether a text names or quotes a conversation: it contains the conversation's id, or a word that no other
 * conversation has. Ids alone are not enough: a logged question or a report may repeat a message without naming it.
 */
import { Analyser, SMALL_CAPACITY } from "../text/terms/analyser.ts";

/** Shorter words and numbers occur everywhere by chance. */
const MIN_WORD_CHARS = 4;
const MIN_NUMBER_DIGITS = 6;
/** Chinese, Japanese and Korean words are indexed as pairs of characters. */
const MIN_FOREIGN_CHARS = 2;

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gs;

export type Quotes = (text: string) => boolean;

export function quotesOf(ids: readonly string[], onlyTerms: ReadonlySet<string>): Quotes {
  const forms = [...new Set(ids.flatMap((id) => [id, JSON.stringify(id).slice(1, -1)]))];
  const terms = new Set([...onlyTerms].filter(isDistinctive));
  const analyser = new Analyser(SMALL_CAPACITY);
  const hasTerm = (text: string): boolean => {
    const found = analyser.words(text).some((term) => terms.has(term));
    analyser.trim();
    return found;
  };
  return (text) => {
    if (text === "") return false;
    if (forms.some((form) => text.includes(form))) return true;
    if (terms.size === 0) return false;
    if (hasTerm(text)) return true;
    if (!text.includes("\\")) return false;
    // JSON joins the letter of an escape with the next word, and nested JSON does so twice.
    const once = withoutEscapes(text);
    return hasTerm(once) || (once.includes("\\") && hasTerm(withoutEscapes(once)));
  };
}

function isDistinctive(term: string): boolean {
  if (/^\d+$/.test(term)) return term.length >= MIN_NUMBER_DIGITS;
  return term.length >= (/^[\0-\x7f]*$/.test(term) ? MIN_WORD_CHARS : MIN_FOREIGN_CHARS);
}

function withoutEscapes(text: string): string {
  return text.replace(ESCAPE, (_all, code: string | undefined, letter: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return letter === undefined || /[bfnrt]/.test(letter) ? " " : letter;
  });
}
