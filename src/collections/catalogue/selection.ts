/** Which files of a repository are its documentation, by their paths alone. */

const DOCUMENT = /\.(?:md|markdown|mdx|mdc|rst|adoc|asciidoc|txt)$/i;
const DOCS_FOLDER = /^(?:docs?|documentation|guides?|manual)$/i;
/** Deeper folders of this name belong to a part of the project. */
const MAX_FOLDER_DEPTH = 3;
/** Folders whose documents are about something else than the package. */
const OTHER =
  /(?:^|\/)(?:\.[^/]+|node_modules|tests?|__tests__|__fixtures__|fixtures|examples?|vendor|third[_-]party|benchmarks?|versioned_docs|i18n|locales?|translations?|blog)\//i;
const LANGUAGES =
  "zh|ja|jp|ko|kr|cn|tw|fr|de|es|pt|ru|it|tr|pl|uk|ua|vi|id|fa|ar|hi|th|cs|nl|he|sv|hu|ro|el|bn|ta|sk|sr|ca|fi|da|nb|uz|az";
const TRANSLATION = new RegExp(
  `(?:^|/)(?:${LANGUAGES})(?:[-_][a-z]{2,4})?/|[._-](?:${LANGUAGES})(?:[-_][a-z]{2,4})?\\.[a-z]+$`,
  "i",
);

/** Whether it is in another language than English, by its folder or its name. */
export function isTranslation(path: string): boolean {
  return TRANSLATION.test(path);
}

export interface DocsFolders {
  /** Folders that hold the documentation; undefined: folders with a usual name. An empty path is the whole repository. */
  paths?: readonly string[];
  /** The folder of the package in its repository. */
  directory?: string;
}

/** `path` of each document in the repository, by its path in the collection. */
export function selectDocuments(files: readonly string[], { paths, directory }: DocsFolders): Map<string, string> {
  const documents = files.filter((path) => DOCUMENT.test(path) && !isTranslation(path));
  if (paths !== undefined) {
    const chosen = new Map<string, string>();
    for (const folder of paths) {
      const prefix = folder === "" ? "" : `${folder}/`;
      const below = documents.filter((path) => path.startsWith(prefix) && !OTHER.test(path.slice(prefix.length)));
      for (const path of below) chosen.set(paths.length > 1 ? path : path.slice(prefix.length), path);
    }
    return chosen;
  }
  const all = documents.filter((path) => isInDocsFolder(path) && !OTHER.test(path));
  const own = directory === undefined ? [] : all.filter((path) => path.startsWith(`${directory}/`));
  // In a repository of several packages, documentation of another package does not count.
  const shared = all.filter((path) => !/^(?:packages|libs|crates|modules|plugins)\/(?!docs?\/)/i.test(path));
  const chosen = own.length > 0 ? own : shared;
  return new Map(chosen.map((path) => [path, path]));
}

function isInDocsFolder(path: string): boolean {
  return path
    .split("/")
    .slice(0, -1)
    .slice(0, MAX_FOLDER_DEPTH)
    .some((folder) => DOCS_FOLDER.test(folder));
}
