/** Finds decisions, memories and commits by words, weighted by rarity. */
import type { TermCounts } from "../ranking/hits.ts";
import { Analyser, SMALL_CAPACITY } from "../text/terms/analyser.ts";
import type { Decision } from "./decision.ts";

const SUBJECT_WEIGHT = 4;
const TEXT_WEIGHT = 3;
const DETAILS_WEIGHT = 1;

/** The best first, then the newest. Decisions without any of the words are left out. */
export function matchDecisions(decisions: readonly Decision[], query: string): Decision[] {
  return matchByWords(decisions, query, ({ origin, text, because, alternatives, files, symbols }) => ({
    subject: origin === "adr" ? (text.split(": ")[0] ?? "") : "",
    text,
    details: [because ?? "", ...alternatives, ...files, ...symbols].join(" "),
  }));
}

interface Rankable {
  id: string;
  time: number;
}

/** Words in the text weigh more than words in its details, and those of a title more than both. */
type WordsOf<T> = (thing: T) => { subject?: string; text: string; details: string };

export function matchByWords<T extends Rankable>(things: readonly T[], query: string, wordsOf: WordsOf<T>): T[] {
  const asked = [...new Set(new Analyser(SMALL_CAPACITY).words(query))];
  return new WordRanking(things, asked, wordsOf).rank().map(({ thing }) => thing);
}

/** Ranks things by the terms of questions. Each thing is analysed only once, however often it is ranked. */
export class WordRanking<T extends Rankable> {
  readonly #analyser = new Analyser(SMALL_CAPACITY);
  readonly #asked: readonly string[];
  readonly #texts: number;
  /** Only things that have one of the terms. */
  readonly #found: readonly { thing: T; weights: ReadonlyMap<string, number> }[];

  /** `asked`: all terms that later calls will rank by. */
  constructor(things: readonly T[], asked: readonly string[], wordsOf: WordsOf<T>) {
    this.#asked = asked;
    this.#texts = things.length;
    const terms = new Set(asked);
    this.#found = things
      .map((thing) => ({ thing, weights: this.#weightsOf(wordsOf(thing), terms) }))
      .filter(({ weights }) => weights.size > 0);
  }

  /** The best first, then the newest, with their scores. */
  rank(
    asked: readonly string[] = this.#asked,
    isWanted: (thing: T) => boolean = () => true,
  ): { thing: T; score: number }[] {
    const { having } = this.count(asked);
    const rarity = new Map(
      asked.map((term) => {
        const texts = having.get(term) ?? 0;
        return [term, Math.log(1 + (this.#texts - texts + 0.5) / (texts + 0.5))];
      }),
    );
    return this.#found
      .filter(({ thing }) => isWanted(thing))
      .map(({ thing, weights }) => ({
        thing,
        score: asked.reduce((sum, term) => sum + (rarity.get(term) ?? 0) * (weights.get(term) ?? 0), 0),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || b.thing.time - a.thing.time || (a.thing.id < b.thing.id ? -1 : 1));
  }

  count(terms: readonly string[]): TermCounts {
    const having = new Map(
      terms.map((term) => [term, this.#found.reduce((sum, { weights }) => sum + Number(weights.has(term)), 0)]),
    );
    return { texts: this.#texts, having };
  }

  #weightsOf({ subject = "", text, details }: ReturnType<WordsOf<T>>, asked: ReadonlySet<string>): Map<string, number> {
    const weights = new Map<string, number>();
    const add = (content: string, weight: number): void => {
      for (const term of this.#analyser.words(content))
        if (asked.has(term)) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
    };
    add(details, DETAILS_WEIGHT);
    add(text, TEXT_WEIGHT);
    add(subject, SUBJECT_WEIGHT);
    return weights;
  }
}
