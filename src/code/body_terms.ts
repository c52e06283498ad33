/** The search terms of bodies, which are other terms than those of names, signatures, comments and paths. */

/** No term of a text begins with it. */
const MARK = ">";

/** The term for a word in the body of a definition, or at the top level of a file. */
export function inBody(term: string): string {
  return MARK + term;
}
