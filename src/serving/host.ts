/**
 * The application as a server holds it. Calls share one opened index, which makes a search twice as fast as opening it
 * anew; it is replaced, never closed under a running call, when the file behind it is. At most one sync runs at a
 * time, and calls that come close together share one look at whether anything changed.
 */
import { statSync } from "node:fs";
import type { LibraryScope } from "../collections/library.ts";
import { dexPaths } from "../config/paths.ts";
import { Dex } from "../dex.ts";
import { OwnedCaches } from "../kernel/owned_caches.ts";
import type { Operation, OperationContext } from "../operations/operation.ts";
import { freshenIndex, type IndexesToSync, indexesToSync, runOperation } from "../operations/run.ts";
import { CallQueue } from "./call_queue.ts";

/** Looking at every history file for each of many calls a second would be most of the work. */
const FRESH_FOR = 1000;
/** An index that was not asked for so long is closed, and its memory given back; opening it takes a few milliseconds. */
const OPEN_FOR = 5000;

/** Who waits for an answer: may give up, and may want to hear what is done for it. */
export type Caller = Pick<OperationContext, "signal" | "step"> & {
  /** The conversation it is in, where it says so. */
  session?: string | undefined;
};

interface Answer {
  output: unknown;
  notice: string | undefined;
}

interface Lease {
  stamp: string;
  dex: Dex;
  users: number;
}

export class Host {
  readonly #vars: NodeJS.ProcessEnv;
  readonly #scope: LibraryScope;
  readonly #queue = new CallQueue();
  /** They outlive each opened application, and are closed when the last call has ended. */
  readonly #caches = new OwnedCaches();
  #calls = 0;
  #lease: Lease | undefined;
  #opening: Promise<Lease> | undefined;
  /** The last look at each index; until 0: it is not over. */
  readonly #looks = new Map<keyof IndexesToSync, { answer: Promise<string | undefined>; until: number }>();
  #closed = false;
  #rest: NodeJS.Timeout | undefined;

  /** Every call is answered by an application that was opened with the scope: none can widen it. */
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
    const wanted = indexesToSync(operation, input);
    const { signal, step } = caller;
    const stale: (string | undefined)[] = [];
    const answer = async (turn?: () => Promise<void>): ReturnType<typeof runOperation> => {
      if (wanted.conversations) stale.push(await this.#freshen("conversations"));
      if (wanted.documents) stale.push(await this.#freshen("documents"));
      await turn?.();
      return this.#withDex(operation, (dex) =>
        runOperation(dex, operation, input, { signal, step, sync: false, agent: true }),
      );
    };
    // A call that waits for a model most of its time would hold up others in the queue for minutes.
    const { output, notice } = await (operation.waits ? answer() : this.#queue.run(answer, signal));
    return { output, notice: [...stale, notice].filter((text) => text !== undefined).join("\n") || undefined };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#rest);
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

  async #withDex<T>(operation: Operation, use: (dex: Dex) => Promise<T>): Promise<T> {
    // What writes may reopen the index at any time: it gets one of its own.
    if (!operation.readOnly) return this.#withOwnDex(use);
    const lease = await this.#take();
    try {
      return await use(lease.dex);
    } finally {
      lease.users -= 1;
      if (lease.users === 0 && lease !== this.#lease) lease.dex.close();
      clearTimeout(this.#rest);
      if (!this.#closed) this.#rest = setTimeout(() => this.#drop(), OPEN_FOR).unref();
    }
  }

  async #take(): Promise<Lease> {
    const stamp = stampOf(this.#vars);
    if (this.#lease?.stamp === stamp) {
      this.#lease.users += 1;
      return this.#lease;
    }
    this.#opening ??= this.#replace(stamp).finally(() => {
      this.#opening = undefined;
    });
    const lease = await this.#opening;
    lease.users += 1;
    return lease;
  }

  async #replace(stamp: string): Promise<Lease> {
    const lease = { stamp, dex: await this.#open(), users: 0 };
    this.#drop();
    if (!this.#closed) this.#lease = lease;
    return lease;
  }

  #freshen(which: keyof IndexesToSync): Promise<string | undefined> {
    const last = this.#looks.get(which);
    if (last && (last.until === 0 || performance.now() < last.until)) return last.answer;
    const answer = this.#withOwnDex((dex) => freshenIndex(dex, which));
    const look = { answer, until: 0 };
    this.#looks.set(which, look);
    const over = (): void => {
      look.until = performance.now() + FRESH_FOR;
    };
    answer.then(over, over);
    return answer;
  }

  async #withOwnDex<T>(use: (dex: Dex) => Promise<T>): Promise<T> {
    const dex = await this.#open();
    try {
      return await use(dex);
    } finally {
      dex.close();
    }
  }

  #open(): Promise<Dex> {
    return Dex.open({ vars: this.#vars, scope: this.#scope, caches: this.#caches });
  }
}

/** Changes when an index is replaced by another file, or the settings are changed. Rows may change underneath. */
function stampOf(vars: NodeJS.ProcessEnv): string {
  const { index, documents, config } = dexPaths(vars);
  const settings = statSync(config, { throwIfNoEntry: false });
  return `${fileStamp(index)}:${fileStamp(documents)}:${settings?.ino}:${settings?.mtimeMs}`;
}

function fileStamp(path: string): string {
  const at = statSync(path, { throwIfNoEntry: false });
  return `${at?.dev}:${at?.ino}:${at === undefined || at.size === 0}`;
}
