/**
 * The confidence in an answer. It follows from the probability that the passages answer the question (`src/ask/evidence`)
 * and, for a model's answer, from the share of it that the passages support. A model's own estimate can only lower it.
 */
import { CONFIDENCES, type Confidence } from "../answer.ts";

/** Below this, the sources do not answer the question. */
export const MIN_PROBABILITY = 0.44;
const MEDIUM_PROBABILITY = 0.7;
const HIGH_PROBABILITY = 0.88;
/** The share of a model's answer that must be supported. */
const HIGH_SUPPORT = 0.8;
const MEDIUM_SUPPORT = 0.5;

export function confidenceOf(probability: number): Confidence {
  if (probability >= HIGH_PROBABILITY) return "high";
  return probability >= MEDIUM_PROBABILITY ? "medium" : "low";
}

/** `supported`: the share of the answer's statements that the passages support. */
export function modelConfidence(probability: number, supported: number, claimed: Confidence = "high"): Confidence {
  const support = supported >= HIGH_SUPPORT ? "high" : supported >= MEDIUM_SUPPORT ? "medium" : "low";
  return lower(lower(confidenceOf(probability), support), claimed);
}

export function lower(a: Confidence, b: Confidence): Confidence {
  return CONFIDENCES.indexOf(a) > CONFIDENCES.indexOf(b) ? a : b;
}
