/**
 * From what was typed to the terms that are looked for. Nothing typed can be a syntax error: words are taken out of the
 * text the way they were taken out of messages. Any of them may match; how many do, and how rare they are, is the
 * ranking's business.
 */
import type { Role } from "../conversations/model.ts";
import { Analyser, isCjkCharacter, LITTLE } from "../kernel/analyser.ts";
import { toolMark } from "../kernel/marks.ts";
import type { TermQuery } from "../store/ports.ts";

export interface TextQuery extends TermQuery {
  /** The words as typed, for snippets. */
  words: string[];
}

export interface QueryFilter {
  role?: Role;
  tool?: string;
}

const MOST_TERMS = 64;
const LONGEST_QUERY = 100_000;
const WORD = /[\p{L}\p{N}]+/gu;

const STOP_WORDS = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my " +
    "of on or our should so that the their them then there these they this to was we were what when where which who " +
    "why will with would you your"
  ).split(" "),
);

/** Undefined when there is no word in it to look for. */
export function parseQuery(typed: string, filter: QueryFilter = {}): TextQuery | undefined {
  const all = typed.slice(0, LONGEST_QUERY).normalize("NFC").match(WORD) ?? [];
  const telling = all.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  const words = [...new Set(telling.length > 0 ? telling : all)].slice(0, MOST_TERMS);
  if (words.length === 0) return undefined;
  const analyser = new Analyser(LITTLE);
  const terms = [...new Set(words.flatMap((word) => termsOf(analyser, word)))].slice(0, MOST_TERMS);
  const mark = filter.tool === undefined ? undefined : analyser.words(toolMark(filter.tool))[0];
  return { terms, words, role: filter.role, mark };
}

/** Of a run of CJK characters its pairs are looked for; single characters only where there is nothing else. */
function termsOf(analyser: Analyser, word: string): string[] {
  const terms = analyser.words(word);
  const longer = terms.filter((term) => !isCjkCharacter(term));
  return longer.length > 0 ? longer : terms;
}
