/** The weights of the evidence for a conversation. Written by `npm run bench:quality -- --fit`. */
export const WEIGHTS = { together: 0.1, near: 0.15, written: 0.02 } as const;
/** The same for single texts. */
export const TEXT_WEIGHTS = { together: 0, near: 0, written: 0.02 } as const;
