/** "Did you mean": words of the index that are nearly the ones typed. Offered, never put in their place. */
import { Analyser, LITTLE } from "../kernel/analyser.ts";
import type { ConversationReader, ConversationRow, TextSearch } from "../store/ports.ts";

const MOST_WORDS = 8;
const WORD = /[\p{L}\p{N}]+/gu;

/** The index knows stems; the word itself is taken from a message that has it. */
export function nearWords(
  typed: readonly string[],
  store: ConversationReader & TextSearch,
  textOf: (row: ConversationRow, index: number) => string,
): string[] {
  const analyser = new Analyser(LITTLE);
  const found = new Set<string>();
  for (const word of typed.slice(0, MOST_WORDS)) {
    const term = analyser.words(word)[0];
    const near = term === undefined ? undefined : store.nearTerms(term)[0];
    const row = near && store.byNo(near.no);
    if (!near || !row) continue;
    const spelled = (textOf(row, near.index).match(WORD) ?? []).find((each) =>
      analyser.words(each).includes(near.term),
    );
    found.add((spelled ?? near.term).toLowerCase());
  }
  return [...found];
}
