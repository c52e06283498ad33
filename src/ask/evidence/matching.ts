/**
 * How well a passage matches a question, as a few figures between 0 and 1, each of which can be explained by itself.
 */
import type { ReadPassage } from "../passage.ts";
import { phraseShare } from "../question/neighbours.ts";
import { type WeighedQuestion, type WeighedTerm, weightOf } from "../question/question_words.ts";
import { significantTerms } from "../question/terms.ts";
import { hasNumber, namesLimit } from "../quoting/numbers.ts";
import type { Unit } from "../quoting/units/unit.ts";
import { unitsOf } from "../quoting/units/units.ts";
import { sentenceCosine } from "./sentences.ts";
import { coverageByMeaning, nearTo, presence, wordingOf } from "./similar.ts";

export interface Match {
  /** The search score relative to the best one. */
  score: number;
  /** The share of the question that the whole passage covers, where words of similar meaning count in part. */
  meaning: number;
  /** The share that a few neighbouring units cover together with the headings above them. */
  window: number;
  /**
   * Cosine of the question and the section's heading; without a model, the share of the heading's words in the
   * question.
   */
  heading: number;
  /** Cosine of the question and the nearest unit. */
  cosine: number;
  /** The same by the sentence encoder; without the encoder, equal to `cosine`. */
  sentence: number;
  /**
   * The share of the question's pairs of neighbouring words that are also neighbours in one unit or in the headings.
   */
  phrase: number;
}

/** Only so many units of a passage are compared. */
const MAX_UNITS = 200;
/** So many neighbouring units may cover a question together. */
const WINDOW_UNITS = 3;
/** Units of a passage that the sentence encoder reads: the nearest ones by the word model, which is much faster. */
const MAX_SENTENCES = 5;
/** The weight of a question's word that is only in a heading, for the units below it. */
const HEADING_SHARE = 0.8;

export function matchOf(asked: WeighedQuestion, passage: ReadPassage, best: number): Match {
  const { title, section = "", score = 0 } = passage;
  const name = section.split(" > ").at(-1) || title;
  const units = unitsOf(statedText(passage)).slice(0, MAX_UNITS);
  const near = nearTo(asked);
  const cosines = units.map(({ text }) => ({ text, cosine: near(text) })).sort((a, b) => b.cosine - a.cosine);
  const nearest = cosines[0]?.cosine ?? 0;
  return {
    score: best > 0 ? Math.max(0, score) / best : 0,
    meaning: coverageByMeaning(asked, wordingOf(fullText(passage))),
    window: windowCoverage(asked, passage, units),
    heading: asked.model ? near(name) : shareOfHeading(asked, name),
    cosine: nearest,
    sentence: asked.sentences ? nearestSentence(asked, cosines.slice(0, MAX_SENTENCES)) : nearest,
    phrase: phraseShare(asked.query, [`${title} ${section}`, ...units.map(({ text }) => text)]),
  };
}

function nearestSentence(asked: WeighedQuestion, units: readonly { text: string }[]): number {
  return units.reduce((most, { text }) => Math.max(most, sentenceCosine(asked, text)), 0);
}

function shareOfHeading({ terms }: WeighedQuestion, name: string): number {
  const heading = significantTerms(name);
  if (heading.length === 0) return 0;
  return heading.filter((term) => terms.some((each) => each.term === term)).length / heading.length;
}

/** A passage with its title and headings. */
export function fullText(passage: ReadPassage): string {
  return `${passage.title}\n${passage.section ?? ""}\n${statedText(passage)}`;
}

function statedText({ problem, text }: ReadPassage): string {
  return problem === undefined ? text : `${problem}\n\n${text}`;
}

/** The share of these terms, 0 to 1, that the title and the headings above a passage have. */
export function headingCoverage(
  asked: WeighedQuestion,
  terms: readonly WeighedTerm[],
  { title, section = "" }: ReadPassage,
): number {
  const above = wordingOf(`${title}\n${section}`);
  const total = weightOf(terms);
  if (total === 0) return 0;
  return terms.reduce((sum, term) => sum + term.weight * presence(asked, term, above), 0) / total;
}

/**
 * The largest share of the question that one unit with a number or a limit covers together with the headings above it.
 */
export function countedCoverage(asked: WeighedQuestion, { title, section = "", text }: ReadPassage): number {
  const above = wordingOf(`${title}\n${section}`);
  const units = unitsOf(text).slice(0, MAX_UNITS);
  return units.reduce((most, unit) => {
    if (!hasNumber(unit.text) && !namesLimit(unit.text)) return most;
    const wording = wordingOf(unit.text);
    const share = asked.terms.reduce(
      (sum, term) =>
        sum + term.weight * Math.max(presence(asked, term, wording), HEADING_SHARE * presence(asked, term, above)),
      0,
    );
    return asked.total === 0 ? most : Math.max(most, share / asked.total);
  }, 0);
}

/** The largest share of the question that a few neighbouring units cover together with the headings above them. */
function windowCoverage(asked: WeighedQuestion, { title, section = "" }: ReadPassage, units: readonly Unit[]): number {
  if (asked.total === 0) return 0;
  const above = wordingOf(`${title}\n${section}`);
  const inHeading = asked.terms.map((term) => HEADING_SHARE * presence(asked, term, above));
  const inUnits = units.map(({ text }) => {
    const wording = wordingOf(text);
    return asked.terms.map((term) => presence(asked, term, wording));
  });
  return inUnits.reduce((most, _, at) => {
    const window = inUnits.slice(at, at + WINDOW_UNITS);
    const share = asked.terms.reduce((sum, { weight }, k) => {
      const present = window.reduce((largest, unit) => Math.max(largest, unit[k] ?? 0), inHeading[k] ?? 0);
      return sum + weight * present;
    }, 0);
    return Math.max(most, share / asked.total);
  }, 0);
}
