/**
 * Runs the calls of a server. Calls share one opened index, which makes a search twice as fast as opening it each time;
 * when the file is replaced, the runner opens the new one and closes the old one after its last call. At most one sync
 * runs at a time, and calls that come close together share one check for changes.
 */
import { statSync } from "node:fs";
import type { LibraryScope } from "../../collections/library.ts";
import { dexPaths } from "../../config/paths.ts";
import { Dex } from "../../dex.ts";
import { OwnedCaches } from "../../kernel/owned_caches.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { freshenIndex, type IndexesToSync, indexesToSync, runOperation } from "../../operations/run.ts";
import { holdThread } from "../../threads/uninterrupted.ts";

/** With many calls per second, checking every history file for each call would be most of the work. */
const REFRESH_INTERVAL_MS = 1000;
/** An index that is idle for this long is closed to free its memory; opening it takes a few milliseconds. */
const IDLE_CLOSE_MS = 5000;

/** The client of a call: it may cancel the call, and may want to be notified of its steps and progress. */
export type Caller = Pick<OperationContext, "signal" | "step" | "progress" | "agent"> & {
  /** The conversation that the caller named as its own. */
  session?: string | undefined;
  /** The folder that the caller works in; without one, the folder of this process. */
  cwd?: string | undefined;
  /** A query that is still being typed: answered from the index as it is, and not traced. */
  draft?: boolean | undefined;
  /** Called before a call that mostly waits for a model, so that other calls can run meanwhile. */
  waits?(): void;
};

interface Answer {
  output: unknown;
  notice: string | undefined;
}

/** A call that failed although the index is behind, which may be the reason: nothing was found, for example. */
export class StaleFailure extends Error {
  readonly notice: string;

  constructor(cause: unknown, notice: string) {
    super("A call to a stale index failed.", { cause });
    this.notice = notice;
  }
}

interface Lease {
  stamp: string;
  dex: Dex;
  users: number;
}

export class CallRunner {
  readonly #vars: NodeJS.ProcessEnv;
  readonly #scope: LibraryScope;
  /** The caches outlive each opened application, and are closed after the last call. */
  readonly #caches = new OwnedCaches();
  #calls = 0;
  #lease: Lease | undefined;
  readonly #openings = new Map<string, Promise<Lease>>();
  /** The last refresh of each index, and how long it counts (monotonic ms); 0 while it still runs. */
  readonly #refreshes = new Map<keyof IndexesToSync, { answer: Promise<string | undefined>; until: number }>();
  #closed = false;
  #idleTimer: NodeJS.Timeout | undefined;

  /** Every call runs within the scope and cannot widen it. */
  constructor(vars: NodeJS.ProcessEnv, scope: LibraryScope = {}) {
    this.#vars = vars;
    this.#scope = scope;
  }

  async run(operation: Operation, input: Record<string, unknown>, caller: Caller = {}): Promise<Answer> {
    this.#calls += 1;
    try {
      return await this.#answer(operation, input, caller);
    } finally {
      this.#calls -= 1;
      this.#closeCaches();
    }
  }

  async #answer(operation: Operation, input: Record<string, unknown>, caller: Caller): Promise<Answer> {
    const { signal, step, progress, cwd, agent, draft } = caller;
    const wanted = draft ? { conversations: false, documents: false } : indexesToSync(operation, input);
    const context = { signal, step, progress, agent, draft, sync: false, traced: !draft };
    const stale: (string | undefined)[] = [];
    if (operation.waits) caller.waits?.();
    try {
      if (wanted.conversations) stale.push(await this.#freshen("conversations", caller));
      if (wanted.documents) stale.push(await this.#freshen("documents", caller));
      signal?.throwIfAborted();
      const { output, notice } = await this.#withDex(operation, cwd, (dex) =>
        runOperation(dex, operation, input, context),
      );
      return { output, notice: joined([...stale, notice]) };
    } catch (error) {
      const notice = joined(stale);
      throw notice === undefined ? error : new StaleFailure(error, notice);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#idleTimer);
    this.#drop();
    this.#closeCaches();
  }

  #closeCaches(): void {
    if (this.#closed && this.#calls === 0) this.#caches.close();
  }

  #drop(): void {
    const lease = this.#lease;
    this.#lease = undefined;
    if (lease?.users === 0) lease.dex.close();
  }

