import type { Surfaces } from "../project/surface_index.ts";

/**
 * Finds something in the first of several files that has it. Files of a Go package may define the same name under
 * different build conditions: files of the asking file's build come first, then those of a usual build.
 */
export function firstBuilt<T>(
  files: Surfaces,
  from: string | undefined,
  paths: Iterable<string>,
  find: (path: string) => T | undefined,
): T | undefined {
  const own = from === undefined ? undefined : files.get(from)?.surface.build;
  let usual: T | undefined;
  let other: T | undefined;
  for (const path of paths) {
    const found = find(path);
    if (found === undefined) continue;
    const build = files.get(path)?.surface.build;
    if (build === own) return found;
    if (build === undefined) usual ??= found;
    else other ??= found;
  }
  return usual ?? other;
}
