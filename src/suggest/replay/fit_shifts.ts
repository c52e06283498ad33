/**
 * Fits how far the outcomes of a replay move the chances of each kind of evidence: the shift in logits that makes the
 * mean prediction equal to the share used, under a prior that shifts are small. A handful of questions moves little.
 */
import { type EvidenceKind, JUDGED_KINDS, type KindShifts, shifted } from "../scale.ts";
import { MAX_KIND_SHIFT_LOGITS } from "./stored_shifts.ts";

export interface Outcome {
  /** The kind of the strongest evidence. */
  kind: EvidenceKind;
  /** The chance by the scale, without any shift. */
  chance: number;
  useful: boolean;
  /** The items of one question share a total weight of 1. */
  weight: number;
}

/** The spread of shifts between projects, in logits: the standard deviation of the prior. */
const SPREAD = 0.5;
const ROUNDS = 20;
const ENOUGH = 1e-4;

export function fitShifts(outcomes: readonly Outcome[]): KindShifts {
  const shifts: Partial<Record<EvidenceKind, number>> = {};
  for (const [kind, own] of Map.groupBy(outcomes, (each) => each.kind)) {
    if (JUDGED_KINDS.has(kind)) continue;
    const shift = Math.round(fitOne(own) * 1000) / 1000;
    if (shift !== 0) shifts[kind] = shift;
  }
  return shifts;
}

/** Newton's method on the log-posterior, which is concave. */
function fitOne(outcomes: readonly Outcome[]): number {
  const most = MAX_KIND_SHIFT_LOGITS;
  let shift = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    let slope = -shift / SPREAD ** 2;
    let curve = 1 / SPREAD ** 2;
    for (const { chance, useful, weight } of outcomes) {
      const moved = shifted(chance, shift);
      slope += weight * ((useful ? 1 : 0) - moved);
      curve += weight * moved * (1 - moved);
    }
    const next = Math.max(-most, Math.min(most, shift + slope / curve));
    if (Math.abs(next - shift) < ENOUGH) return next;
    shift = next;
  }
  return shift;
}
