/**
 * Computes how far feedback moves the scores of a type. Among items with a known outcome, the share used is compared
 * with the share that their scores predicted before any feedback. Eight pseudo-observations at the predicted rate act
 * as a prior, so a few outcomes move little, and no number of them moves a score by more than one logit. A project's
 * own feedback counts in full; feedback from all other projects together counts half.
 */
import type { FeedbackCount } from "../../store/state/suggestions.ts";
import type { ItemType } from "../model.ts";
import { logit } from "../scale.ts";

const PSEUDO_OBSERVATIONS = 8;
export const MAX_SHIFT_LOGITS = 1;
const OTHER_PROJECTS_SHARE = 0.5;

export function shiftsFrom(counts: readonly FeedbackCount[], project: string): (type: ItemType) => number {
  const cache = new Map<ItemType, number>();
  return (type) => {
    const known = cache.get(type);
    if (known !== undefined) return known;
    const own = counts.filter((each) => each.type === type && each.project_id === project);
    const others = counts.filter((each) => each.type === type && each.project_id !== project);
    const shift = bounded(evidenceOf(own) + OTHER_PROJECTS_SHARE * evidenceOf(others));
    cache.set(type, shift);
    return shift;
  };
}

/** The distance from the predicted mean to the mean of the posterior Beta distribution, in logits. */
function evidenceOf(counts: readonly FeedbackCount[]): number {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return 0;
  const used = counts.reduce((sum, { action, count }) => sum + (action === "used" ? count : 0), 0);
  const expected = counts.reduce((sum, each) => sum + each.expected, 0) / all;
  const mean = Math.min(0.99, Math.max(0.01, expected));
  return logit((used + PSEUDO_OBSERVATIONS * mean) / (all + PSEUDO_OBSERVATIONS)) - logit(mean);
}

function bounded(shift: number): number {
  return Math.max(-MAX_SHIFT_LOGITS, Math.min(MAX_SHIFT_LOGITS, shift));
}
