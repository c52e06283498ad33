/**
 * The opened application. Everything is lazy: the first use opens the store, and the first sync loads the sources and
 * the sync.
 */
import { statSync } from "node:fs";
import type { Declared } from "./collections/declaring/declared.ts";
import type { Library, LibraryScope } from "./collections/library.ts";
import { loadSettings } from "./config/load.ts";
import { type DexPaths, dexPaths } from "./config/paths.ts";
import type { Settings } from "./config/schema.ts";
import { staticModel } from "./embedding/locate.ts";
import { DexError } from "./kernel/errors.ts";
import { checkFolder, writeFileAtomic } from "./kernel/files/atomic_write.ts";
import { readRegularFile } from "./kernel/files/bounded_read.ts";
import { OwnedCaches } from "./kernel/owned_caches.ts";
import { BlockCache } from "./store/archive/block_cache.ts";
import type { DatabaseState } from "./store/engine/database.ts";
import { emptyIndex, openIndex } from "./store/engine/index.ts";
import { openState, STATE_NOTICE } from "./store/engine/state.ts";
import type { IndexReader } from "./store/index_reader.ts";
import { backupIfDue, isBlank, restoreLostState } from "./store/state/backups.ts";
import { hasHeader } from "./store/state/health.ts";
import type { StateStore } from "./store/state.ts";
import type { SyncStatus } from "./sync/freshness.ts";
import type { SyncContext, SyncOptions } from "./sync/service.ts";
import type { SyncTotals } from "./sync/totals.ts";
import type { SyncPlaces } from "./sync/writing.ts";

export interface DexOptions {
  vars?: NodeJS.ProcessEnv;
  cwd?: string;
  now?: () => number;
  /** Ignore the settings file and use the defaults, for commands that repair or show the settings. */
  withoutSettings?: boolean;
  /** Documentation that may be seen; all that has a name, where it is not given. */
  scope?: LibraryScope;
  /** Passed by an owner that opens the same home repeatedly; the owner closes them. */
  caches?: OwnedCaches;
}

/**
 * Asks a person whether to sync first, and does so with the function it is given. Without a question it syncs at once,
 * and shows the progress. True when that was done.
 */
export type AskToSync = (
  question: string | undefined,
  sync: (options: SyncOptions) => Promise<SyncTotals | undefined>,
) => Promise<boolean>;

export interface FreshenOptions {
  ask?: AskToSync | undefined;
  progress?: SyncOptions["progress"] | undefined;
  /** Start a sync that takes long in a separate process, unless the settings forbid it. */
  background?: boolean;
}

/** Changes up to this size are synced before an answer: two or three seconds of work. */
const MAX_INLINE_SYNC_BYTES = 24 << 20;
/** Of the file for the status line. */
const MAX_STATUS_BYTES = 1 << 10;

