/** Resolves and stores the edges of all files that a run affects. */
import type { CodeWriter } from "../../../store/code.ts";
import { hasKilledThread, isPoolFailure } from "../../../threads/pool.ts";
import { projectFiles } from "../../resolving/project/project_files.ts";
import { type Changes, filesToResolve } from "../changes.ts";
import { type FileRelations, RelationFinder } from "./file_relations.ts";
import { type Helpers, openHelpers } from "./helpers.ts";

/** Neighbours need the same surfaces, so a thread gets many of them at once. */
const FILES_PER_PART = 128;

/** Returns the number of files whose edges were resolved. */
export async function resolveEdges(
  writer: CodeWriter,
  changes: Changes,
  progress?: (done: number, total: number, label: string) => void,
  filesPerThread?: number,
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
  const helpers = openHelpers(writer, wanted.length, filesPerThread);
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
  const ahead: Promise<FileRelations[]>[] = [];
  const storeFirst = async (): Promise<void> => {
    for (const file of (await ahead.shift()) ?? []) store(file);
  };
  for (let at = 0; at < wanted.length; at += FILES_PER_PART) {
    const part = wanted.slice(at, at + FILES_PER_PART);
    const found = helpers.find(part).catch((error) => {
      if (!hasKilledThread(error) && !isPoolFailure(error)) throw error;
      return part.map((path) => finder.find(path));
    });
    // It is awaited later; without a handler an early failure would end the process.
    found.catch(() => {});
    ahead.push(found);
    if (ahead.length >= helpers.width) await storeFirst();
  }
  while (ahead.length > 0) await storeFirst();
}
