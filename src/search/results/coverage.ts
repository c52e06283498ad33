/** A note about the words of a question that the answer lacks: the nearest conversation is not always near. */
import type { TermCounts, TextHit } from "../../ranking/hits.ts";
import type { TextSearch } from "../../store/ports.ts";
import { clip } from "../../text/clip.ts";
import { Analyser, SMALL_CAPACITY } from "../../text/terms/analyser.ts";
import type { ParsedQuery } from "../query/query.ts";

/** A longer text was pasted: it is normal that some of its words occur nowhere else. */
export const MAX_TYPED_WORDS = 12;
const MAX_NAMED_WORDS = 5;
const MAX_WORD_CHARS = 80;
/** If the query has only so few words, a conversation should have all of them. */
const FEW_WORDS = 4;

/** How the note calls the searched things: a whole, and the part that is compared with the query. */
interface Searched {
  whole: string;
  part: string;
}

/** Redacts text of the query. */
type Redact = (text: string) => string;

/** Undefined if some conversation has all of the words (`hasAll`). */
export function coverageNote(
  store: TextSearch,
  query: ParsedQuery,
  best: Pick<TextHit, "no" | "index"> | undefined,
  hasAll: boolean,
  redact: Redact,
): string | undefined {
  if (hasAll) return undefined;
  const having = (terms: readonly string[]): TermCounts["having"] => store.countTerms(terms).having;
  const covered = best && wordsIn(store, query, best);
  return missingNote(query, having, covered, { whole: "conversation", part: "message" }, redact);
}

/** The same for the text of the best result, `best`, and others: passages of documents, definitions. */
export function textsNote(
  query: ParsedQuery,
  having: (terms: readonly string[]) => TermCounts["having"],
  [best, ...others]: readonly string[],
  searched: Searched,
  redact: Redact,
): string | undefined {
  const coveredBy = (text: string): WordTerms[] => {
    const held = termsOf(text);
    return query.wordTerms.filter(({ terms }) => terms.every((term) => held.has(term)));
  };
  if (best === undefined) return undefined;
  const covered = coveredBy(best);
  const hasAll = [best, ...others].some((text) => coveredBy(text).length === query.wordTerms.length);
  return hasAll ? undefined : missingNote(query, having, covered, searched, redact);
}

/**
 * The words that occur nowhere; or else the words that the best part lacks, if these are many, or any of a short query.
 * `covered`: the words that it has; undefined if nothing was found.
 */
function missingNote(
  query: ParsedQuery,
  having: (terms: readonly string[]) => TermCounts["having"],
  covered: readonly WordTerms[] | undefined,
  { whole, part }: Searched,
  redact: Redact,
): string | undefined {
  const { wordTerms } = query;
  const counts = having([...new Set(wordTerms.flatMap(({ terms }) => terms))]);
  const absent = wordTerms.filter(({ terms }) => terms.some((term) => counts.get(term) === 0));
  const present = covered ?? [];
  const isFar = present.length * 2 < wordTerms.length;
  if (absent.length > 0 && (isFar || wordTerms.length <= MAX_TYPED_WORDS)) {
    const nowhere = `No ${whole} contains: ${listed(absent, query, redact)}.`;
    return covered && present.length === 0 ? `${nowhere} These are similar in meaning.` : nowhere;
  }
  const missing = wordTerms.filter((each) => !present.includes(each));
  const isSpread = wordTerms.length <= FEW_WORDS && missing.length > 0;
  if (!covered || !(isFar || isSpread) || wordTerms.length < 2) return undefined;
  if (present.length === 0) return `No result has the words in one ${part}; these are similar in meaning.`;
  return `The best ${part} lacks ${missing.length} of the ${wordTerms.length} words: ${listed(missing, query, redact)}.`;
}

const analyser = new Analyser(SMALL_CAPACITY);

export function termsOf(text: string): Set<string> {
  analyser.trim();
  return new Set(analyser.words(text));
}

/** The words that this text has. */
function wordsIn(store: TextSearch, query: ParsedQuery, { no, index }: Pick<TextHit, "no" | "index">): WordTerms[] {
  if (index === null) return [...query.wordTerms];
  const found = new Set(store.explain(query, no, index).map(({ term }) => term));
  return query.wordTerms.filter(({ terms }) => terms.every((term) => found.has(term)));
}

type WordTerms = ParsedQuery["wordTerms"][number];

/** Words of a secret are counted, but not repeated. */
function listed(words: readonly WordTerms[], { text }: ParsedQuery, redact: Redact): string {
  const plain = redact(text).toLowerCase();
  const named = words.filter(({ word }) => plain.includes(word.toLowerCase())).slice(0, MAX_NAMED_WORDS);
  const others = words.length - named.length;
  const more = named.length === 0 ? `${others} of its words` : `${others} more`;
  return [...named.map(({ word }) => clip(word, MAX_WORD_CHARS)), ...(others > 0 ? [more] : [])].join(", ");
}