export class Dex {
  readonly paths: DexPaths;
  readonly settings: Settings;
  readonly vars: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => number;
  readonly caches: OwnedCaches;
  readonly #ownsCaches: boolean;
  #reader: IndexReader | undefined;
  #state: DatabaseState = "missing";
  #unindexed = false;
  readonly #scope: LibraryScope;
  #library: Library | undefined;
  /** Texts of the archive that were read last. */
  #blocks: BlockCache | undefined;
  readonly #notices: Set<string>;
  /** The application that this one shares everything with except the index. */
  #shared: Dex | undefined;
  /** Stamp of a damaged state.db; dex ignores the file until it changes. */
  #damagedState: string | undefined;

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
  }

  static async open(options: DexOptions = {}): Promise<Dex> {
    const vars = options.vars ?? process.env;
    const paths = dexPaths(vars);
    checkFolder(paths.home);
    const settings = options.withoutSettings ? await loadSettings("", {}) : await loadSettings(paths.config, vars);
    const { cwd = process.cwd(), now = Date.now, scope = {} } = options;
    return new Dex(paths, settings, { vars, cwd, now, scope }, options.caches);
  }

  /** The index for reading. Where there is none yet it is empty, not an error. */
  get store(): IndexReader {
    if (this.#reader) return this.#reader;
    const { store, state } = openIndex(this.paths.index);
    this.#state = state;
    this.#reader = store;
    return store;
  }

  /** The same application over another index, which the caller closes. */
  over(store: IndexReader): Dex {
    const { vars, cwd, now } = this;
    const other = new Dex(
      this.paths,
      this.settings,
      { vars, cwd, now, scope: this.#scope },
      this.caches,
      this.#notices,
    );
    other.#reader = store;
    other.#state = "ready";
    other.#shared = this;
    return other;
  }

  /** A store without conversations, for answers that are given although the index is damaged. */
  emptyStore(): IndexReader {
    return emptyIndex();
  }

  get indexState(): DatabaseState {
    if (!this.#reader) void this.store;
    return this.#state;
  }

  /** The index was missing or incomplete when it was opened: another process may be creating it. */
  get isIndexUnready(): boolean {
    return this.#reader !== undefined && this.#state !== "ready";
  }

  /**
   * The documentation that may be seen from here. Names are looked up each time: a server outlives changes to them.
   * There is no way to documents but this, and it has none to what lies outside the scope.
   */
  async library(): Promise<Library> {
    if (this.#shared) return this.#shared.library();
    const { withChoices, openLibrary, sameCollections, readableCollections } = await import("./collections/library.ts");
    const collections = readableCollections(await this.collections(), this.#scope);
    if (this.#library && sameCollections(this.#library.collections, collections)) {
      if (this.#library.choices.length > 0) this.#library = withChoices(this.#library.reader, collections, this);
      return this.#library;
    }
    this.#library?.reader.close();
    this.#library = openLibrary(this.paths.documents, collections, this);
    return this.#library;
  }

  /** The caller may see some collections only. */
  get isLimited(): boolean {
    return this.#scope.collections !== undefined || this.#scope.global === false;
  }

  /** Collections that are declared here, within the scope; also those that a project points at and nobody trusts. */
  async collections(): Promise<Declared[]> {
    const [{ declaredCollections }, { collectionsInScope }] = await Promise.all([
      import("./collections/declaring/declared.ts"),
      import("./collections/library.ts"),
    ]);
    return collectionsInScope(await declaredCollections(this), this.#scope);
  }

  /**
   * Whether there is a usable state.db. dex restores a missing or empty one from its backup, ignores a damaged one, and
   * notifies the caller of both.
   */
  get hasState(): boolean {
    const { state } = this.paths;
    const restored = restoreLostState(state);
    if (restored) {
      const from = new Date(restored.time).toISOString();
      this.notice(`state.db was lost; it is restored from its backup of ${from}. Changes made after that are lost.`);
    }
    return !isBlank(state) && !this.stateDamaged;
  }

  /** Whether there is a state.db that cannot be read. */
  get stateDamaged(): boolean {
    const { state } = this.paths;
    if (isBlank(state) || (this.#damagedState !== stampOf(state) && hasHeader(state))) return false;
    this.notice(STATE_NOTICE);
    return true;
  }

  /** Runs with state.db open, and closes it. A file that is not there yet is created. */
  withState<T>(work: (state: StateStore) => T): T {
    const state = openState(this.paths.state);
    try {
      return work(state);
    } finally {
      state.close();
    }
  }

  /** Call after finding damage in state.db: dex answers without it until it is repaired. */
  leaveStateOut(): void {
    this.#damagedState = stampOf(this.paths.state);
    this.notice(STATE_NOTICE);
  }

  /** Adds a notice for the caller, once. */
  notice(text: string): void {
    this.#notices.add(text);
  }

  /** The notices since the last call. */
  takeNotices(): string[] {
    const notices = [...this.#notices];
    this.#notices.clear();
    return notices;
  }

  /** Where syncing reads and writes. */
  get places(): SyncPlaces {
    return { ...this.paths, model: staticModel(this.settings) };
  }

  get archive(): string {
    return this.paths.archive;
  }

  /** Blocks of the archive, kept until the index is closed. */
  get blocks(): BlockCache {
    if (this.#shared) return this.#shared.blocks;
    this.#blocks ??= new BlockCache(this.archive);
    return this.#blocks;
  }

  async sync(options: SyncOptions = {}): Promise<SyncTotals | undefined> {
    const { syncAll } = await import("./sync/service.ts");
    void this.hasState;
    backupIfDue(this.paths.state, this.now());
    const totals = await syncAll(this.syncContext, this.store, options);
    this.reopen();
    // A sync that read nothing knows the number: the index is not opened again for it.
    this.#writeStatus(totals?.bytes === 0 ? totals.unchanged : undefined);
    if (totals && (options.asked || totals.new + totals.updated > 0)) await this.embedInBackground(options.asked);
    return totals;
  }

  /** Does nothing for a model that embeds during the sync. */
  async embedInBackground(asked = false): Promise<void> {
    const { provider } = this.settings.embedding;
    if (provider === "static" || provider === "none") return;
    const { embedInBackground } = await import("./sync/embedding/background.ts");
    const notice = embedInBackground(this, this.store, asked);
    if (notice !== undefined && asked) this.notice(notice);
  }

  /** How far the index is behind the history of agents. */
  async syncStatus(): Promise<SyncStatus> {
    const { syncStatus } = await import("./sync/freshness.ts");
    return syncStatus(this.syncContext, this.store, this.indexState);
  }

  /** For the status line, which opens no database. */
  #writeStatus(known: number | undefined): void {
    const text = JSON.stringify({ conversations: known ?? this.store.count({}) });
    try {
      const written = readRegularFile(this.paths.status, MAX_STATUS_BYTES)?.toString("utf8");
      if (written !== text) writeFileAtomic(this.paths.status, text);
    } catch {
      // A count is not worth an error.
    }
  }

  /**
   * Brings the index up to date when that is quick, or when `ask` is answered with yes. Otherwise returns a sentence
   * that says how stale it is; also when the home cannot be written: a reader then still gets its answer.
   */
  async freshen({ ask, progress, background }: FreshenOptions = {}): Promise<string | undefined> {
    const { behindText, freshnessNotice, syncQuestion } = await import("./sync/freshness.ts");
    void this.hasState;
    backupIfDue(this.paths.state, this.now());
    const at = await this.syncStatus();
    const waits = at.standing === "running" || at.standing === "outdated" || at.bytes > MAX_INLINE_SYNC_BYTES;
    if (at.changed === 0 && !waits) return freshnessNotice(at);
    if (!waits) return this.#syncAtOnce(behindText(at), progress);
    const question = syncQuestion(at);
    if (ask && question !== undefined && (await ask(question, (options) => this.sync(options)))) return undefined;
    this.#unindexed = at.standing === "empty" || at.standing === "outdated";
    if (!background || !this.settings.sync.background) return freshnessNotice(at);
    const { syncInBackground } = await import("./sync/background.ts");
    return syncInBackground(this.syncContext, at);
  }

  /** The last check found history of agents, but none of it is indexed. */
  get unindexed(): boolean {
    return this.#unindexed;
  }

  async #syncAtOnce(behind: string, progress: SyncOptions["progress"]): Promise<string | undefined> {
    try {
      const totals = await this.sync({ waitMs: 0, progress });
      return totals ? undefined : `${behind}; another dex process is syncing now.`;
    } catch (error) {
      if (!(error instanceof DexError)) throw error;
      return `${behind}, and could not be synced: ${error.message}`;
    }
  }

  /** The same for documents: folders on this machine that changed. */
  async freshenDocuments(): Promise<string | undefined> {
    const { freshenDocuments } = await import("./collections/service.ts");
    return freshenDocuments(this, await this.collections());
  }

  /** After a write by this or another process. */
  reopen(): void {
    this.#reader?.close();
    this.#reader = undefined;
    this.#library?.reader.close();
    this.#library = undefined;
    this.#blocks = undefined;
  }

  close(): void {
    this.reopen();
    if (this.#ownsCaches) this.caches.close();
  }

  get syncContext(): SyncContext {
    const { paths, settings, vars, cwd, now } = this;
    return { paths, settings, vars, cwd, now, notice: (text) => this.notice(text) };
  }
}

function stampOf(path: string): string {
  const { ino, size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { ino: 0, size: 0, mtimeMs: 0 };
  return `${ino}:${size}:${mtimeMs}`;
}
