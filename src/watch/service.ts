/**
 * Keeping the indexes of a project up to date while it is worked on: its files, git and test reports in one lane, one
 * batch at a time, and beside it what lies elsewhere. Each batch that changed something is told to `changed`, one after
 * the other.
 */
import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { type CodeProject, findProject } from "../code/project.ts";
import { Dex } from "../dex.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { pathBelow } from "../kernel/files/paths.ts";
import { acquireLock, type Lock } from "../kernel/lock.ts";
import type { ChangeBatch } from "../suggest/model.ts";
import { Batcher } from "./batcher.ts";
import { Beside } from "./beside.ts";
import { ProjectFiles } from "./files.ts";
import { GitState } from "./git_state.ts";
import { ignoredIn, unreadableIn } from "./ignored.ts";
import { loadNative, type Native } from "./native.ts";
import { type Dirt, mergeDirt, NO_DIRT, ProjectUpdate } from "./project_update.ts";
import { ReportWatch } from "./report_watch.ts";
import { Reports } from "./reports.ts";
import { TreeWatch } from "./tree.ts";

export interface WatchOptions {
  /** A folder of the project. */
  folder: string;
  vars: NodeJS.ProcessEnv;
  /** Ends it; the update that runs is finished first. */
  signal: AbortSignal;
  /** Look at everything again and again instead of waiting for the system's notices. */
  poll?: boolean;
  /** A batch is in the indexes; `ms` is what that took. The next is told when this is done. */
  changed(batch: ChangeBatch, ms: number): void | Promise<void>;
  /** A sentence for the person who started it. */
  report(line: string): void;
  /** Everything is up to date, and is kept so from here on. */
  ready?(about: { root: string; files: number; ms: number; polling: boolean }): void;
}

const QUIET_MS = 200;
const MOST_MS = 1500;
/** A checkout is waited for so long. */
const HOLD_MS = 10_000;
/** Once more for things that nobody tells: places of agents that came, a folder that went. */
const SLOW_MS = 30_000;
/** After what was not told exactly, everything is looked at once. */
const VERIFY_MS = 5000;
const POLL_MS = 1000;
/** A look at everything is given so many times its own length of rest. */
const REST = 20;

const NO_CHANGE = { changed: [], removed: [], head: false, conversations: false, tests: false };

/** Until the signal, or until the project is gone, which is an error. */
export async function watchProject(options: WatchOptions): Promise<void> {
  const dex = await Dex.open({ vars: options.vars, cwd: options.folder });
  const project = findProject(dex.paths.code, options.folder);
  dex.close();
  const lock = acquireLock(join(dex.paths.watch, `${basename(project.path, ".db")}.lock`), 0);
  if (!lock) {
    throw new DexError("watched", `${project.root} is already watched by another dex process.`, {
      hint: "One is enough: end that one first, or leave it to it.",
    });
  }
  await new Watch(options, project, dex, lock).run();
}

class Watch {
  readonly #options: WatchOptions;
  readonly #project: CodeProject;
  readonly #lock: Lock;
  /** Where dex writes. */
  readonly #own: string;
  readonly #git: GitState | undefined;
  readonly #reports: Reports;
  readonly #files: ProjectFiles;
  readonly #update: ProjectUpdate;
  readonly #projectLane: Batcher<Dirt>;
  readonly #beside: Beside;
  readonly #ended: Promise<void>;
  #end: (error?: DexError) => void = () => undefined;
  #native: Native | undefined;
  #tree: TreeWatch | undefined;
  #reportWatch: ReportWatch | undefined;
  #unreadable: readonly string[] = [];
  #telling: Promise<void> = Promise.resolve();
  #began: Promise<void> = Promise.resolve();
  #verify: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #lookMs = 0;
  /** Sentences since the last batch: none is said over and over. */
  readonly #said = new Set<string>();
  /** What could not be taken in; tried again with what comes next, or slowly. */
  #redo: Dirt | undefined;

