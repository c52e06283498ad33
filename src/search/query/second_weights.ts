/**
 * The weights of a second vector beside the built-in one, whose share becomes `first`: `texts` is the second one's share
 * in a search for single messages or passages, `conversations` the part of the best score that the nearest conversation
 * gets. Written by `npm run bench:quality -- --fit --minilm <folder>`.
 */
export const SECOND = { first: 0.05, conversations: 0.5, texts: 0.4 } as const;
