/**
 * The watcher: keeps the indexes of a project current. Its files, git and test reports share one queue with one batch at
 * a time; data outside the project has its own queues. Each batch with changes is passed to `changed`, in order.
 */
import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { type CodeProject, findCodeProject } from "../code/project.ts";
import { Dex } from "../dex.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { pathBelow } from "../kernel/files/paths.ts";
import { acquireLock, type Lock } from "../kernel/lock.ts";
import type { ChangeBatch } from "../suggest/model.ts";
import { Announcer } from "./announcer.ts";
import { Batcher } from "./batcher.ts";
import { GitState } from "./events/git_state.ts";
import { loadNative, type Native } from "./events/native.ts";
import { ReportWatch } from "./events/report_watch.ts";
import { openProjectTree, type TreeWatch } from "./events/tree.ts";
import { FileSnapshot } from "./files.ts";
import { FullScans } from "./full_scans.ts";
import { OutsideWatch } from "./outside_watch.ts";
import { mergeChanges, NO_CHANGES, type PendingChanges, ProjectUpdate } from "./project_update.ts";
import { Reports } from "./reports.ts";

export interface WatchOptions {
  /** A folder of the project. */
  folder: string;
  vars: NodeJS.ProcessEnv;
  /** Stops the watcher after the current update. */
  signal: AbortSignal;
  /** Scan everything periodically instead of using file events. */
  poll?: boolean;
  /** Called when a batch is in the indexes; `ms` is the duration. The next call waits for this one. */
  changed(batch: ChangeBatch, ms: number): void | Promise<void>;
  /** A sentence for the person who started it. */
  report(line: string): void;
  /** Called when everything is current after the start. */
  ready?(about: { root: string; files: number; ms: number; polling: boolean }): void;
}

const DEBOUNCE_MS = 200;
const MAX_BATCH_MS = 1500;
/** The longest wait for a checkout to finish. */
const MAX_HOLD_MS = 10_000;
/** Interval of checks for changes without an event: new folders of agents, a deleted project. */
const SLOW_CHECK_MS = 30_000;

const NO_CHANGE = { changed: [], removed: [], head: false, conversations: false, tests: false };

/** Runs until the signal; fails if the project folder is deleted. */
export async function watchProject(options: WatchOptions): Promise<void> {
  const dex = await Dex.open({ vars: options.vars, cwd: options.folder });
  const project = findCodeProject(dex.paths.code, options.folder);
  dex.close();
  const lock = acquireLock(join(dex.paths.watch, `${basename(project.path, ".db")}.lock`), 0);
  if (!lock) {
    throw new DexError("watched", `${project.root} is already watched by another dex process.`, {
      hint: "Stop the other watcher first, or keep using it.",
    });
  }
  await new Watch(options, project, dex, lock).run();
}

class Watch {
  readonly #options: WatchOptions;
  readonly #project: CodeProject;
  readonly #lock: Lock;
  /** The folder in which dex writes. */
  readonly #own: string;
  readonly #git: GitState | undefined;
  readonly #reports: Reports;
  readonly #files: FileSnapshot;
  readonly #update: ProjectUpdate;
  readonly #queue: Batcher<PendingChanges>;
  readonly #outside: OutsideWatch;
  readonly #scans: FullScans;
  readonly #announcer: Announcer;
  readonly #report = (line: string): void => this.#announcer.report(line);
  readonly #ended: Promise<void>;
  #end: (error?: DexError) => void = () => undefined;
  #native: Native | undefined;
  #tree: TreeWatch | undefined;
  #reportWatch: ReportWatch | undefined;
  #began: Promise<void> = Promise.resolve();
  /** Changes that failed; retried with the next batch or slow check. */
  #retry: PendingChanges | undefined;

