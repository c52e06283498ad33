/** How the search terms of bodies are told apart from those of names, signatures, comments and paths. */

/** No term of a text begins with it. */
const MARK = ">";

/** The term for a word in the body of a definition, or at the top level of a file. */
export function inBody(term: string): string {
  return MARK + term;
}
