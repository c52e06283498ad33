/** Finds the solution for a section that states a problem ("Issue", "Symptom"): the section beside it. */

/** The headings of a section, outermost first, as the index keeps them. */
interface Headed {
  path: readonly string[];
}

const PROBLEM = /^(?:the )?(?:errors?|issues?|problems?|questions?|symptoms?)(?: messages?)?[:?]?$/i;
const SOLUTION =
  /^(?:the |possible |suggested )?(?:answers?|fix(?:es)?|remed(?:y|ies)|resolutions?|solutions?|workarounds?|what to do|how to (?:fix|resolve|solve)(?: it| this)?)[:?]?$/i;

/** The index of the section that solves the problem which the section at `at` states. */
export function solutionOf(sections: readonly Headed[], at: number): number | undefined {
  const { path = [] } = sections[at] ?? {};
  if (!PROBLEM.test(path.at(-1)?.trim() ?? "")) return undefined;
  for (const [i, { path: other }] of sections.slice(at + 1).entries()) {
    const isInside = other.length >= path.length && path.slice(0, -1).every((heading, k) => other[k] === heading);
    const heading = other.at(-1)?.trim() ?? "";
    if (!isInside || (other.length === path.length && PROBLEM.test(heading))) return undefined;
    if (other.length === path.length && SOLUTION.test(heading)) return at + 1 + i;
  }
  return undefined;
}
