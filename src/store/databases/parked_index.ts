/**
 * Keeps the index of a server open between two checks for changes, each of which opens its own application: opening the
 * index, and reading unchanged data again, would take a third of a check. The index is handed from one application to
 * the next, so that no two share it.
 */
import { statSync } from "node:fs";
import type { DatabaseState } from "../engine/database.ts";
import { openIndex } from "../engine/index.ts";
import type { IndexReader, OpenedIndex } from "../index_reader.ts";

/** The same time as for other databases. */
const PARKED_FOR_MS = 5000;

interface Opened {
  path: string;
  store: OpenedIndex;
  /** The stamp of the file before it was opened. */
  stamp: string;
}

export class ParkedIndex {
  /** Indexes in the state "ready", by their reader. */
  readonly #opened = new WeakMap<IndexReader, Opened>();
  #parked: (Opened & { idle: NodeJS.Timeout }) | undefined;

  /** The caller closes or parks it. */
  open(path: string): { store: IndexReader; state: DatabaseState } {
    const parked = this.#take(path);
    if (parked) return { store: parked, state: "ready" };
    const stamp = stampOf(path);
    const { store, state } = openIndex(path);
    if (state === "ready") this.#opened.set(store, { path, store, stamp });
    return { store, state };
  }

  /** Returns false if the index cannot be reused: then the caller closes it. */
  park(store: IndexReader): boolean {
    const opened = this.#opened.get(store);
    if (!opened) return false;
    this.close();
    this.#parked = { ...opened, idle: setTimeout(() => this.close(), PARKED_FOR_MS).unref() };
    return true;
  }

  close(): void {
    const parked = this.#parked;
    this.#parked = undefined;
    clearTimeout(parked?.idle);
    parked?.store.close();
  }

  /** Undefined if another file has replaced it, or another version of dex has rebuilt it. */
  #take(path: string): IndexReader | undefined {
    const parked = this.#parked;
    if (!parked) return undefined;
    if (parked.path === path && parked.stamp === stampOf(path) && isReady(parked.store)) {
      clearTimeout(parked.idle);
      this.#parked = undefined;
      return parked.store;
    }
    this.close();
    return undefined;
  }
}

/** Pass it to `OwnedCaches.of`. */
export function parkedIndex(): ParkedIndex {
  return new ParkedIndex();
}

/** Tells a file from another one that replaced it. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : "missing";
}

/** An index that is not ready must be opened again, which reports why. */
function isReady(store: OpenedIndex): boolean {
  try {
    return store.isReady;
  } catch {
    return false;
  }
}
