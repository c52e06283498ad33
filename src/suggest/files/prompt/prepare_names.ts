/**
 * Keeps the names of a project's files with its history, for prompts in a project whose code is not indexed: an agent may
 * ask before the first refresh. An indexed project has the names in its code graph.
 */
import { FILE_NAMES_KEY, storedFileNames } from "../../../code/answers/file_names.ts";
import { languageOf } from "../../../code/languages/registry.ts";
import { listFiles } from "../../../code/listing/files.ts";
import { skipByName } from "../../../code/listing/skip.ts";
import { findCodeProject } from "../../../code/project.ts";
import type { Dex } from "../../../dex.ts";
import type { Repository } from "../../../history/repository.ts";
import { storeDerived } from "../../../history/update.ts";
import type { HistoryReader } from "../../../store/history.ts";

/** A prompt is compared with every name. */
const MAX_FILES = 20_000;

export async function prepareFileNames(dex: Dex, repository: Repository, history: HistoryReader): Promise<void> {
  // A folder without git may be anything, even a home folder.
  if (!repository.git) return;
  const project = findCodeProject(dex.paths.code, repository.root);
  const { files } = listFiles(project, (path) => languageOf(path) !== undefined, dex.now());
  const named = files
    .filter(({ path, size }) => skipByName(path, size) === undefined)
    .slice(0, MAX_FILES)
    .map(({ path }) => ({ path, language: languageOf(path) ?? "" }));
  const stored = storedFileNames(named);
  if (history.getValue(FILE_NAMES_KEY) === stored) return;
  await storeDerived(repository, dex.paths.history, (writer) => {
    writer.setValue(FILE_NAMES_KEY, stored);
    writer.commit();
  });
}
