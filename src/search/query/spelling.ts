/** "Did you mean": words of the index with a spelling close to the typed ones. Suggested, never substituted. */
import type { ConversationReader, ConversationRow, TextSearch } from "../../store/ports.ts";
import { patternFor } from "../../text/patterns.ts";
import { Analyser, SMALL_CAPACITY } from "../../text/terms/analyser.ts";
import { HAS_CJK } from "../../text/terms/forms.ts";
import { STOP_WORDS } from "./query.ts";

const MAX_WORDS = 8;
const WORD = patternFor(String.raw`[\p{L}\p{N}]+`, "g");

/** The index has only stems, so dex takes the full word from a message that contains it. */
export function nearWords(
  typed: readonly string[],
  store: ConversationReader & TextSearch,
  textOf: (row: ConversationRow, index: number) => string,
): string[] {
  return nearTerms(
    typed,
    (term) => store.nearTerms(term),
    ({ no, index }) => {
      const row = store.byNo(no);
      return row ? textOf(row, index) : undefined;
    },
  );
}

interface NearTerm {
  term: string;
  no: number;
  index: number;
}

/** The same for any texts: `near` returns the closest terms, `textOf` a text with it, or undefined if it was deleted. */
export function nearTerms(
  typed: readonly string[],
  near: (term: string) => readonly NearTerm[],
  textOf: (place: NearTerm) => string | undefined,
): string[] {
  const analyser = new Analyser(SMALL_CAPACITY);
  const found = new Set<string>();
  for (const word of typed.slice(0, MAX_WORDS)) {
    // CJK terms are pairs of characters, and similar pairs are not similar words.
    if (HAS_CJK.test(word)) continue;
    const term = analyser.words(word)[0];
    for (const place of term === undefined ? [] : near(term)) {
      const text = textOf(place);
      if (text === undefined) continue;
      const spelled = (text.match(WORD(text)) ?? []).find((each) => analyser.words(each).includes(place.term));
      const meant = (spelled ?? place.term).toLowerCase();
      if (STOP_WORDS.has(meant)) continue;
      found.add(meant);
      break;
    }
  }
  return [...found];
}
