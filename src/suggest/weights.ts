/**
 * What feedback says of a type: how far its scores move. Of the items whose outcome is known, the share that was used
 * is compared with the share that their scores, before any feedback, made expect. Imagined outcomes that are just as
 * expected stand beside the real ones, so that a few move little; and no number of them moves a score by more than one
 * logit. A project's own feedback counts in full, that of all other projects together by half: so one project moves
 * another only through what holds for a type everywhere.
 */
import type { FeedbackCount } from "../store/sqlite/state/suggestions.ts";
import type { ItemType } from "./model.ts";
import { logit } from "./scale.ts";

/** Imagined outcomes. */
const PRIOR = 8;
export const MOST_SHIFT = 1;
const GLOBAL_SHARE = 0.5;

export function shiftsFrom(counts: readonly FeedbackCount[], project: string): (type: ItemType) => number {
  const kept = new Map<ItemType, number>();
  return (type) => {
    const known = kept.get(type);
    if (known !== undefined) return known;
    const own = counts.filter((each) => each.type === type && each.project_id === project);
    const others = counts.filter((each) => each.type === type && each.project_id !== project);
    const shift = bounded(evidenceOf(own) + GLOBAL_SHARE * evidenceOf(others));
    kept.set(type, shift);
    return shift;
  };
}

/** From the mean that was expected to that of the Beta distribution which the outcomes leave, in logits. */
function evidenceOf(counts: readonly FeedbackCount[]): number {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return 0;
  const used = counts.reduce((sum, { action, count }) => sum + (action === "used" ? count : 0), 0);
  const expected = counts.reduce((sum, each) => sum + each.expected, 0) / all;
  const mean = Math.min(0.99, Math.max(0.01, expected));
  return logit((used + PRIOR * mean) / (all + PRIOR)) - logit(mean);
}

function bounded(shift: number): number {
  return Math.max(-MOST_SHIFT, Math.min(MOST_SHIFT, shift));
}
