/** Finds test reports in their usual places, including folders that git ignores. */
import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { listNames } from "../kernel/files/bounded_list.ts";
import { containedPath } from "../kernel/files/bounded_read.ts";
import { matchesGlob } from "../kernel/files/glob.ts";
import { isNever } from "./events/ignored.ts";

const USUAL = [
  "**/junit*.xml",
  "**/TEST-*.xml",
  "**/{test-results,test-reports,surefire-reports,failsafe-reports,TestResults}/**/*.xml",
  "**/*.tap",
];
/** Report folders that git usually ignores. */
const FOLDERS = [
  "test-results",
  "test-reports",
  "TestResults",
  "reports",
  "coverage",
  "build/test-results",
  "target/surefire-reports",
  "target/failsafe-reports",
  "target/nextest",
];
const MAX_DEPTH = 5;
const MAX_ENTRIES = 2000;
/** A runner may write one report per class. */
const MAX_REPORTS = 200;

export class Reports {
  readonly #root: string;
  readonly #globs: readonly string[];
  readonly #seen = new Map<string, string>();

  constructor(root: string, globs: readonly string[]) {
    this.#root = root;
    this.#globs = globs;
  }

  /** Folders to watch even if git ignores them. */
  folders(): string[] {
    const named = this.#globs.map((glob) => glob.split("/").filter((part, i, all) => isPlain(all, i) && part !== ""));
    const all = [...FOLDERS, ...named.map((parts) => parts.slice(0, 8).join("/"))];
    return [...new Set(all)].filter((path) => path !== "" && !path.split("/").includes("..") && this.#isFolder(path));
  }

  /** New or rewritten reports among these paths and below them, the latest last. */
  written(paths: Iterable<string>): string[] {
    const found: { path: string; time: number }[] = [];
    let left = MAX_ENTRIES;
    const take = (path: string, depth: number): void => {
      left -= 1;
      if (left < 0 || isNever(path)) return;
      try {
        const full = join(this.#root, path);
        const stats = lstatSync(full);
        if (stats.isDirectory()) {
          if (depth < MAX_DEPTH)
            for (const name of listNames(full, MAX_ENTRIES).names)
              take(path === "" ? name : `${path}/${name}`, depth + 1);
        } else if (stats.isFile() && this.#isReport(path)) {
          const stamp = `${stats.size}:${stats.mtimeMs}`;
          if (this.#seen.get(path) !== stamp) found.push({ path, time: stats.mtimeMs });
          this.#seen.set(path, stamp);
        }
      } catch {
        // It was deleted meanwhile, or is unreadable.
      }
    };
    for (const path of paths) take(path, 0);
    return found
      .sort((a, b) => a.time - b.time)
      .slice(-MAX_REPORTS)
      .map(({ path }) => path);
  }

  /** Paths to check if the changed ones are unknown. */
  usualPlaces(): string[] {
    const files = listNames(this.#root, MAX_ENTRIES).names.filter((name) => this.#kind(name)?.isFile());
    return [...files, ...this.folders()];
  }

  #isReport(path: string): boolean {
    if (this.#globs.some((glob) => matchesGlob(path, glob))) return true;
    return /\.(xml|tap)$/.test(path) && USUAL.some((glob) => matchesGlob(path, glob));
  }

  #isFolder(path: string): boolean {
    return containedPath(this.#root, path) !== undefined && (this.#kind(path)?.isDirectory() ?? false);
  }

  #kind(path: string): Stats | undefined {
    try {
      return lstatSync(join(this.#root, path), { throwIfNoEntry: false });
    } catch {
      return undefined;
    }
  }
}

/** A folder without glob characters, also in the parts before it. */
function isPlain(parts: readonly string[], index: number): boolean {
  return index < parts.length - 1 && parts.slice(0, index + 1).every((part) => !/[*?[\]{}!]/.test(part));
}
