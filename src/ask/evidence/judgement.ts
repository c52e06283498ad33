/**
 * Judges whether the passages found answer a question, and which collections the question may be about: one that names
 * no product may match the documentation of several.
 */
import { OWN_DOCUMENTS } from "../../collections/declaring/own_documents.ts";
import { cleanLine } from "../../text/clean.ts";
import type { Confidence } from "../answer.ts";
import { MIN_PROBABILITY } from "../checking/confidence.ts";
import { CODE, isDocument, type ReadPassage } from "../passage.ts";
import type { WeighedQuestion } from "../question/question_words.ts";
import {
  evidenceOf,
  MAX_QUOTED_PASSAGES,
  MIN_LEAD,
  probabilityOf,
  type Ranked,
  rankPassages,
  rivalryOf,
} from "./answering.ts";
import { countedCoverage } from "./matching.ts";

const MAX_SHOWN_NAME_CHARS = 40;
/**
 * The probability of a statement in a manifest. The evidence was fitted on prose, and a line of a manifest has few
 * words.
 */
const STATED_PROBABILITY = 0.8;
/** The least probability of a definition that the question names: its code is at least the place to look. */
const NAMED_PROBABILITY = 0.5;

/**
 * A question "how many …?" is answered only by a sentence, item or row that has a number or a limit and covers this
 * share of the question.
 */
const MIN_COUNTED_SHARE = 0.5;

export interface Judgement {
  /** The probability that the passages answer the question. */
  probability: number;
  /** The probability if the question named the collection of the best passage. */
  named: number;
  /** The collections that match about equally well, best first; one if the question clearly belongs to it. */
  collections: readonly string[];
}

/** `asked`: the question with its words counted in the collection of the best passage alone. */
export function judgePassages(asked: WeighedQuestion, ranked: readonly Ranked[]): Judgement {
  const [best] = ranked;
  if (!best) return { probability: 0, named: 0, collections: [] };
  const { collection } = best.passage;
  const passages = ranked.filter(({ passage }) => passage.collection === collection).map(({ passage }) => passage);
  const own = rankPassages(asked, passages);
  const isRival = (passage: ReadPassage): boolean =>
    isDocument(passage) && subjectOf(passage) !== subjectOf(best.passage);
  const near = ranked.filter(({ passage, worth }) => isRival(passage) && worth > best.worth - MIN_LEAD);
  const least = best.passage.stated ? STATED_PROBABILITY : best.passage.named ? NAMED_PROBABILITY : 0;
  const alone = evidenceOf(asked, own);
  const isUnanswered = (asked.count && !hasCount(asked, own)) || (isOneWord(asked) && alone.headed < 1);
  const between = (probability: number): number => Math.max(least, isUnanswered ? 0 : probability);
  return {
    probability: between(probabilityOf(evidenceOf(asked, own, rivalryOf(ranked, isRival)))),
    named: between(probabilityOf(alone)),
    collections: [...new Set([collection, ...near.map(({ passage }) => passage.collection)])],
  };
}

/**
 * A question of one word asks about a subject. Every text contains the word, but only a section about the subject
 * answers.
 */
function isOneWord({ query, terms }: WeighedQuestion): boolean {
  return !/\S\s+\S/.test(query) && new Set(terms.map(({ word }) => word)).size <= 1;
}

/**
 * Whether a quoted passage has a number or names a limit; one that only mentions the things does not answer "how many".
 */
function hasCount(asked: WeighedQuestion, ranked: readonly Ranked[]): boolean {
  return ranked
    .slice(0, MAX_QUOTED_PASSAGES)
    .some(({ passage }) => countedCoverage(asked, passage) >= MIN_COUNTED_SHARE);
}

/**
 * The highest confidence in an answer. The evidence was fitted on documentation. Messages are less reliable, and long
 * ones contain many words by chance. Code that lacks one of the question's words may be about something else ("why was
 * the router replaced?"). If two collections match about equally well, the question does not tell which one it is
 * about.
 */
export function highestConfidence({ collections }: Judgement, hasAllWords: boolean): Confidence {
  const [only = CODE, other] = collections;
  if (!isDocument({ collection: only })) return hasAllWords ? "medium" : "low";
  return other === undefined ? "high" : "medium";
}

export function refusalText(judged: Judgement): string {
  if (judged.collections.length === 0) return "Nothing was found about this.";
  if (!isAmbiguous(judged)) return "The sources do not answer this.";
  const names = listOfNames(judged.collections.slice(0, MAX_QUOTED_PASSAGES));
  return `It is not clear which collection the question is about: ${names}. Name one of them in the question.`;
}

/** The best passages; for an ambiguous question, the best one of each collection. */
export function nearestOf(ranked: readonly Ranked[], judged: Judgement): readonly Ranked[] {
  if (!isAmbiguous(judged)) return ranked.slice(0, MAX_QUOTED_PASSAGES);
  return judged.collections
    .slice(0, MAX_QUOTED_PASSAGES)
    .flatMap((name) => ranked.find(({ passage }) => passage.collection === name) ?? []);
}

export function otherCollectionsNote({ collections }: Judgement): string[] {
  const others = collections.slice(1, 1 + MAX_QUOTED_PASSAGES);
  return others.length === 0 ? [] : [`It may also be about ${listOfNames(others)}: name the collection to be sure.`];
}

export function isAnswered({ probability }: Judgement): boolean {
  return probability >= MIN_PROBABILITY;
}

/** Whether the question would be answered if it named one of the collections. */
function isAmbiguous(judged: Judgement): boolean {
  return !isAnswered(judged) && judged.named >= MIN_PROBABILITY && judged.collections.length > 1;
}

function listOfNames(names: readonly string[]): string {
  return names.map((name) => cleanLine(name, MAX_SHOWN_NAME_CHARS)).join(", ");
}

/**
 * The subject of a passage: its collection, or the project, whose documents, code, past and conversations share one
 * subject.
 */
function subjectOf({ collection }: ReadPassage): string {
  return isDocument({ collection }) ? collection : OWN_DOCUMENTS;
}
