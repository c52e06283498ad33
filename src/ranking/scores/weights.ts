/** The weights of the evidence for a conversation. Written by `npm run bench:quality -- --fit`. */
export const WEIGHTS = { together: 0.15, near: 0.1, written: 0.02 } as const;
