/**
 * How far an answer can be trusted, computed from what it rests on: how much of the question the cited text speaks
 * about, whether several passages say so, how clearly the best was found, and how much of what is said has support. A
 * model's own word can only lower it.
 */
import { CONFIDENCES, type Confidence } from "./answer.ts";
import type { ReadPassage } from "./passage.ts";
import { coverage, type QuestionTerms, RARITY, termsOf, weigh } from "./terms.ts";

const HIGH = 0.7;
const MEDIUM = 0.45;
/** A passage that speaks about this share of the question agrees with the others. */
const AGREES = 0.5;
/** Nothing is certain that leaves out more of the question than this. */
const COVERED = 0.7;
const SUPPORTED = 0.8;

export interface Grounds {
  cited: readonly ReadPassage[];
  /** All that was read: what a word is worth is told by them. */
  read: readonly ReadPassage[];
  question: QuestionTerms;
  /** Share of the answer's sentences that the cited text bears out. */
  supported: number;
  /** What the model says of itself. */
  claimed?: Confidence;
}

export function confidenceIn({ cited, read, question, supported, claimed }: Grounds): Confidence {
  if (cited.length === 0) return "low";
  const texts = read.map(textTerms);
  const terms = weigh(question, texts, RARITY);
  const own = cited.map((passage) => coverage(terms, textTerms(passage)));
  const all = coverage(terms, new Set(cited.flatMap((passage) => [...textTerms(passage)])));
  const agreeing = own.filter((covered) => covered >= AGREES).length;
  const agreement = agreeing >= 2 ? 1 : agreeing === 1 ? 0.6 : 0;
  const score = 0.6 * all + 0.2 * agreement + 0.2 * margin(cited, read);
  const computed = ofScore(score * (0.4 + 0.6 * supported));
  const capped = computed === "high" && (all < COVERED || supported < SUPPORTED) ? "medium" : computed;
  return lower(capped, claimed ?? "high");
}

function ofScore(score: number): Confidence {
  if (score >= HIGH) return "high";
  return score >= MEDIUM ? "medium" : "low";
}

export function lower(a: Confidence, b: Confidence): Confidence {
  return CONFIDENCES.indexOf(a) > CONFIDENCES.indexOf(b) ? a : b;
}

/** How far the best of the cited stands above what was found and not cited; 0.5 where no search tells. */
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
