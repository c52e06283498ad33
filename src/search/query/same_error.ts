/**
 * Finds the line of a text that states a wanted error. The same error may differ in numbers, ids, folders and the words
 * before the sentence (`Error:`, a place in a file); a similar one shares most of its words.
 */
import { latinLength } from "../../text/terms/forms.ts";
import { type ErrorLine, errorCore, errorSignature } from "./signature.ts";

/** A shorter piece of a line occurs in many texts by chance. */
const MIN_PIECE_CHARS = 16;
const MIN_PIECE_WORDS = 3;
/** Only the start of a longer line is compared. */
const MAX_LINE_CHARS = 1000;
const MAX_COMPARED_LINES = 400;
/** In a long line, such as a log in JSON, the comparison starts this far before the word that was found. */
const MIN_LEAD_CHARS = 120;
/** A similar line has at least this share of the wanted words' weight, and at least this many of the words. */
const MIN_SHARED_WEIGHT = 0.6;
const MIN_SHARED_WORDS = 3;
const QUOTATION_MARK = /["'`‘’“”«»]/g;
const QUOTED = /(?<!\w)(?:"[^"]{1,80}"|'[^']{1,80}'|`[^`]{1,80}`)/g;
const WORD = /[\p{L}\p{N}_]{2,}/gu;

export interface FoundError {
  /** As in the text. */
  line: string;
  /**
   * 4: the line has the wanted text as pasted; 3: it states the wanted error; 2: one contains the other; 1: similar.
   */
  grade: 1 | 2 | 3 | 4;
  /** For a similar line: its share of the wanted weight. */
  share: number;
}

export interface WeightedWord {
  word: string;
  weight: number;
}

/** A wanted error line, and the words by which dex looks for it, the rarest first. */
export class WantedError {
  readonly #pasted: string;
  /** The signature and the core lack quotation marks: a shell strips them, and programs use different ones. */
  readonly #signature: string;
  readonly #core: string;
  readonly #words: readonly WeightedWord[];
  readonly #weight: number;

  constructor({ line, signature }: ErrorLine, words: readonly WeightedWord[]) {
    this.#pasted = line;
    this.#signature = withoutQuotationMarks(signature);
    this.#core = withoutQuotationMarks(errorCore(signature));
    this.#words = [...words].sort((a, b) => b.weight - a.weight);
    this.#weight = words.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** The best line; undefined if no line is the same or similar. */
  find(text: string): FoundError | undefined {
    let best: FoundError | undefined;
    for (const line of this.#candidates(text)) {
      const found = this.#compare(line);
      if (found && (!best || found.grade > best.grade || (found.grade === best.grade && found.share > best.share)))
        best = found;
      if (best?.grade === 4) break;
    }
    return best;
  }

  /** Lines with one of the rarest words: every similar line has one of those that hold most of the weight. */
  *#candidates(text: string): Generator<string> {
    const lower = text.toLowerCase();
    const seen = new Set<number>();
    let missing = this.#weight;
    for (const { word, weight } of this.#words) {
      if (missing < this.#weight * MIN_SHARED_WEIGHT || seen.size >= MAX_COMPARED_LINES) return;
      missing -= weight;
      for (let at = lower.indexOf(word); at >= 0 && seen.size < MAX_COMPARED_LINES; ) {
        const start = lower.lastIndexOf("\n", at) + 1;
        const end = lower.indexOf("\n", at);
        if (!seen.has(start)) {
          seen.add(start);
          // In a few languages the lower-case text has another length; the range is then slightly off, but still in
          // this text.
          const lead = Math.max(MIN_LEAD_CHARS, this.#pasted.length);
          yield text
            .slice(Math.max(start, at - lead), end < 0 ? undefined : end)
            .slice(0, MAX_LINE_CHARS)
            .trim();
        }
        at = end < 0 ? -1 : lower.indexOf(word, end);
      }
    }
  }

  #compare(line: string): FoundError | undefined {
    const quoted = errorSignature(line);
    const signature = withoutQuotationMarks(quoted);
    const core = withoutQuotationMarks(errorCore(quoted));
    if (latinLength(this.#pasted) >= MIN_PIECE_CHARS && line.includes(this.#pasted))
      return { line, grade: 4, share: 1 };
    if (signature === this.#signature || core === this.#core) return { line, grade: 3, share: 1 };
    const isPart =
      (isLong(this.#core) && holds(signature, this.#core)) ||
      (isLong(this.#signature) && holds(signature, this.#signature)) ||
      (isLong(core) && core.length * 2 >= this.#core.length && holds(this.#signature, core));
    if (isPart) return { line, grade: 2, share: 1 };
    const words = new Set(signature.match(WORD));
    const shared = this.#words.filter(({ word }) => words.has(word));
    const share = shared.reduce((sum, { weight }) => sum + weight, 0) / (this.#weight || 1);
    if (share < MIN_SHARED_WEIGHT || shared.length < Math.max(2, Math.min(MIN_SHARED_WORDS, this.#words.length)))
      return undefined;
    return { line, grade: 1, share };
  }
}

/** The words of a signature that every run of the same error has. */
export function errorWords(signature: string): string[] {
  return [...new Set(signature.replace(/<(?:n|id|path)>/g, " ").match(WORD) ?? [])];
}

/** The quoted words: the names that an error mentions. In a similar error they are often others. */
export function namedWords(signature: string): Set<string> {
  return new Set([...signature.matchAll(QUOTED)].flatMap(([quoted]) => quoted.match(WORD) ?? []));
}

function withoutQuotationMarks(signature: string): string {
  return signature.replace(QUOTATION_MARK, "");
}

function isLong(piece: string): boolean {
  const length = latinLength(piece);
  // A CJK word has about two characters, without spaces.
  const words = errorWords(piece).length + (length - piece.length) / 4;
  return length >= MIN_PIECE_CHARS && words >= MIN_PIECE_WORDS;
}

/** Whether the text contains the piece, starting at the start of a word. */
function holds(text: string, piece: string): boolean {
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}_]/u.test(text[at - 1] ?? "") || !/[\p{L}\p{N}_]/u.test(piece[0] ?? "")) return true;
  }
  return false;
}
