/** How long past work is worth mentioning: older events say little about the code of today. */

const DAY_MS = 86_400_000;
export const MAX_RUN_AGE_MS = 30 * DAY_MS;
export const MAX_UNDONE_AGE_MS = 180 * DAY_MS;
