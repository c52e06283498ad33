/**
 * Matches a prompt's words with the names, signatures and comments of the code, through the full-text index of the code
 * graph. All values are shares, which are comparable between prompts.
 */
import { type ParsedQuery, parseQuery, STOP_WORDS } from "../../../search/query/query.ts";
import type { CodeReader } from "../../../store/code.ts";
import { HAS_CJK } from "../../../text/terms/forms.ts";
import { isInstruction } from "../../prompt_content.ts";
import { typedWords } from "./typed_words.ts";

export interface PromptMatch {
  /** The score of its best definition divided by the best score of any. */
  share: number;
  /** The share of the prompt's words in its best definition, by rarity; lower if the file has few of them. */
  coverage: number;
  /** The reciprocal of its rank. */
  rank: number;
  /** The lead of the first file over the second; 0 for others. */
  lead: number;
  /** The matched words as the prompt spells them, the rarest first. */
  words: readonly string[];
}

const MAX_FILES = 30;
/** Fewer matched words may be a coincidence. */
const MIN_MATCHED_WORDS = 4;

/** "doesn't" and "there's": without the apostrophe, code contains their parts by coincidence. */
const CONTRACTIONS = /\b[a-z]+n['’]t\b|['’](?:s|re|ve|ll|d|m)\b/gi;

export function matchPrompt(prompt: string, code: CodeReader): Map<string, PromptMatch> {
  const query = parseQuery(prompt.replace(CONTRACTIONS, " "));
  // A prompt of stop words only ("do it") matches no file in particular.
  if (!query || query.words.every((word) => STOP_WORDS.has(word.toLowerCase()))) return new Map();
  // A single letter or digit, as in a version, tells nothing about code, except for a CJK character.
  const instructed = instructionTerms(query);
  const terms = withoutEndings(query.terms).filter((term) => !/^[a-z\d]$/.test(term) && !instructed.has(term));
  const found = code.searchFiles(terms, MAX_FILES);
  const [first = 0, second = 0] = found.map(({ score, share }) => score + share);
  const best = Math.max(0, ...found.map(({ score }) => score));
  const typed = typedWords(query.words);
  return new Map(
    found.map(({ path, score, together, has }, at) => [
      path,
      {
        share: best === 0 ? 0 : score / best,
        coverage: together * Math.min(1, has.length / MIN_MATCHED_WORDS),
        rank: 1 / (1 + at),
        lead: at === 0 && first > 0 ? 1 - second / first : 0,
        words: telling([...new Set(has.flatMap((place) => typed.get(terms[place] ?? "") ?? []))]),
      },
    ]),
  );
}

/**
 * Terms of instructions ("add a new", "update"), which every file mentions. They count only in a prompt without other
 * words.
 */
function instructionTerms({ wordTerms }: Pick<ParsedQuery, "wordTerms">): ReadonlySet<string> {
  const [others, instructions] = [new Set<string>(), new Set<string>()];
  for (const { word, terms } of wordTerms) {
    if (STOP_WORDS.has(word.toLowerCase())) continue;
    for (const term of terms) (isInstruction(word) ? instructions : others).add(term);
  }
  return others.size === 0 ? new Set() : instructions.difference(others);
}

const HIRAGANA_PAIR = /^[\u3040-\u309f]{2}$/;
/** A pair of characters of one script; a mixed pair mostly crosses a word boundary. */
const WORD_PAIR = /^(?:[\u4e00-\u9fff]{2}|[\u30a0-\u30ff]{2})$/;

/** Removes the pairs of hiragana: endings and particles of Japanese, which every text has. */
function withoutEndings(terms: readonly string[]): readonly string[] {
  const others = terms.filter((term) => !HIRAGANA_PAIR.test(term));
  return others.length > 0 ? others : terms;
}

/** Removes parts of words that are also present whole. */
function telling(words: readonly string[]): readonly string[] {
  const whole = words.filter((word) => !words.some((each) => each !== word && each.toLowerCase().includes(word)));
  const others = whole.filter((word) => !HAS_CJK.test(word) || word.length > 2 || WORD_PAIR.test(word));
  return others.length > 0 ? others : whole;
}
