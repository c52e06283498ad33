/**
 * Databases that stay open between calls in quick succession. Data derived from one (names, ranks) is cached with it.
 * All readers of the same file share one store. If another file has replaced it, the store is reopened.
 */
import { statSync } from "node:fs";
import type { OwnedCaches } from "../../kernel/owned_caches.ts";
import type { CodeReader } from "../code.ts";
import type { HistoryReader } from "../history.ts";

/** A database that was unused for this long is closed to release its memory; opening it takes milliseconds. */
const OPEN_FOR_MS = 5000;

interface OpenDatabase<Store> {
  store: Store;
  stamp: string;
  idle: NodeJS.Timeout;
}

export class OpenDatabases<Store extends { close(): void }> {
  readonly #open = new Map<string, OpenDatabase<Store>>();
  #holds = 0;

  /** The store of this file. Do not close it. */
  get(path: string, open: () => Store): Store {
    const stamp = stampOf(path);
    const known = this.#open.get(path);
    if (known?.stamp === stamp) {
      known.idle.refresh();
      return known.store;
    }
    this.drop(path);
    const store = open();
    const idle = setTimeout(() => (this.#holds > 0 ? idle.refresh() : this.drop(path)), OPEN_FOR_MS).unref();
    this.#open.set(path, { store, stamp, idle });
    return store;
  }

  /** Keeps all of them open, even if unused, until the returned function is called. */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
    };
  }

  /** The store of this file, if it is open. */
  peek(path: string): Store | undefined {
    const known = this.#open.get(path);
    return known?.stamp === stampOf(path) ? known.store : undefined;
  }

  /** Closes the store of this file: before the file is removed. */
  drop(path: string): void {
    const known = this.#open.get(path);
    if (!known) return;
    this.#open.delete(path);
    clearTimeout(known.idle);
    known.store.close();
  }

  close(): void {
    for (const path of [...this.#open.keys()]) this.drop(path);
  }
}

/** The code graphs of projects: pass it to `OwnedCaches.of`. */
export function openCodeGraphs(): OpenDatabases<CodeReader> {
  return new OpenDatabases();
}

/** The histories of repositories, in the same way. */
export function openHistories(): OpenDatabases<HistoryReader> {
  return new OpenDatabases();
}

/** Keeps the databases of this owner open while one answer is made, however long it takes. Call the result at its end. */
export function holdDatabases(caches: OwnedCaches): () => void {
  const releases = [caches.of(openCodeGraphs).hold(), caches.of(openHistories).hold()];
  return () => {
    for (const release of releases) release();
  };
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : "missing";
}
