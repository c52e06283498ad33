/**
 * Finds facts in a project's manifests: versions, scripts, dependencies, the licence and entry points. Documents rarely
 * repeat these, and the ranking would miss them: `go 1.24` has one of the words of "which Go version is required?". If
 * the question has any other word, it is about something else, and nothing is found.
 */
import type { Passage } from "../../passage.ts";
import { significantTerms, termsOf } from "../../question/terms.ts";
import { facts } from "./facts.ts";
import { Manifests } from "./manifests.ts";
import { scripts } from "./scripts.ts";
import { versions } from "./versions.ts";

/**
 * Empty unless the question asks only for such facts. `root`: the folder of the project; `name`: the words of its name
 * in the question.
 */
export function findInManifests(root: string, query: string, name: readonly string[] = []): Passage[] {
  const ownName = termsOf(name.join(" "));
  const asked = new Set(significantTerms(query)).difference(ownName);
  if (asked.size === 0) return [];
  const manifests = new Manifests(root);
  return [...versions(asked, manifests, name.length > 0), ...scripts(asked, manifests), ...facts(asked, manifests)];
}
