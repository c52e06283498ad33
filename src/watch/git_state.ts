/** What is checked out, and whether git is in the middle of something: told by a few files of the git folder. */
import { existsSync, type FSWatcher, statSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { findRepository, headOf, type Repository, readGitFile } from "../history/repository.ts";

export interface GitEvents {
  /** HEAD or the branch it names may be another one. */
  moved(): void;
  /** What is staged, and so what counts as a file of the project. */
  staged(): void;
}

export class GitState {
  readonly #repository: Repository;
  readonly #events: GitEvents;
  readonly #watchers = new Map<string, FSWatcher>();
  #head: string;
  /** A lock that outlived its git. */
  #abandoned: string | undefined;

  private constructor(repository: Repository, events: GitEvents) {
    this.#repository = repository;
    this.#events = events;
    this.#head = this.#read();
  }

  static of(root: string, events: GitEvents): GitState | undefined {
    const repository = findRepository(root);
    return repository && new GitState(repository, events);
  }

  /** Folders that are not there yet are watched by a later call. */
  watch(): void {
    const { gitDir, commonDir } = this.#repository;
    const heads = join(commonDir, "refs", "heads");
    const branch = /^ref: refs\/heads\/(.+)/.exec(this.#head)?.[1];
    const folders = [gitDir, commonDir, join(commonDir, "reftable"), heads];
    if (branch !== undefined) folders.push(dirname(join(heads, branch)));
    for (const folder of new Set(folders)) this.#watchFolder(folder, folder === gitDir || folder === commonDir);
  }

  /** Whether HEAD names another branch or commit than at the last call. */
  hasMoved(): boolean {
    const head = this.#read();
    if (head === this.#head) return false;
    this.#head = head;
    return true;
  }

  /** A checkout holds this lock while it writes files. */
  isBusy(): boolean {
    const lock = stampOf(join(this.#repository.gitDir, "index.lock"));
    return lock !== undefined && lock !== this.#abandoned;
  }

  /** The lock that is held now is not waited for again. */
  giveUp(): void {
    this.#abandoned = stampOf(join(this.#repository.gitDir, "index.lock"));
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watchFolder(folder: string, top: boolean): void {
    if (this.#watchers.has(folder) || !existsSync(folder)) return;
    try {
      const watcher = watch(folder, (_, name) => {
        if (name === "index") return this.#events.staged();
        if (top ? /^(HEAD|packed-refs)$/.test(name ?? "HEAD") : !name?.endsWith(".lock")) this.#events.moved();
      });
      const drop = (): void => {
        watcher.close();
        this.#watchers.delete(folder);
      };
      watcher.on("error", drop);
      this.#watchers.set(folder, watcher);
    } catch {
      // The slow look notices what this one would have told.
    }
  }

  #read(): string {
    const { gitDir, commonDir } = this.#repository;
    const name = readGitFile(join(gitDir, "HEAD"))?.trim();
    return name === undefined ? "" : `${name}\n${headOf(gitDir, commonDir) ?? ""}`;
  }
}

function stampOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.ino}:${stats.mtimeMs}`;
}