  constructor(options: WatchOptions, project: CodeProject, dex: Dex, lock: Lock) {
    this.#options = options;
    this.#project = project;
    this.#lock = lock;
    this.#own = dex.paths.home;
    this.#ended = new Promise((resolve, reject) => {
      this.#end = (error) => (error ? reject(error) : resolve());
    });
    this.#ended.catch(() => undefined);
    const { root } = project;
    this.#git = GitState.of(root, {
      moved: () => this.#projectLane.add({ ...NO_DIRT, head: true }),
      staged: () => this.#verifyLater(),
    });
    const inside = pathBelow(root, this.#own);
    const own = inside ? `${inside}/` : undefined;
    this.#files = new ProjectFiles(project, (path) => own !== undefined && path.startsWith(own));
    this.#reports = new Reports(root, dex.settings.watch.reports);
    this.#update = new ProjectUpdate({
      project,
      files: this.#files,
      reports: this.#reports,
      git: this.#git,
      signal: options.signal,
      report: (line) => this.#report(line),
    });
    const pace = { quietMs: QUIET_MS, mostMs: MOST_MS, failed: (error: unknown) => this.#failed(error) };
    this.#projectLane = new Batcher<Dirt>({
      ...pace,
      holdMs: HOLD_MS,
      held: () => this.#git?.isBusy() ?? false,
      merge: mergeDirt,
      work: (dirt) => this.#bring(dirt),
    });
    this.#beside = new Beside({
      pace,
      report: (line) => this.#report(line),
      withDex: (use) => this.#withDex(use),
      grown: (dex, ms) => this.#tell({ ...NO_CHANGE, folder: root, time: dex.now(), conversations: true }, ms),
    });
  }

  async run(): Promise<void> {
    const { signal, poll } = this.#options;
    if (signal.aborted) this.#end();
    signal.addEventListener("abort", () => this.#end(), { once: true });
    const slow = setInterval(() => void this.#lookAround().catch((error) => this.#failed(error)), SLOW_MS);
    try {
      if (!poll) await this.#useNative();
      this.#began = this.#begin();
      await Promise.race([this.#began, this.#ended]);
      await this.#ended;
    } finally {
      clearInterval(slow);
      clearTimeout(this.#verify);
      clearTimeout(this.#poll);
      await this.#close();
    }
  }

  async #close(): Promise<void> {
    await this.#began.catch(() => undefined);
    await Promise.all([this.#projectLane.close(), this.#beside.close()]);
    this.#git?.close();
    await Promise.all([this.#tree, this.#reportWatch].map((each) => each?.close()));
    await this.#telling;
    this.#lock.release();
  }

  /** Before the first look, so that nothing falls in between. */
  async #useNative(): Promise<void> {
    const loaded = await loadNative();
    if ("reason" in loaded) return this.#report(`the system's watcher cannot be used: ${loaded.reason}`);
    try {
      this.#tree = await this.#openTree(loaded.native);
      this.#native = loaded.native;
      const told = (paths: readonly string[]): void => this.#told(paths);
      this.#reportWatch = new ReportWatch(loaded.native, this.#project.root, this.#reports, told);
    } catch (error) {
      if (!(error instanceof DexError)) throw error;
      this.#report(`${error.message} ${error.hint ?? ""}`);
    }
  }

  async #openTree(native: Native): Promise<TreeWatch> {
    const ignore = async (): Promise<(string | RegExp)[]> => [
      ...(await ignoredIn(this.#project, this.#own)),
      ...this.#unreadable,
    ];
    const open = (): Promise<TreeWatch> =>
      TreeWatch.open(native, this.#project.root, ignore, {
        changed: (paths) => this.#told(paths),
        unclear: (sure) => {
          if (sure) this.#projectLane.add({ ...NO_DIRT, all: true, renew: true });
          this.#verifyLater();
        },
      });
    try {
      return await open();
    } catch (error) {
      this.#unreadable = unreadableIn(this.#project.root);
      if (this.#unreadable.length === 0) throw error;
      return open();
    }
  }

  #told(paths: readonly string[]): void {
    const whole = paths.includes("");
    this.#projectLane.add({
      ...NO_DIRT,
      paths: new Set(paths.filter((path) => path !== "")),
      all: whole,
      renew: whole,
    });
  }

  async #begin(): Promise<void> {
    const begin = performance.now();
    try {
      this.#git?.watch();
      await this.#reportWatch?.refresh((line) => this.#report(line));
      const batch = await this.#withDex((dex) => this.#update.begin(dex));
      this.#tell(batch, performance.now() - begin);
    } catch (error) {
      if (!this.#recoverable(error)) throw error;
      this.#redo = { ...NO_DIRT, all: true, head: true };
    }
    const about = { root: this.#project.root, files: this.#files.count, polling: this.#tree === undefined };
    this.#options.ready?.({ ...about, ms: performance.now() - begin });
    this.#beside.begin(this.#native);
    if (this.#tree === undefined) this.#pollLater(0);
  }

  /** One batch of the project. */
  async #bring(more: Dirt): Promise<void> {
    await this.#began;
    if (this.#isGone()) return;
    const begin = performance.now();
    const dirt = { ...mergeDirt(this.#redo, more) };
    this.#redo = dirt;
    try {
      // Held as long as it may be: a lock that outlived its git is not waited for again.
      if (this.#git?.isBusy()) this.#git.giveUp();
      if (await this.#followed(dirt)) dirt.all = true;
      const batch = await this.#withDex((dex) => this.#update.run(dex, dirt));
      this.#redo = undefined;
      const ms = performance.now() - begin;
      if (dirt.all) this.#lookMs = ms;
      if (dirt.head) this.#git?.watch();
      await this.#reportWatch?.refresh((line) => this.#report(line));
      // What only a look at everything found lies where nobody watches.
      const unseen =
        dirt.all && dirt.paths.size === 0 && !dirt.renew && batch.changed.length + batch.removed.length > 0;
      if (unseen && this.#tree) this.#projectLane.add({ ...NO_DIRT, all: true, renew: true });
      this.#tell(batch, ms);
    } finally {
      if (this.#tree === undefined) this.#pollLater(this.#lookMs * REST);
    }
  }

  /** Folders that came are watched before they are looked at. True: everything has to be looked at. */
  async #followed({ paths, renew }: Dirt): Promise<boolean> {
    const tree = this.#tree;
    try {
      if (!renew) return (await tree?.follow(paths)) ?? false;
      await tree?.renew();
    } catch (error) {
      if (!this.#recoverable(error)) throw error;
      await tree?.close();
      this.#tree = undefined;
      this.#report("from here on everything is looked at again and again; start it anew for the quicker way");
    }
    return true;
  }

  /** Told one after the other; the next update does not wait for it. */
  #tell(batch: ChangeBatch, ms: number): void {
    const { changed, removed, head, conversations, tests } = batch;
    if (changed.length + removed.length === 0 && !head && !conversations && !tests) return;
    this.#said.clear();
    this.#telling = this.#telling
      .then(() => this.#options.changed(batch, ms))
      .catch((error: unknown) => this.#report(errorMessage(error)));
  }

  async #lookAround(): Promise<void> {
    if (this.#isGone()) return;
    this.#git?.watch();
    await this.#reportWatch?.refresh((line) => this.#report(line));
    if (this.#redo) this.#projectLane.add(this.#redo);
    await this.#beside.refresh();
  }

  #verifyLater(): void {
    clearTimeout(this.#verify);
    const add = (): void => this.#projectLane.add({ ...NO_DIRT, all: true, head: true });
    this.#verify = setTimeout(add, Math.max(VERIFY_MS, this.#lookMs * REST));
  }

  #pollLater(ms: number): void {
    clearTimeout(this.#poll);
    this.#poll = setTimeout(
      () => {
        this.#projectLane.add({ ...NO_DIRT, all: true, head: true });
        if (!this.#native) this.#beside.look();
      },
      Math.max(POLL_MS, ms),
    );
  }

  #report(line: string): void {
    if (this.#said.has(line)) return;
    this.#said.add(line);
    this.#options.report(line);
  }

  #isGone(): boolean {
    const { root } = this.#project;
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return false;
    this.#end(new DexError("folder_gone", `${root} is not there any more: nothing is left to watch.`));
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

  /** Whether it is worth going on: a full disk or a busy lock passes. */
  #recoverable(error: unknown): boolean {
    if (this.#isGone()) return true;
    this.#report(error instanceof DexError ? `${error.message} ${error.hint ?? ""}`.trim() : errorMessage(error));
    return error instanceof DexError;
  }

  #failed(error: unknown): void {
    this.#recoverable(error);
  }
}
