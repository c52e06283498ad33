/**
 * A project's files as they were seen last, so that it can be told which of them came, changed or went: from the few
 * paths that the system named, or from a look at all of them. What git ignores and the code index skips is none.
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

/** What a command line has room for. */
const MOST_NAMED = 400;
const MOST_LENGTH = 64 << 10;

/** Few enough to be named; undefined: everything is to be looked at. */
export function named(paths: Iterable<string>): string[] | undefined {
  const list: string[] = [];
  let length = 0;
  for (const path of paths) {
    length += path.length + 1;
    // What is ignored has changed with these.
    if (list.length === MOST_NAMED || length > MOST_LENGTH || /(^|\/)\.gitignore$/.test(path) || path === "") return;
    list.push(path);
  }
  return list;
}

export class ProjectFiles {
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

  /** The first look: what differs from the store of code, which is what changed while nobody watched. */
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
      const isNews = ({ path, stamp }: { path: string; stamp: string }): boolean =>
        known.has(path)
          ? known.get(path) !== stamp && this.#content.isOther(path)
          : languageOf(path) !== undefined && !skipped.has(path);
      return {
        changed: seen.filter(isNews).map(({ path }) => path),
        removed: [...known.keys()].filter((path) => !this.#stamps.has(path)).sort(compareText),
      };
    } finally {
      store.close();
    }
  }

  /** These files, and what is below these folders; all where none are given. */
  look(now: number, only?: readonly string[]): Differences {
    const told = new Set(only);
    const changed: string[] = [];
    const seen = new Set<string>();
    for (const { path, stamp, recent } of this.#list(now, only)) {
      seen.add(path);
      // Two saves within one tick of the file system's clock look alike.
      const isTouched = this.#stamps.get(path) !== stamp || (recent && told.has(path));
      if (isTouched && (this.#content.isOther(path) || !this.#stamps.has(path))) changed.push(path);
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
    // A path that was no file may have been a folder.
    if (gone.every((path) => this.#stamps.has(path))) return [...new Set(gone)];
    return all().filter(isBelow(gone));
  }

  #list(now: number, only?: readonly string[]) {
    if (only?.length === 0) return [];
    const { files } = listFiles(this.#project, (path) => !this.#leftOut(path), now, only);
    return files.filter(({ path, size }) => skipByName(path, size) === undefined);
  }
}

/** Whether a path is one of these, or lies below one. */
function isBelow(paths: Iterable<string>): (path: string) => boolean {
  const these = new Set(paths);
  return (path) => {
    for (let at = path; ; at = at.slice(0, at.lastIndexOf("/"))) {
      if (these.has(at)) return true;
      if (!at.includes("/")) return false;
    }
  };
}
