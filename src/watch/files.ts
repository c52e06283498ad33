/**
 * A snapshot of a project's files, to find which were added, changed or removed: among the paths the system reported,
 * or among all files. Files that git ignores or the code index skips are left out.
 */
import { languageOf } from "../code/languages/registry.ts";
import { listFiles } from "../code/listing/files.ts";
import { skipByName } from "../code/listing/skip.ts";
import { type CodeProject, openCode } from "../code/project.ts";
import { compareText } from "../kernel/text.ts";
import { KnownContent } from "./content.ts";

export interface Differences {
  changed: string[];
  removed: string[];
}

/** Bounded by the length of a command line. */
const MAX_PATHS = 400;
const MAX_PATHS_CHARS = 64 << 10;

/** The paths as a list; undefined if there are too many, and everything must be scanned. */
export function boundedPaths(paths: Iterable<string>): string[] | undefined {
  const list: string[] = [];
  let length = 0;
  for (const path of paths) {
    length += path.length + 1;
    // A .gitignore changes which files count.
    if (list.length === MAX_PATHS || length > MAX_PATHS_CHARS || /(^|\/)\.gitignore$/.test(path) || path === "") return;
    list.push(path);
  }
  return list;
}

export class FileSnapshot {
  readonly #project: CodeProject;
  readonly #leftOut: (path: string) => boolean;
  readonly #content: KnownContent;
  #stamps = new Map<string, string>();

  constructor(project: CodeProject, leftOut: (path: string) => boolean) {
    this.#project = project;
    this.#leftOut = leftOut;
    this.#content = new KnownContent(project.root);
  }

  get count(): number {
    return this.#stamps.size;
  }

  /** The first scan: differences from the code index, which are the changes since the last watcher ended. */
  begin(now: number): Differences {
    const { store, missing } = openCode(this.#project);
    try {
      const indexed = store.files();
      const known = new Map(indexed.map(({ path, stamp }) => [path, stamp.replace(/\?$/, "")]));
      const skipped = new Set(store.skipped().map(({ path }) => path));
      const seen = this.#list(now);
      this.#stamps = new Map(seen.map(({ path, stamp }) => [path, stamp]));
      this.#content.begin(seen, new Map(indexed.map(({ path, hash }) => [path, hash])));
      if (missing) return { changed: [], removed: [] };
      const isChanged = ({ path, stamp }: { path: string; stamp: string }): boolean =>
        known.has(path)
          ? known.get(path) !== stamp && this.#content.hasChanged(path)
          : languageOf(path) !== undefined && !skipped.has(path);
      return {
        changed: seen.filter(isChanged).map(({ path }) => path),
        removed: [...known.keys()].filter((path) => !this.#stamps.has(path)).sort(compareText),
      };
    } finally {
      store.close();
    }
  }

  /** Scans these files and folders, or everything if `only` is undefined. */
  scan(now: number, only?: readonly string[]): Differences {
    const reported = new Set(only);
    const changed: string[] = [];
    const seen = new Set<string>();
    for (const { path, stamp, recent } of this.#list(now, only)) {
      seen.add(path);
      // Two saves within one tick of the file system's clock have the same stamp.
      const isTouched = this.#stamps.get(path) !== stamp || (recent && reported.has(path));
      if (isTouched && (this.#content.hasChanged(path) || !this.#stamps.has(path))) changed.push(path);
      this.#stamps.set(path, stamp);
    }
    const removed = this.#missing(seen, only).sort(compareText);
    for (const path of removed) {
      this.#stamps.delete(path);
      this.#content.forget(path);
    }
    return { changed, removed };
  }

  #missing(seen: ReadonlySet<string>, only: readonly string[] | undefined): string[] {
    const all = (): string[] => [...this.#stamps.keys()].filter((path) => !seen.has(path));
    if (!only) return all();
    const gone = only.filter((path) => !seen.has(path));
    // A path that was not a file may have been a folder.
    if (gone.every((path) => this.#stamps.has(path))) return [...new Set(gone)];
    return all().filter(isBelow(gone));
  }

  #list(now: number, only?: readonly string[]) {
    if (only?.length === 0) return [];
    const { files } = listFiles(this.#project, (path) => !this.#leftOut(path), now, only);
    return files.filter(({ path, size }) => skipByName(path, size) === undefined);
  }
}

/** Whether a path is one of these, or below one. */
function isBelow(paths: Iterable<string>): (path: string) => boolean {
  const these = new Set(paths);
  return (path) => {
    for (let at = path; ; at = at.slice(0, at.lastIndexOf("/"))) {
      if (these.has(at)) return true;
      if (!at.includes("/")) return false;
    }
  };
}
