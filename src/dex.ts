/**
 * `Dex`, the opened application: the home's paths and settings, the index, the documentation, the user's state, and the
 * syncs that keep them current. Everything is lazy: the first use opens a database, and code is imported where it runs.
 */
import { existsSync } from "node:fs";
import type { Declared } from "./collections/declaring/declared.ts";
import type { Library, LibraryScope } from "./collections/library.ts";
import type { SyncCollectionsOptions } from "./collections/service.ts";
import { loadSettings } from "./config/load.ts";
import { type DexPaths, dexPaths } from "./config/paths.ts";
import type { Settings } from "./config/schema.ts";
import { staticModel } from "./embedding/locate.ts";
import { checkFolder } from "./kernel/files/atomic_write.ts";
import { currentFolder } from "./kernel/files/current_folder.ts";
import { OwnedCaches } from "./kernel/owned_caches.ts";
import { BlockCache } from "./store/archive/block_cache.ts";
import { parkedIndex } from "./store/databases/parked_index.ts";
import type { DatabaseState } from "./store/engine/database.ts";
import type { IndexReader } from "./store/index_reader.ts";
import { backupIfDue } from "./store/state/backups.ts";
import type { StateStore } from "./store/state/state.ts";
import { StateFile } from "./store/state/state_file.ts";
import type { FreshenOptions } from "./sync/freshness/freshen.ts";
import type { SyncStatus } from "./sync/freshness/freshness.ts";
import type { SyncContext, SyncOptions } from "./sync/service.ts";
import { writeStatus } from "./sync/status_file.ts";
import type { SyncTotals } from "./sync/totals.ts";
import type { SyncPlaces } from "./sync/writing.ts";

export interface DexOptions {
  /** Environment variables: `HOME`, `DEX_HOME` and settings such as `DEX_SYNC_THREADS`. By default `process.env`. */
  vars?: NodeJS.ProcessEnv;
  /** The folder that "this project" means. By default the current folder. */
  cwd?: string;
  /** The clock: milliseconds since 1970. By default `Date.now`. */
  now?: () => number;
  /** @internal Ignore the settings file and use the defaults, for commands that repair or show the settings. */
  withoutSettings?: boolean;
  /** @internal Limits the documentation that may be seen; by default, every declared collection. */
  scope?: LibraryScope;
  /** @internal Passed by an owner that opens the same home repeatedly; the owner closes them. */
  caches?: OwnedCaches;
}

/** The opened application: pass it to `runOperation`, and close it when you are done. */
export class Dex {
  /** The files that dex keeps. */
  readonly paths: DexPaths;
  /** From the settings file and the environment; defaults for the rest. */
  readonly settings: Settings;
  readonly vars: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => number;
  /** @internal */
  readonly caches: OwnedCaches;
  readonly #ownsCaches: boolean;
  #reader: IndexReader | undefined;
  #state: DatabaseState = "missing";
  #unindexed = false;
  #noHistory = false;
  readonly #scope: LibraryScope;
  #library: Library | undefined;
  /** Texts of the archive that were read last. */
  #blocks: BlockCache | undefined;
  readonly #notices: Set<string>;
  /** The application that this one shares everything with except the index. */
  #shared: Dex | undefined;
  readonly #stateFile: StateFile;

  private constructor(
    paths: DexPaths,
    settings: Settings,
    options: Required<Omit<DexOptions, "withoutSettings" | "caches">>,
    caches?: OwnedCaches,
    notices = new Set<string>(),
  ) {
    this.#notices = notices;
    this.paths = paths;
    this.settings = settings;
    this.vars = options.vars;
    this.cwd = options.cwd;
    this.now = options.now;
    this.#scope = options.scope;
    this.caches = caches ?? new OwnedCaches();
    this.#ownsCaches = caches === undefined;
    this.#stateFile = new StateFile(paths.state, (text) => this.notice(text));
  }

