/** Says which words of a question the answer lacks: the nearest conversation is not always a near one. */
import type { TextHit } from "../../ranking/hits.ts";
import { redactText } from "../../redact/redact.ts";
import type { TextSearch } from "../../store/ports.ts";
import type { ParsedQuery } from "../query/query.ts";

/** A longer text was pasted: some of its words occur nowhere else, and that says little. */
const MAX_TYPED_WORDS = 12;
const MAX_NAMED_WORDS = 5;
/** Of so few words a conversation is expected to have all. */
const FEW_WORDS = 4;

/**
 * Undefined if some conversation has all of the words (`hasAll`), or if every word occurs somewhere and the best message has
 * at least half of them.
 */
export function coverageNote(
  store: TextSearch,
  query: ParsedQuery,
  best: Pick<TextHit, "no" | "index"> | undefined,
  hasAll: boolean,
): string | undefined {
  if (hasAll) return undefined;
  const { wordTerms } = query;
  const { having } = store.countTerms([...new Set(wordTerms.flatMap(({ terms }) => terms))]);
  const absent = wordTerms.filter(({ terms }) => terms.some((term) => having.get(term) === 0));
  const covered = best === undefined ? [] : wordsIn(store, query, best);
  const isFar = covered.length * 2 < wordTerms.length;
  if (absent.length > 0 && (isFar || wordTerms.length <= MAX_TYPED_WORDS)) {
    const nowhere = `No conversation contains: ${listed(absent, query)}.`;
    return best && covered.length === 0 ? `${nowhere} These are similar in meaning.` : nowhere;
  }
  const isSpread = wordTerms.length <= FEW_WORDS && covered.length < wordTerms.length;
  if (!best || !(isFar || isSpread) || wordTerms.length < 2) return undefined;
  if (covered.length === 0) return "No result has the words in one message; these are similar in meaning.";
  return `The best message has ${covered.length} of the ${wordTerms.length} words: ${listed(covered, query)}.`;
}

/** The words that this text has. */
function wordsIn(store: TextSearch, query: ParsedQuery, { no, index }: Pick<TextHit, "no" | "index">): WordTerms[] {
  if (index === null) return [...query.wordTerms];
  const found = new Set(store.explain(query, no, index).map(({ term }) => term));
  return query.wordTerms.filter(({ terms }) => terms.every((term) => found.has(term)));
}

type WordTerms = ParsedQuery["wordTerms"][number];

/** Words of a secret in the query are counted, but not repeated. */
function listed(words: readonly WordTerms[], { text }: ParsedQuery): string {
  const plain = redactText(text).text.toLowerCase();
  const named = words.filter(({ word }) => plain.includes(word.toLowerCase())).slice(0, MAX_NAMED_WORDS);
  const others = words.length - named.length;
  const more = named.length === 0 ? `${others} of its words` : `${others} more`;
  return [...named.map(({ word }) => word), ...(others > 0 ? [more] : [])].join(", ");
}
