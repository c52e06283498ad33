/** Far longer than anything takes on a busy machine: only what hangs is ended by it. */
export const HANG_MS: number = 15 * 60_000;
