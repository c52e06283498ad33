/**
 * One folder and all below it, watched. What the native watcher is known to leave out is made up for:
 * - a folder that came with folders in it (`mkdir -p`, a move) is watched itself, the inner ones are not, and those of
 *   a moved one go on under their old names. So the whole tree is subscribed to anew. What happens in between is not
 *   told, so that afterwards everything has to be looked at. (A second subscription beside the first would be given
 *   the first one's knowledge of the tree.)
 * - a full queue of the kernel is not told. So many events at once count as one.
 * - what was put in place and removed again at once is told as nothing, though it may have been there before.
 */
import { existsSync, lstatSync } from "node:fs";
import { join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AsyncSubscription } from "@parcel/watcher";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { listFolder } from "../kernel/files/bounded_list.ts";
import type { Native } from "./native.ts";

/** More paths than this in one delivery: the queue may have run over. */
const MANY = 4000;
const TRIES = 5;
const BETWEEN_TRIES_MS = 50;

/** Asked each time it is subscribed to. */
type Ignore = () => Promise<readonly (string | RegExp)[]>;

export interface TreeEvents {
  /** From the root, with slashes; the root itself is "". */
  changed(paths: readonly string[]): void;
  /** Something changed, and it was not told what. `sure`: it has to be looked for at once. */
  unclear(sure: boolean): void;
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

  /** Before these are looked at. True: it was renewed, because some hold folders that were not told of. */
  async follow(paths: Iterable<string>): Promise<boolean> {
    const told = new Set(paths);
    for (const path of told) {
      if (!insideOf(join(this.root, path)).some((name) => !told.has(path === "" ? name : `${path}/${name}`))) continue;
      await this.renew();
      return true;
    }
    return false;
  }

  /** Then everything has to be looked at. Where it fails the tree is not watched any more. */
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
    // A failure here leaves the watcher with a tree that it does not read again.
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

  /** A file that goes while the tree is walked makes the walk fail. */
  async #subscribe(): Promise<AsyncSubscription> {
    const ignore = [...(await this.#ignore())];
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#native.subscribe(
          this.root,
          (error, events) => {
            if (this.#closed) return;
            if (error || events.length > MANY) return this.#events.unclear(true);
            if (events.length === 0) return this.#events.unclear(false);
            this.#events.changed(events.map(({ path }) => this.#inside(path)));
          },
          { ignore },
        );
      } catch (error) {
        const gone = /No such file|ENOENT/i.test(errorMessage(error)) && existsSync(this.root);
        if (gone && attempt < TRIES) await sleep(BETWEEN_TRIES_MS);
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

/** The folders in a folder; none where it is none. */
function insideOf(path: string): string[] {
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
    `${root} cannot be watched: ${limit ? "the system's limit is reached" : reason}.`,
    {
      hint: limit ? "Raise fs.inotify.max_user_watches and fs.inotify.max_user_instances." : "Check its permissions.",
      cause: error,
    },
  );
}
