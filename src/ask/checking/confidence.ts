/**
 * Computes the confidence in an answer from its evidence: how much of the question the cited text covers, whether several
 * passages agree, how clearly the best one ranked first, and what share of the answer is supported. A model's own
 * estimate can only lower it.
 */
import { CONFIDENCES, type Confidence } from "../answer.ts";
import type { ReadPassage } from "../passage.ts";
import { coverage, type QuestionTerms, RARITY_POWER, termsOf, weigh } from "../terms.ts";

const HIGH = 0.7;
const MEDIUM = 0.45;
/** A passage that covers this share of the question counts as agreeing with the others. */
const AGREEMENT_COVERAGE = 0.5;
/** High confidence needs at least this coverage of the question, and this support. */
const HIGH_MIN_COVERAGE = 0.7;
const HIGH_MIN_SUPPORT = 0.8;

export interface Grounds {
  cited: readonly ReadPassage[];
  /** Everything that was read: the weight of a word depends on how rare it is there. */
  read: readonly ReadPassage[];
  question: QuestionTerms;
  /** Share of the answer's sentences that the cited text supports. */
  supported: number;
  /** The model's own estimate. */
  claimed?: Confidence;
}

export function confidenceIn({ cited, read, question, supported, claimed }: Grounds): Confidence {
  if (cited.length === 0) return "low";
  const texts = read.map(textTerms);
  const terms = weigh(question, texts, RARITY_POWER);
  const own = cited.map((passage) => coverage(terms, textTerms(passage)));
  const all = coverage(terms, new Set(cited.flatMap((passage) => [...textTerms(passage)])));
  const agreeing = own.filter((covered) => covered >= AGREEMENT_COVERAGE).length;
  const agreement = agreeing >= 2 ? 1 : agreeing === 1 ? 0.6 : 0;
  const score = 0.6 * all + 0.2 * agreement + 0.2 * margin(cited, read);
  const computed = ofScore(score * (0.4 + 0.6 * supported));
  const capped = computed === "high" && (all < HIGH_MIN_COVERAGE || supported < HIGH_MIN_SUPPORT) ? "medium" : computed;
  return lower(capped, claimed ?? "high");
}

function ofScore(score: number): Confidence {
  if (score >= HIGH) return "high";
  return score >= MEDIUM ? "medium" : "low";
}

export function lower(a: Confidence, b: Confidence): Confidence {
  return CONFIDENCES.indexOf(a) > CONFIDENCES.indexOf(b) ? a : b;
}

/** How far the best cited passage scores above the best uncited one; 0.5 without search scores. */
function margin(cited: readonly ReadPassage[], read: readonly ReadPassage[]): number {
  const best = Math.max(0, ...cited.map(({ score = 0 }) => score));
  if (best <= 0) return 0.5;
  const refs = new Set(cited.map(({ ref }) => ref));
  const others = read.filter(({ ref }) => !refs.has(ref)).map(({ score = 0 }) => score);
  const rival = Math.max(0, ...others);
  return Math.max(0, Math.min(1, 0.5 + (best - rival) / best / 2));
}

function textTerms({ title, section, document, text }: ReadPassage): Set<string> {
  return termsOf(`${title}\n${section ?? ""}\n${document}\n${text}`);
}
