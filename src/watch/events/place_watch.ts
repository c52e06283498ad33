/** Watches places outside the project: folders recursively, single files by their parent folder. */
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { errorMessage } from "../../kernel/errors.ts";
import { isFolder } from "../../kernel/files/is_folder.ts";
import { pathBelow } from "../../kernel/files/paths.ts";
import { NEVER_WATCHED } from "./ignored.ts";
import type { Native } from "./native.ts";
import { TreeWatch } from "./tree.ts";

const MAX_PLACES = 1000;

export class PlaceWatch {
  readonly #native: Native;
  readonly #changed: () => void;
  readonly #report: (line: string) => void;
  readonly #open = new Map<string, { close(): void }>();
  #places: readonly string[] = [];
  #closed = false;

  constructor(native: Native, changed: () => void, report: (line: string) => void) {
    this.#native = native;
    this.#changed = changed;
    this.#report = report;
  }

  /** Watches new places, which appear when an agent is first used. True: a folder was added. */
  async refresh(places: readonly string[] = this.#places): Promise<boolean> {
    this.#places = places;
    let came = false;
    // Only the outermost: a folder is watched recursively.
    const outer = places.filter((place) => !places.some((other) => pathBelow(other, place)));
    for (const place of new Set(outer.slice(0, MAX_PLACES))) {
      if (this.#closed) return false;
      const kind = kindOf(place);
      const key = `${kind} ${place}`;
      if (kind === "none" || this.#open.has(key)) continue;
      this.#drop(`file ${place}`);
      try {
        this.#open.set(key, kind === "folder" ? await this.#tree(place, key) : this.#single(place, key));
        came ||= kind === "folder";
      } catch (error) {
        // Reported once: the place counts as watched, and the next sync finds its changes.
        this.#open.set(key, { close: () => undefined });
        this.#report(errorMessage(error));
      }
    }
    return came;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const key of [...this.#open.keys()]) this.#drop(key);
  }

  async #tree(place: string, key: string): Promise<{ close(): void }> {
    const tree = await TreeWatch.open(this.#native, place, async () => [NEVER_WATCHED], {
      changed: (paths) => {
        if (paths.includes("") && kindOf(place) !== "folder") this.#drop(key);
        void tree.follow(paths).then(
          () => this.#changed(),
          () => this.#drop(key),
        );
      },
      unknownChange: (sure) => {
        void (sure ? tree.renew() : Promise.resolve()).then(
          () => this.#changed(),
          () => this.#drop(key),
        );
      },
    });
    return { close: () => void tree.close() };
  }

  /** Matches by prefix, because a database also writes `-wal` and `-journal` files. The file may not exist yet. */
  #single(place: string, key: string): FSWatcher {
    const name = basename(place);
    const watcher = watch(dirname(place), (_, changed) => {
      if (changed === null || changed.startsWith(name)) this.#changed();
    });
    watcher.on("error", () => this.#drop(key));
    return watcher;
  }

  #drop(key: string): void {
    this.#open.get(key)?.close();
    this.#open.delete(key);
  }
}

/** A missing place is watched like a file if its parent folder exists. */
function kindOf(place: string): "folder" | "file" | "none" {
  if (isFolder(place)) return "folder";
  return isFolder(dirname(place)) ? "file" : "none";
}
