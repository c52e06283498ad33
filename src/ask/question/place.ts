/** Questions for a place in the code: "where is the cookie signed?", "which file validates the body?" */

const WHERE = /\bwhere (?:is|are|was|were|do(?:es)? (?:it|we|this|the)|in the (?:code|source))\b/i;
const WHICH = /\b(?:which|what) (?:class|code|file|function|method|module|struct)\b/i;

export function asksForPlace(query: string): boolean {
  return WHERE.test(query) || WHICH.test(query);
}
