/**
 * Judges whether the passages found answer a question, and which collections it may be about: a question that names no
 * product may match the documentation of several.
 */
import { OWN_DOCUMENTS } from "../../collections/declaring/own_documents.ts";
import { cleanLine } from "../../text/clean.ts";
import type { Confidence } from "../answer.ts";
import { MIN_PROBABILITY } from "../checking/confidence.ts";
import { CODE, isDocument, type ReadPassage } from "../passage.ts";
import {
  evidenceOf,
  MAX_QUOTED_PASSAGES,
  MIN_LEAD,
  probabilityOf,
  type Ranked,
  rankPassages,
  rivalryOf,
} from "./answering.ts";
import type { Asked } from "./asked.ts";
import { countedCoverage } from "./matching.ts";

const MAX_SHOWN_NAME_CHARS = 40;
/** Of what a manifest states. The evidence was fitted on prose, and a line of a manifest has few words. */
const STATED_PROBABILITY = 0.8;
/** Of the definition that a question names: whatever is asked about it, its code is the place to look, if not the answer. */
const NAMED_PROBABILITY = 0.5;

/** The share of a question for a count that a sentence, item or row with a number or a limit must cover. */
const MIN_COUNTED_SHARE = 0.5;

export interface Judged {
  /** The probability that the passages answer the question. */
  probability: number;
  /** The probability if the question named the collection of the best passage. */
  named: number;
  /** The collections that match about equally well, best first; one if the question clearly belongs to it. */
  collections: readonly string[];
}

/** `asked`: with the words counted in the collection of the best passage alone. */
export function judgedBy(asked: Asked, ranked: readonly Ranked[]): Judged {
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

/** A word alone asks for nothing but its subject: any text has it, but only a section about it answers. */
function isOneWord({ query, terms }: Asked): boolean {
  return !/\S\s+\S/.test(query) && new Set(terms.map(({ word }) => word)).size <= 1;
}

/** A passage that says how many has a number or names a limit; one that only mentions the things does not answer. */
function hasCount(asked: Asked, ranked: readonly Ranked[]): boolean {
  return ranked
    .slice(0, MAX_QUOTED_PASSAGES)
    .some(({ passage }) => countedCoverage(asked, passage) >= MIN_COUNTED_SHARE);
}

/**
 * The highest confidence in an answer. The evidence was fitted on documentation. A message is less reliable, long ones
 * have many words by chance, and code with the words of a question need not answer it: without one of the words, it may
 * be about something else ("why was the router replaced?"). If two collections match about equally well, the question
 * does not say which of them it is about.
 */
export function mostOf({ collections }: Judged, hasAllWords: boolean): Confidence {
  const [only = CODE, other] = collections;
  if (!isDocument({ collection: only })) return hasAllWords ? "medium" : "low";
  return other === undefined ? "high" : "medium";
}

export function refusalOf(judged: Judged): string {
  if (judged.collections.length === 0) return "Nothing was found about this.";
  if (!isAmbiguous(judged)) return "The sources do not answer this.";
  const names = shown(judged.collections.slice(0, MAX_QUOTED_PASSAGES));
  return `It is not clear which collection the question is about: ${names}. Name one of them in the question.`;
}

/** The best passages; of an ambiguous question, the best one of each collection. */
export function nearestOf(ranked: readonly Ranked[], judged: Judged): readonly Ranked[] {
  if (!isAmbiguous(judged)) return ranked.slice(0, MAX_QUOTED_PASSAGES);
  return judged.collections
    .slice(0, MAX_QUOTED_PASSAGES)
    .flatMap((name) => ranked.find(({ passage }) => passage.collection === name) ?? []);
}

export function otherCollections({ collections }: Judged): string[] {
  const others = collections.slice(1, 1 + MAX_QUOTED_PASSAGES);
  return others.length === 0 ? [] : [`It may also be about ${shown(others)}: name the collection to be sure.`];
}

export function isAnswered({ probability }: Judged): boolean {
  return probability >= MIN_PROBABILITY;
}

/** Each of several collections may answer the question, once it says which one is meant. */
function isAmbiguous(judged: Judged): boolean {
  return !isAnswered(judged) && judged.named >= MIN_PROBABILITY && judged.collections.length > 1;
}

function shown(names: readonly string[]): string {
  return names.map((name) => cleanLine(name, MAX_SHOWN_NAME_CHARS)).join(", ");
}

/** The subject of a passage: its collection, or the project; its documents, code, past and conversations have one subject. */
function subjectOf({ collection }: ReadPassage): string {
  return isDocument({ collection }) ? collection : OWN_DOCUMENTS;
}