  /** Reads the settings. Opens no database: the first operation that needs one does. */
  static async open(options: DexOptions = {}): Promise<Dex> {
    const vars = options.vars ?? process.env;
    const paths = dexPaths(vars);
    checkFolder(paths.home);
    const settings = options.withoutSettings ? await loadSettings("", {}) : await loadSettings(paths.config, vars);
    const { cwd = currentFolder(), now = Date.now, scope = {} } = options;
    return new Dex(paths, settings, { vars, cwd, now, scope }, options.caches);
  }

  /** @internal The index for reading; an empty one if there is none yet. */
  get store(): IndexReader {
    if (this.#reader) return this.#reader;
    const { store, state } = this.caches.of(parkedIndex).open(this.paths.index);
    this.#state = state;
    this.#reader = store;
    return store;
  }

  /** @internal The same application with another index, which the caller closes. */
  withIndex(store: IndexReader): Dex {
    const { vars, cwd, now } = this;
    const options = { vars, cwd, now, scope: this.#scope };
    const other = new Dex(this.paths, this.settings, options, this.caches, this.#notices);
    other.#reader = store;
    other.#state = "ready";
    other.#shared = this;
    return other;
  }

  /** @internal */
  get indexState(): DatabaseState {
    if (!this.#reader) void this.store;
    return this.#state;
  }

  /** @internal The index was missing or incomplete when it was opened: another process may be creating it. */
  get isIndexUnready(): boolean {
    return this.#reader !== undefined && this.#state !== "ready";
  }

  /**
   * @internal The documentation that may be seen from here. Names are looked up each time, because they may change while a server
   * runs. Every reader of documents goes through this, and it cannot read outside the scope.
   */
  async library(): Promise<Library> {
    if (this.#shared) return this.#shared.library();
    const { withChoices, openLibrary, sameCollections, readableCollections } = await import("./collections/library.ts");
    const collections = readableCollections(await this.collections(), this.#scope);
    if (this.#library && sameCollections(this.#library.collections, collections)) {
      if (this.#library.choices.length > 0) this.#library = withChoices(this.#library.reader, collections, this);
      return this.#library;
    }
    this.#closeLibrary();
    this.#library = openLibrary(this.paths.documents, collections, this);
    return this.#library;
  }

  /** @internal Whether the caller may see only some collections. */
  get isLimited(): boolean {
    return this.#scope.collections !== undefined || this.#scope.global === false;
  }

  /** @internal Collections that are declared here, within the scope, including untrusted ones that a project points at. */
  async collections(): Promise<Declared[]> {
    const [{ declaredCollections }, { collectionsInScope }] = await Promise.all([
      import("./collections/declaring/declared.ts"),
      import("./collections/library.ts"),
    ]);
    return collectionsInScope(await declaredCollections(this), this.#scope);
  }

  /** @internal Whether there is a usable state.db. dex restores a lost one, ignores a damaged one, and adds a notice of both. */
  get hasState(): boolean {
    return this.#stateFile.isUsable;
  }

  /** @internal Whether there is a state.db that cannot be read. */
  get stateDamaged(): boolean {
    return this.#stateFile.isDamaged;
  }

  /** @internal Runs with state.db open, and closes it. A file that is not there yet is created. */
  withState<T>(work: (state: StateStore) => T): T {
    return this.#stateFile.use(work);
  }

  /** @internal Call after finding damage in state.db: dex answers without it until it is repaired. */
  ignoreState(): void {
    this.#stateFile.leaveOut();
  }

  /** @internal Adds a notice for the caller; a repeated one counts once. */
  notice(text: string): void {
    this.#notices.add(text);
  }

  /** @internal The notices since the last call. */
  takeNotices(): string[] {
    const notices = [...this.#notices];
    this.#notices.clear();
    return notices;
  }

  /** @internal Where syncing reads and writes. */
  get places(): SyncPlaces {
    return { ...this.paths, model: staticModel(this.settings) };
  }

  /** @internal Blocks of the archive, kept until the index is closed. */
  get blocks(): BlockCache {
    if (this.#shared) return this.#shared.blocks;
    this.#blocks ??= new BlockCache(this.paths.archive);
    return this.#blocks;
  }

  /** Reads what is new in the history of the agents into the index. Undefined if another process kept syncing. */
  async sync(options: SyncOptions = {}): Promise<SyncTotals | undefined> {
    const { syncAll } = await import("./sync/service.ts");
    void this.hasState;
    backupIfDue(this.paths.state, this.now());
    const totals = await syncAll(this.syncContext, this.store, options);
    if (totals?.bytes !== 0 || options.full || this.#state !== "ready") this.reopen();
    // A sync that read nothing knows the number, so the index need not be opened again.
    writeStatus(this.paths.status, totals?.bytes === 0 ? totals.unchanged : this.store.count({}));
    if (totals && (options.asked || totals.new + totals.updated > 0)) await this.embedInBackground(options.asked);
    return totals;
  }

  /** @internal Does nothing for a model that embeds during the sync. */
  async embedInBackground(asked = false): Promise<void> {
    const { provider } = this.settings.embedding;
    if (provider === "static" || provider === "none") return;
    const { embedInBackground } = await import("./sync/embedding/background.ts");
    const notice = embedInBackground(this, this.store, asked);
    if (notice !== undefined && asked) this.notice(notice);
  }

  /** How far the index is behind the history of agents. */
  async syncStatus(): Promise<SyncStatus> {
    const { syncStatus } = await import("./sync/freshness/freshness.ts");
    return syncStatus(this.syncContext, this.store, this.indexState);
  }

  /**
   * @internal Brings the index up to date when that is quick, or when `ask` is answered with yes. Otherwise it indexes the newest
   * conversations and returns a sentence that says how stale the index is; also when the home cannot be written: a reader
   * then still gets its answer.
   */
  async freshen(options: FreshenOptions = {}): Promise<string | undefined> {
    const { freshenIndex } = await import("./sync/freshness/freshen.ts");
    void this.hasState;
    backupIfDue(this.paths.state, this.now());
    const status = (): Promise<SyncStatus> => this.syncStatus();
    const { notice, unindexed, noHistory } = await freshenIndex(
      this.syncContext,
      status,
      (how) => this.sync(how),
      options,
    );
    this.#unindexed = unindexed ?? this.#unindexed;
    this.#noHistory = noHistory ?? false;
    return notice;
  }

  /** @internal The last check found no history of any agent. */
  get noHistory(): boolean {
    return this.#noHistory;
  }

  /** @internal The last check found history of agents, but none of it is indexed. */
  get unindexed(): boolean {
    return this.#unindexed;
  }

  /** @internal Brings the documents up to date: syncs local folders that changed, if that is quick. Returns a notice otherwise. */
  async freshenDocuments({ progress }: Pick<SyncCollectionsOptions, "progress"> = {}): Promise<string | undefined> {
    const { freshenDocuments } = await import("./collections/freshen.ts");
    const missing = !existsSync(this.paths.documents);
    const notice = await freshenDocuments(this, await this.collections(), progress);
    if (missing) this.#closeLibrary();
    return notice;
  }

  /** Closes the databases, so that the next use opens them again. Call it after a write by this or another process. */
  reopen(): void {
    this.#reader?.close();
    this.#reader = undefined;
    this.#closeLibrary();
    this.#blocks = undefined;
  }

  #closeLibrary(): void {
    this.#library?.reader.close();
    this.#library = undefined;
  }

  /** Closes the databases. */
  close(): void {
    const parked = this.#reader && !this.#ownsCaches && this.caches.of(parkedIndex).park(this.#reader);
    if (parked) this.#reader = undefined;
    this.reopen();
    if (this.#ownsCaches) this.caches.close();
  }

  /** @internal */
  get syncContext(): SyncContext {
    const { paths, settings, vars, cwd, now } = this;
    return { paths, settings, vars, cwd, now, notice: (text) => this.notice(text) };
  }
}
