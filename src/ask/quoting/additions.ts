/**
 * Chooses units to quote besides those with the words of the question: the best unit of every cited section, a number
 * or code if the question asks for it, the sentences that follow, and whatever else fits.
 */
import { CODE, isDocument } from "../passage.ts";
import { coverage, type QuestionTerms, termsOf } from "../question/terms.ts";
import { type Candidate, isQuestion, MAX_ANNOUNCED, sizeOf, withNeeded } from "./candidates.ts";
import { hasNumber } from "./numbers.ts";
import { byScore, type Scores } from "./scores.ts";

/** The best unit of a section may take at most this share of the remaining budget. */
const MAX_BEST_SHARE = 0.5;
/** A unit with a lower score is not added to fill the answer. */
const MIN_FURTHER_SCORE = 0.2;
/** At most so many units are quoted below a question in the text. */
const MAX_ANSWER_UNITS = 6;
/** At most so many sentences are quoted after the best one of a paragraph. */
const MAX_FOLLOWING = 3;
/**
 * A heading that is a question, as in a FAQ; the share of the user's question that it must cover; and the number of
 * units quoted below it.
 */
const ASKING_HEADING =
  /[?？]$|^(?:can|could|do|does|how|is|are|should|what|when|where|which|who|why)\b(?!-)|^i (?:get|want|need|see|have)\b/i;
const MIN_HEADING_SHARE = 0.3;
const MAX_OPENING = 3;
/** A section up to this share of the budget is short and quoted whole. */
const SHORT_SECTION_SHARE = 0.5;

/**
 * The best unit of each section, if it takes only a part of the remaining budget, so that no cited section goes
 * unquoted. Of a definition, also the first sentence of its comment, which says what it does.
 */
export function bestOfEach(candidates: readonly Candidate[], scores: Scores, budget: number): Candidate[] {
  const added: Candidate[] = [];
  let left = budget;
  const addFirstThatFits = (units: readonly Candidate[]): void => {
    for (const each of units) {
      const group = withNeeded(each, candidates).filter((one) => !added.includes(one));
      const tokens = sizeOf(group);
      if (tokens > left * MAX_BEST_SHARE) continue;
      added.push(...group);
      left -= tokens;
      break;
    }
  };
  for (const own of Map.groupBy(candidates, ({ rank }) => rank).values()) {
    const [opening] = own;
    if (opening?.passage.collection === CODE && opening.unit.kind === "sentence") addFirstThatFits([opening]);
    addFirstThatFits(own.toSorted(byScore(scores)));
  }
  return added;
}

/** The units that still fit, best first: the answer may use other words, or be further down in a long section. */
export function furtherPlaces(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  scores: Scores,
  budget: number,
): Candidate[] {
  const added: Candidate[] = [];
  let left = leftOf(budget, chosen);
  for (const each of candidates.filter(isDocumented).sort(byScore(scores))) {
    if ((scores.get(each) ?? 0) < MIN_FURTHER_SCORE) break;
    const group = withNeeded(each, candidates).filter((one) => !chosen.includes(one) && !added.includes(one));
    const tokens = sizeOf(group);
    if (tokens > left) continue;
    added.push(...group);
    left -= tokens;
  }
  return added;
}

/**
 * Whether the passage is documentation. A statement of a manifest is a whole answer, and messages and code add little.
 */
function isDocumented({ passage }: Candidate): boolean {
  return isDocument(passage) && passage.stated === undefined;
}

/** The lists, code and answers that the quoted sentences, items and questions introduce. */
export function announced(candidates: readonly Candidate[], chosen: readonly Candidate[], budget: number): Candidate[] {
  const quoted = [...chosen].sort((a, b) => a.rank - b.rank || a.place - b.place);
  let left = leftOf(budget, chosen);
  for (const lead of quoted) {
    const below = candidates.filter(({ passage, unit }) => passage === lead.passage && unit.lead === lead.place);
    for (const each of below.slice(0, isQuestion(lead) ? MAX_ANSWER_UNITS : MAX_ANNOUNCED)) {
      if (quoted.includes(each)) continue;
      if (each.tokens > left) break;
      quoted.push(each);
      left -= each.tokens;
    }
  }
  return quoted.slice(chosen.length);
}

