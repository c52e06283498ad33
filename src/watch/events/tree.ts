/**
 * Watches a folder and everything below it, and works around gaps of the native watcher:
 * - A new folder with subfolders (`mkdir -p`, a move) is watched, but its subfolders are not, and those of a moved
 *   folder keep their old names. So the whole tree is subscribed again. Events in between are lost, so everything must
 *   be scanned afterwards. (A second, parallel subscription would get the first one's view of the tree.)
 * - An overflow of the kernel's event queue is not reported. A very large delivery counts as one.
 * - A file that is created and deleted at once gives an empty delivery, although it may have existed before.
 */
import { existsSync, lstatSync } from "node:fs";
import { join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AsyncSubscription } from "@parcel/watcher";
import type { CodeProject } from "../../code/project.ts";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { listFolder } from "../../kernel/files/bounded_list.ts";
import { ignoredIn, unreadableIn } from "./ignored.ts";
import type { Native } from "./native.ts";

/** With more events in one delivery, the queue may have overflowed. */
const MAX_EVENTS = 4000;
const MAX_ATTEMPTS = 5;
const RETRY_MS = 50;

/** Called for each subscription. */
type Ignore = () => Promise<readonly (string | RegExp)[]>;

export interface TreeEvents {
  /** Relative to the root, with slashes; the root itself is "". */
  changed(paths: readonly string[]): void;
  /** Something unknown changed. `sure`: everything must be scanned at once. */
  unknownChange(sure: boolean): void;
}

/** Watches a project, without the folders that dex ignores; `own` is the one in which dex writes. */
export async function openProjectTree(
  native: Native,
  project: CodeProject,
  own: string,
  events: TreeEvents,
): Promise<TreeWatch> {
  let unreadable: readonly string[] = [];
  const ignore = async (): Promise<(string | RegExp)[]> => [...(await ignoredIn(project, own)), ...unreadable];
  try {
    return await TreeWatch.open(native, project.root, ignore, events);
  } catch (error) {
    unreadable = unreadableIn(project.root);
    if (unreadable.length === 0) throw error;
    return TreeWatch.open(native, project.root, ignore, events);
  }
}

export class TreeWatch {
  readonly root: string;
  readonly #native: Native;
  readonly #ignore: Ignore;
  readonly #events: TreeEvents;
  #subscription: AsyncSubscription | undefined;
  /** One at a time. */
  #renewing: Promise<void> = Promise.resolve();
  #closed = false;

  private constructor(native: Native, root: string, ignore: Ignore, events: TreeEvents) {
    this.#native = native;
    this.root = root;
    this.#ignore = ignore;
    this.#events = events;
  }

  static async open(native: Native, root: string, ignore: Ignore, events: TreeEvents): Promise<TreeWatch> {
    const tree = new TreeWatch(native, root, ignore, events);
    await tree.renew();
    return tree;
  }

  /** Call it before scanning these paths. True: the subscription was renewed, because some have unreported subfolders. */
  async follow(paths: Iterable<string>): Promise<boolean> {
    const reported = new Set(paths);
    for (const path of reported) {
      if (!subfoldersOf(join(this.root, path)).some((name) => !reported.has(path === "" ? name : `${path}/${name}`)))
        continue;
      await this.renew();
      return true;
    }
    return false;
  }

  /** Subscribes again; everything must be scanned afterwards. If it fails, the tree is no longer watched. */
  renew(): Promise<void> {
    const next = this.#renewing.then(
      () => this.#renew(),
      () => this.#renew(),
    );
    this.#renewing = next;
    next.catch(() => undefined);
    return next;
  }

  async #renew(): Promise<void> {
    if (this.#closed) return;
    const old = this.#subscription;
    this.#subscription = undefined;
    // After a failure here, the native watcher keeps an outdated view of the tree.
    await old?.unsubscribe().catch((error: unknown) => {
      throw watchError(this.root, error);
    });
    const made = await this.#subscribe();
    if (this.#closed) await made.unsubscribe().catch(() => undefined);
    else this.#subscription = made;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#renewing.catch(() => undefined);
    const subscription = this.#subscription;
    this.#subscription = undefined;
    await subscription?.unsubscribe().catch(() => undefined);
  }

  /** Retries: the native watcher fails if a file is deleted while it walks the tree. */
  async #subscribe(): Promise<AsyncSubscription> {
    const ignore = [...(await this.#ignore())];
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#native.subscribe(
          this.root,
          (error, events) => {
            if (this.#closed) return;
            if (error || events.length > MAX_EVENTS) return this.#events.unknownChange(true);
            if (events.length === 0) return this.#events.unknownChange(false);
            this.#events.changed(events.map(({ path }) => this.#inside(path)));
          },
          { ignore },
        );
      } catch (error) {
        const gone = /No such file|ENOENT/i.test(errorMessage(error)) && existsSync(this.root);
        if (gone && attempt < MAX_ATTEMPTS) await sleep(RETRY_MS);
        else throw watchError(this.root, error);
      }
    }
  }

  #inside(path: string): string {
    const inside = path.slice(this.root.length + 1);
    return sep === "/" ? inside : inside.replaceAll(sep, "/");
  }
}

const MAX_ENTRIES = 200_000;

/** Empty for anything but a folder. */
function subfoldersOf(path: string): string[] {
  try {
    if (!lstatSync(path).isDirectory()) return [];
    return listFolder(path, MAX_ENTRIES).entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}

function watchError(root: string, error: unknown): DexError {
  const reason = errorMessage(error);
  const limit = /No space left|ENOSPC|Too many open files|EMFILE/i.test(reason);
  return new DexError(
    "cannot_watch",
    `${root} cannot be watched: ${limit ? "the system's limit on watches is reached" : reason}.`,
    {
      hint: limit ? "Raise fs.inotify.max_user_watches and fs.inotify.max_user_instances." : "Check its permissions.",
      cause: error,
    },
  );
}
