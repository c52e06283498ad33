/** Resolves and stores the edges of all files that a run affects. */
import { setImmediate as nextTick } from "node:timers/promises";
import type { CodeWriter } from "../../../store/code.ts";
import { hasKilledThread, isPoolFailure } from "../../../threads/pool.ts";
import { projectFiles } from "../../resolving/project/project_files.ts";
import { type Changes, filesToResolve } from "../changes.ts";
import { type FileRelations, RelationFinder } from "./file_relations.ts";
import { type HelperSizes, type Helpers, openHelpers } from "./helpers.ts";

/** Neighbours need the same surfaces, so that a thread gets many of them at once. */
const FILES_PER_PART = 128;
/** Parts that wait in memory for those before them, beyond those that threads hold. */
const PARTS_AHEAD = 4;

/** Returns the number of files whose edges were resolved. */
export async function resolveEdges(
  writer: CodeWriter,
  changes: Changes,
  progress?: (done: number, total: number, label: string) => void,
  sizes?: HelperSizes,
): Promise<number> {
  if (!changes.any && changes.fresh.size === 0) return 0;
  const project = projectFiles(writer);
  const wanted = filesToResolve(writer, changes, project);
  const finder = new RelationFinder(writer, project);
  let done = 0;
  const store = ({ no, edges, links, unresolved, needs, mark }: FileRelations): void => {
    progress?.(done, wanted.length, "relations");
    done += 1;
    writer.setEdges(no, edges, links, unresolved, mark);
    writer.setNeeds(no, needs);
  };
  const helpers = openHelpers(writer, wanted.length, sizes);
  if (!helpers) {
    for (const path of wanted) store(finder.find(path));
    return wanted.length;
  }
  try {
    await resolveWith(helpers, finder, wanted, store);
  } finally {
    await helpers.close();
  }
  return wanted.length;
}

/** Relations are stored in the order of the files: rows of the store that are added at its end take least. */
async function resolveWith(
  helpers: Helpers,
  finder: RelationFinder,
  wanted: readonly string[],
  store: (file: FileRelations) => void,
): Promise<void> {
  const parts: string[][] = [];
  for (let at = 0; at < wanted.length; at += FILES_PER_PART) parts.push(wanted.slice(at, at + FILES_PER_PART));
  const here = (part: readonly string[]): FileRelations[] => part.map((path) => finder.find(path));
  const found = new Map<number, FileRelations[]>();
  const underWay = new Set<Promise<void>>();
  let [next, stored] = [0, 0];
  const failures: unknown[] = [];
  const give = (at: number, part: readonly string[]): void => {
    const work = helpers
      .find(part)
      .catch((error) => {
        if (!hasKilledThread(error) && !isPoolFailure(error)) throw error;
        return here(part);
      })
      .then((files) => found.set(at, files))
      .catch((error) => failures.push(error))
      .then(() => {
        underWay.delete(work);
      });
    underWay.add(work);
  };
  const mayStart = (): boolean => next < parts.length && next - stored < helpers.width + PARTS_AHEAD;
  while (stored < parts.length) {
    if (failures.length > 0) throw failures[0];
    for (; mayStart() && underWay.size < helpers.width; next += 1) give(next, parts[next] ?? []);
    const files = found.get(stored);
    if (files) {
      found.delete(stored);
      stored += 1;
      for (const file of files) store(file);
    } else if (helpers.needsMore && mayStart()) {
      found.set(next, here(parts[next] ?? []));
      next += 1;
    } else {
      await Promise.race(underWay);
      continue;
    }
    await nextTick();
  }
}