  async #withDex<T>(operation: Operation, cwd: string | undefined, use: (dex: Dex) => Promise<T>): Promise<T> {
    // A writing operation may reopen the index at any time, so it does not share one.
    if (!operation.readOnly || operation.withoutSettings) return this.#withOwnDex(cwd, use, operation.withoutSettings);
    const lease = await this.#take(cwd);
    try {
      return await use(lease.dex);
    } finally {
      lease.users -= 1;
      if (lease.users === 0 && lease !== this.#lease) lease.dex.close();
      clearTimeout(this.#idleTimer);
      if (!this.#closed) this.#idleTimer = setTimeout(() => this.#drop(), IDLE_CLOSE_MS).unref();
    }
  }

  async #take(cwd: string | undefined): Promise<Lease> {
    const stamp = `${stampOf(this.#vars)}:${cwd}`;
    if (this.#lease?.stamp === stamp && !this.#lease.dex.isIndexUnready) {
      this.#lease.users += 1;
      return this.#lease;
    }
    const opening = this.#openings.get(stamp) ?? this.#replace(stamp, cwd).finally(() => this.#openings.delete(stamp));
    this.#openings.set(stamp, opening);
    const lease = await opening;
    lease.users += 1;
    return lease;
  }

  async #replace(stamp: string, cwd: string | undefined): Promise<Lease> {
    const lease = { stamp, dex: await this.#open(cwd), users: 0 };
    this.#drop();
    if (!this.#closed) this.#lease = lease;
    return lease;
  }

  #freshen(which: keyof IndexesToSync, { cwd, agent = false }: Caller): Promise<string | undefined> {
    const last = this.#refreshes.get(which);
    if (last && (last.until === 0 || performance.now() < last.until)) return last.answer;
    const answer = this.#withOwnDex(cwd, (dex) => freshenIndex(dex, which, { agent }));
    const refresh = { answer, until: 0 };
    this.#refreshes.set(which, refresh);
    const settled = (): void => {
      refresh.until = performance.now() + REFRESH_INTERVAL_MS;
    };
    answer.then(settled, settled);
    return answer;
  }

  /** For work that writes: a cancelled call does not interrupt it. */
  async #withOwnDex<T>(cwd: string | undefined, use: (dex: Dex) => Promise<T>, withoutSettings = false): Promise<T> {
    const release = holdThread();
    try {
      const dex = await this.#open(cwd, withoutSettings);
      try {
        return await use(dex);
      } finally {
        dex.close();
      }
    } finally {
      release();
    }
  }

  #open(cwd: string | undefined, withoutSettings = false): Promise<Dex> {
    return Dex.open({
      vars: this.#vars,
      withoutSettings,
      scope: this.#scope,
      caches: this.#caches,
      ...(cwd === undefined ? {} : { cwd }),
    });
  }
}

function joined(notices: readonly (string | undefined)[]): string | undefined {
  return notices.filter((text) => text !== undefined).join("\n") || undefined;
}

/** Changes when an index is replaced by another file or the settings change, but not when rows change. */
function stampOf(vars: NodeJS.ProcessEnv): string {
  const { index, documents, config } = dexPaths(vars);
  const settings = statSync(config, { throwIfNoEntry: false });
  return `${fileStamp(index)}:${fileStamp(documents)}:${settings?.ino}:${settings?.mtimeMs}`;
}

function fileStamp(path: string): string {
  const at = statSync(path, { throwIfNoEntry: false });
  return `${at?.dev}:${at?.ino}:${at === undefined || at.size === 0}`;
}
