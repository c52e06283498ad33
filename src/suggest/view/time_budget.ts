/** Decides for which slow steps of looking at a project there is time. */

export interface TimeBudget {
  /** Milliseconds until the caller stops waiting; undefined: it waits. */
  left?: (() => number) | undefined;
  /** Called when a step is left out for lack of time. */
  skipped?: (() => void) | undefined;
}

export type Affords = (step: keyof typeof STEP_MS) => boolean;

/** Milliseconds that the slow steps of a hook take in a large project on an idle machine, and the time before them. */
const STEP_MS = { cachedTeam: 20, similarConversations: 30, likelyWith: 45, likelyFor: 35 } as const;
const BEFORE_STEPS_MS = 90;
/** Steps that run only if there is also time for others: a team's work must not take the place of the user's own. */
const LEFT_FOR_OTHERS_MS: Partial<Record<keyof typeof STEP_MS, number>> = {
  cachedTeam: STEP_MS.similarConversations + STEP_MS.likelyWith,
};

/**
 * Decides whether there is time for a step, assuming that the machine stays as slow as it has been since the process
 * started.
 */
export function affordable({ left, skipped }: TimeBudget): Affords {
  if (!left) return () => true;
  const pace = Math.max(1, performance.now() / BEFORE_STEPS_MS);
  return (step) => {
    const isTime = left() > (STEP_MS[step] + (LEFT_FOR_OTHERS_MS[step] ?? 0)) * pace;
    if (!isTime) skipped?.();
    return isTime;
  };
}
