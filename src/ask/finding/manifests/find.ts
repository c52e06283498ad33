/**
 * Finds what the manifests of a project state: versions, scripts, dependencies, the licence and entry points. Documents
 * rarely repeat them, and `go 1.24` has one of the words of "which Go version is required?". A question that has any
 * other word is about something else, so nothing is found for it.
 */
import type { Passage } from "../../passage.ts";
import { significantTerms, termsOf } from "../../terms.ts";
import { facts } from "./facts.ts";
import { Manifests } from "./manifests.ts";
import { scripts } from "./scripts.ts";
import { versions } from "./versions.ts";

/** Empty unless the question is about nothing else. `root`: the folder of the project; `name`: words of its name in the question. */
export function findInManifests(root: string, query: string, name: readonly string[] = []): Passage[] {
  const ownName = termsOf(name.join(" "));
  const asked = new Set(significantTerms(query)).difference(ownName);
  if (asked.size === 0) return [];
  const manifests = new Manifests(root);
  return [...versions(asked, manifests, name.length > 0), ...scripts(asked, manifests), ...facts(asked, manifests)];
}