  constructor(options: WatchOptions, project: CodeProject, dex: Dex, lock: Lock) {
    this.#options = options;
    this.#project = project;
    this.#lock = lock;
    this.#announcer = new Announcer(options);
    this.#scans = new FullScans({
      scan: () => this.#queue.add({ ...NO_CHANGES, all: true, head: true }),
      polled: () => {
        if (!this.#native) this.#outside.check();
      },
    });
    this.#own = dex.paths.home;
    this.#ended = new Promise((resolve, reject) => {
      this.#end = (error) => (error ? reject(error) : resolve());
    });
    this.#ended.catch(() => undefined);
    const { root } = project;
    this.#git = GitState.of(root, {
      moved: () => this.#queue.add({ ...NO_CHANGES, head: true }),
      staged: () => this.#scans.verifyLater(),
    });
    const inside = pathBelow(root, this.#own);
    const own = inside ? `${inside}/` : undefined;
    this.#files = new FileSnapshot(project, (path) => own !== undefined && path.startsWith(own));
    this.#reports = new Reports(root, dex.settings.watch.reports);
    this.#update = new ProjectUpdate({
      project,
      files: this.#files,
      reports: this.#reports,
      git: this.#git,
      signal: options.signal,
      report: this.#report,
    });
    const pace = { quietMs: DEBOUNCE_MS, maxMs: MAX_BATCH_MS, failed: (error: unknown) => this.#failed(error) };
    this.#queue = new Batcher<PendingChanges>({
      ...pace,
      holdMs: MAX_HOLD_MS,
      held: () => this.#git?.isBusy() ?? false,
      merge: mergeChanges,
      work: (changes) => this.#updateIndexes(changes),
    });
    this.#outside = new OutsideWatch({
      pace,
      report: this.#report,
      withDex: (use) => this.#withDex(use),
      grown: (dex, ms) =>
        this.#announcer.notify({ ...NO_CHANGE, folder: root, time: dex.now(), conversations: true }, ms),
    });
  }

  async run(): Promise<void> {
    const { signal, poll } = this.#options;
    if (signal.aborted) this.#end();
    signal.addEventListener("abort", () => this.#end(), { once: true });
    const slow = setInterval(() => void this.#slowCheck().catch((error) => this.#failed(error)), SLOW_CHECK_MS);
    try {
      if (!poll) await this.#useNative();
      this.#began = this.#begin();
      await Promise.race([this.#began, this.#ended]);
      await this.#ended;
    } finally {
      clearInterval(slow);
      this.#scans.close();
      await this.#close();
    }
  }

  async #close(): Promise<void> {
    await this.#began.catch(() => undefined);
    await Promise.all([this.#queue.close(), this.#outside.close()]);
    this.#git?.close();
    await Promise.all([this.#tree, this.#reportWatch].map((each) => each?.close()));
    await this.#announcer.settled();
    this.#lock.release();
  }

  /** Called before the first scan, to miss no change in between. */
  async #useNative(): Promise<void> {
    const loaded = await loadNative();
    if ("reason" in loaded) return this.#report(`File events are not available: ${loaded.reason}`);
    try {
      this.#tree = await openProjectTree(loaded.native, this.#project, this.#own, {
        changed: (paths) => this.#addPaths(paths),
        unknownChange: (sure) => {
          if (sure) this.#queue.add({ ...NO_CHANGES, all: true, renew: true });
          this.#scans.verifyLater();
        },
      });
      this.#native = loaded.native;
      const changed = (paths: readonly string[]): void => this.#addPaths(paths);
      this.#reportWatch = new ReportWatch(loaded.native, this.#project.root, this.#reports, changed);
    } catch (error) {
      if (!(error instanceof DexError)) throw error;
      this.#report(`${error.message} ${error.hint ?? ""}`);
    }
  }

  #addPaths(paths: readonly string[]): void {
    const whole = paths.includes("");
    this.#queue.add({
      ...NO_CHANGES,
      paths: new Set(paths.filter((path) => path !== "")),
      all: whole,
      renew: whole,
    });
  }

  async #begin(): Promise<void> {
    const begin = performance.now();
    try {
      this.#git?.watch();
      await this.#reportWatch?.refresh(this.#report);
      const batch = await this.#withDex((dex) => this.#update.begin(dex));
      this.#announcer.notify(batch, performance.now() - begin);
    } catch (error) {
      if (!this.#recoverable(error)) throw error;
      this.#retry = { ...NO_CHANGES, all: true, head: true };
    }
    const about = { root: this.#project.root, files: this.#files.count, polling: this.#tree === undefined };
    this.#options.ready?.({ ...about, ms: performance.now() - begin });
    this.#outside.begin(this.#native);
    if (this.#tree === undefined) this.#scans.pollSoon();
  }

  /** Processes one batch of the project. */
  async #updateIndexes(more: PendingChanges): Promise<void> {
    await this.#began;
    if (this.#isGone()) return;
    const begin = performance.now();
    const changes = { ...mergeChanges(this.#retry, more) };
    this.#retry = changes;
    try {
      // The longest wait is over: a stale lock is not waited for again.
      if (this.#git?.isBusy()) this.#git.giveUp();
      if (await this.#watchNewFolders(changes)) changes.all = true;
      const batch = await this.#withDex((dex) => this.#update.run(dex, changes));
      this.#retry = undefined;
      const ms = performance.now() - begin;
      if (changes.all) this.#scans.took(ms);
      if (changes.head) this.#git?.watch();
      await this.#reportWatch?.refresh(this.#report);
      // A change that only a full scan found is in an unwatched folder.
      const unseen =
        changes.all && changes.paths.size === 0 && !changes.renew && batch.changed.length + batch.removed.length > 0;
      if (unseen && this.#tree) this.#queue.add({ ...NO_CHANGES, all: true, renew: true });
      this.#announcer.notify(batch, ms);
    } finally {
      if (this.#tree === undefined) this.#scans.pollLater();
    }
  }

  /** Watches new folders before they are scanned. True: everything must be scanned. */
  async #watchNewFolders({ paths, renew }: PendingChanges): Promise<boolean> {
    const tree = this.#tree;
    try {
      if (!renew) return (await tree?.follow(paths)) ?? false;
      await tree?.renew();
    } catch (error) {
      if (!this.#recoverable(error)) throw error;
      await tree?.close();
      this.#tree = undefined;
      this.#report("Falling back to polling. Restart `dex watch` to use file events again.");
    }
    return true;
  }

  async #slowCheck(): Promise<void> {
    if (this.#isGone()) return;
    this.#git?.watch();
    await this.#reportWatch?.refresh(this.#report);
    if (this.#retry) this.#queue.add(this.#retry);
    await this.#outside.refresh();
  }

  #isGone(): boolean {
    const { root } = this.#project;
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return false;
    this.#end(new DexError("folder_gone", `${root} no longer exists, so dex stopped watching it.`));
    return true;
  }

  async #withDex<T>(use: (dex: Dex) => Promise<T>): Promise<T> {
    const dex = await Dex.open({ vars: this.#options.vars, cwd: this.#project.root });
    try {
      return await use(dex);
    } finally {
      dex.close();
    }
  }

  /** Whether to continue: a full disk or a busy lock is temporary. */
  #recoverable(error: unknown): boolean {
    if (this.#isGone()) return true;
    this.#report(error instanceof DexError ? `${error.message} ${error.hint ?? ""}`.trim() : errorMessage(error));
    return error instanceof DexError;
  }

  #failed(error: unknown): void {
    this.#recoverable(error);
  }
}
