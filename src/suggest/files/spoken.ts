/**
 * What the code itself says of a prompt's words: its names, signatures and comments, by the full-text index of the code
 * graph. All of it is stated as shares, so that it is comparable between prompts.
 */

import { parseQuery, STOP_WORDS } from "../../search/query/query.ts";
import type { CodeReader } from "../../store/code.ts";
import { Analyser, SMALL_CAPACITY } from "../../text/analyser.ts";

export interface Spoken {
  /** Score of its best definition, over the best score of any. */
  share: number;
  /** Of the prompt's telling words, by rarity, what its best definition has; less where the file has few of them. */
  much: number;
  /** One part in its rank. */
  rank: number;
  /** How far the first is ahead of the second; 0 for others. */
  lead: number;
  /** Those of the prompt's words that the file has, as the prompt has them, the rarest first. */
  words: readonly string[];
}

const MOST_FILES = 30;
/** A file that has fewer of the prompt's words may have them by chance. */
const ENOUGH_WORDS = 4;

export function spokenOf(prompt: string, code: CodeReader): Map<string, Spoken> {
  const query = parseQuery(prompt);
  // "Do it" is looked for by a search that has nothing else; of files it tells nothing.
  if (!query || query.words.every((word) => STOP_WORDS.has(word.toLowerCase()))) return new Map();
  const found = code.searchFiles(query.terms, MOST_FILES);
  const [first = 0, second = 0] = found.map(({ score, share }) => score + share);
  const best = Math.max(0, ...found.map(({ score }) => score));
  const typed = typedWords(query.words);
  return new Map(
    found.map(({ path, score, together, has }, at) => [
      path,
      {
        share: best === 0 ? 0 : score / best,
        much: together * Math.min(1, has.length / ENOUGH_WORDS),
        rank: 1 / (1 + at),
        lead: at === 0 && first > 0 ? 1 - second / first : 0,
        words: [...new Set(has.flatMap((place) => typed.get(query.terms[place] ?? "") ?? []))],
      },
    ]),
  );
}

/** By the term that is indexed, the word as it was typed. */
function typedWords(words: readonly string[]): Map<string, string> {
  const analyser = new Analyser(SMALL_CAPACITY);
  const found = new Map<string, string>();
  for (const word of words) for (const term of analyser.words(word)) if (!found.has(term)) found.set(term, word);
  return found;
}
