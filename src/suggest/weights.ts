/**
 * What feedback says of a type: how far its scores move. Uses and dismissals are counted against a prior of as many
 * imagined ones of each, so that a few answers move little and many move the score to what they show, by at most one
 * logit. A project's own feedback counts in full; that of all projects together moves each of them by half of it.
 */
import type { FeedbackCount } from "../store/sqlite/state_suggestions.ts";
import type { ItemType } from "./model.ts";
import { logit } from "./scale.ts";

/** Imagined uses, and as many dismissals. */
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

/** The logit of the mean of the Beta distribution that the answers leave. */
function evidenceOf(counts: readonly FeedbackCount[]): number {
  const sum = (action: FeedbackCount["action"]): number =>
    counts.reduce((total, each) => total + (each.action === action ? each.count : 0), 0);
  const used = PRIOR + sum("used");
  return logit(used / (used + PRIOR + sum("dismissed")));
}

function bounded(shift: number): number {
  return Math.max(-MOST_SHIFT, Math.min(MOST_SHIFT, shift));
}
