/** Watches the checked-out commit and running git operations, by a few files of the git folder. */
import { existsSync, type FSWatcher, statSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { findRepository, headOf, type Repository, readGitFile } from "../../history/repository.ts";

export interface GitEvents {
  /** HEAD or its branch may have moved. */
  moved(): void;
  /** The index changed, and with it the list of the project's files. */
  staged(): void;
}

export class GitState {
  readonly #repository: Repository;
  readonly #events: GitEvents;
  readonly #watchers = new Map<string, FSWatcher>();
  #head: string;
  /** Stamp of a stale lock. */
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

  /** Missing folders are watched by a later call. */
  watch(): void {
    const { gitDir, commonDir } = this.#repository;
    const heads = join(commonDir, "refs", "heads");
    const branch = /^ref: refs\/heads\/(.+)/.exec(this.#head)?.[1];
    const folders = [gitDir, commonDir, join(commonDir, "reftable"), heads];
    if (branch !== undefined) folders.push(dirname(join(heads, branch)));
    for (const folder of new Set(folders)) this.#watchFolder(folder, folder === gitDir || folder === commonDir);
  }

  /** Whether HEAD has moved since the last call. */
  hasMoved(): boolean {
    const head = this.#read();
    if (head === this.#head) return false;
    this.#head = head;
    return true;
  }

  /** A checkout holds the lock while it writes files. */
  isBusy(): boolean {
    const lock = stampOf(join(this.#repository.gitDir, "index.lock"));
    return lock !== undefined && lock !== this.#abandoned;
  }

  /** Treats the current lock as stale. */
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
      // The slow check finds the changes instead.
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