/** For a question that asks for a number: the best unit of the best section with one, unless one is already quoted. */
export function shownNumber(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  terms: QuestionTerms,
  budget: number,
): Candidate[] {
  const isNumbered = ({ rank, unit }: Candidate): boolean => rank === 0 && hasNumber(unit.text);
  if (chosen.some(isNumbered)) return [];
  const left = leftOf(budget, chosen);
  return (
    candidates
      .filter(isNumbered)
      .map((each) => ({ group: withNeeded(each, candidates).filter((needed) => !chosen.includes(needed)), each }))
      .filter(({ group }) => sizeOf(group) <= left)
      .sort((a, b) => coverage(terms, b.each.terms) - coverage(terms, a.each.terms) || a.each.place - b.each.place)[0]
      ?.group ?? []
  );
}

function leftOf(budget: number, chosen: readonly Candidate[]): number {
  return budget - sizeOf(chosen);
}

/**
 * The code block below the best quoted sentence of the best section, or else the block nearest to its quoted units,
 * unless one is already quoted.
 */
export function shownCode(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  terms: QuestionTerms,
  budget: number,
): Candidate[] {
  const said = chosen.filter(({ rank }) => rank === 0);
  const best = bestSentence(said, terms);
  if (said.length === 0) return [];
  const hasCode = said.some(({ unit }) => unit.kind === "code");
  const left = leftOf(budget, chosen);
  const far = ({ unit }: Candidate): number =>
    unit.block - 1 === best?.unit.block ? -1 : Math.min(...said.map((each) => Math.abs(each.unit.block - unit.block)));
  const shown = candidates
    .filter((each) => each.rank === 0 && each.unit.kind === "code" && !chosen.includes(each))
    .filter((each) => !hasCode || far(each) < 0)
    .map((each) => withNeeded(each, candidates).filter((needed) => !chosen.includes(needed)))
    .filter((group) => sizeOf(group) <= left)
    .sort((a, b) => far(a.at(-1) as Candidate) - far(b.at(-1) as Candidate));
  return shown[0] ?? [];
}

/** The sentence that covers most of the question. */
function bestSentence(own: readonly Candidate[], terms: QuestionTerms): Candidate | undefined {
  return own
    .filter(({ unit }) => unit.kind === "sentence")
    .sort((a, b) => coverage(terms, b.terms) - coverage(terms, a.terms) || a.place - b.place)[0];
}

/** The rest of a short section; in a longer one, the sentences that follow the best one in its paragraph. */
export function following(
  candidates: readonly Candidate[],
  chosen: ReadonlySet<Candidate>,
  terms: QuestionTerms,
  budget: number,
): Candidate[][] {
  const own = candidates.filter(({ rank }) => rank === 0);
  if (!own.some((each) => chosen.has(each))) return [];
  if (own.reduce((sum, each) => sum + each.tokens, 0) <= budget * SHORT_SECTION_SHARE) return own.map((each) => [each]);
  const best = bestSentence(
    own.filter((each) => chosen.has(each)),
    terms,
  );
  if (!best) return [];
  return own
    .filter(({ place, unit }) => unit.block === best.unit.block && place >= best.place)
    .slice(0, MAX_FOLLOWING + 1)
    .map((each) => withNeeded(each, candidates));
}

/** The first sentences below a heading or a sentence that is a question: they answer it. */
export function openingOfAnswer(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  terms: QuestionTerms,
  budget: number,
): Candidate[] {
  const added: Candidate[] = [];
  let left = leftOf(budget, chosen);
  for (const own of Map.groupBy(candidates, ({ passage }) => passage).values()) {
    const asking = own.flatMap((each, at) => (chosen.includes(each) && isQuestion(each) ? at + 1 : []));
    for (const from of answersHeading(own[0], terms) ? [0, ...asking] : asking) {
      const block = own[from]?.unit.block;
      const opening = own.slice(from, from + MAX_OPENING).filter(({ unit }) => unit.block === block);
      const group = new Set(opening.flatMap((each) => withNeeded(each, candidates)));
      const missing = [...group].filter((each) => !chosen.includes(each) && !added.includes(each));
      if (sizeOf(missing) > left) continue;
      added.push(...missing);
      left -= sizeOf(missing);
    }
  }
  return added;
}

function answersHeading(first: Candidate | undefined, terms: QuestionTerms): boolean {
  const heading = first?.passage.section?.split(" > ").at(-1) ?? "";
  if (!first || !ASKING_HEADING.test(heading)) return false;
  return first.rank === 0 || coverage(terms, termsOf(heading)) >= MIN_HEADING_SHARE;
}
