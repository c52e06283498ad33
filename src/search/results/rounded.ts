/** Scores as answers show them. */
import type { WeightedEvidence } from "../../ranking/scores/evidence.ts";

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Evidence as verbs return it. */
export function evidenceParts(
  evidence: readonly WeightedEvidence[],
): (Pick<WeightedEvidence, "name" | "value"> & { part: number })[] {
  return evidence
    .filter(({ weighted }) => weighted !== 0)
    .map(({ name, value, weighted }) => ({ name, value: rounded(value), part: rounded(weighted) }));
}
