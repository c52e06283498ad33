/** The types that a search through bases, and the bases of bases, has been at. */
import type { DefinitionRef } from "./project/project_files.ts";

/** Each is a call inside the call for the one before: a file can state a chain of thousands, which would fill the stack. */
const MAX_TYPES = 300;

/** Notes the type; false if the search has been there, or has been at too many. */
export function visits(seen: Set<string>, { path, slot }: DefinitionRef): boolean {
  const key = `${slot}:${path}`;
  if (seen.has(key) || seen.size >= MAX_TYPES) return false;
  seen.add(key);
  return true;
}
