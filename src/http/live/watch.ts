/**
 * Watches dex's home and the agents' histories while somebody looks at the page, and reports every change as a line.
 * File events start a sync; changes that other processes make to dex's home are found by comparing stamps.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { dexPaths } from "../../config/paths.ts";
import { Dex } from "../../dex.ts";
import { errorMessage } from "../../kernel/errors.ts";
import { listNames } from "../../kernel/files/bounded_list.ts";
import { reportError } from "../../serving/report.ts";
import { progressText } from "../../sync/totals.ts";
import { VERSION } from "../../version.ts";
import type { Native } from "../../watch/events/native.ts";
import { OutsideWatch } from "../../watch/outside_watch.ts";
import type { ChangedPart, IndexFacts, LiveLine } from "./lines.ts";

const CHECK_MS = 500;
const DEBOUNCE_MS = 150;
const MAX_BATCH_MS = 800;
/** For new folders of agents, and for everything where there are no file events. */
const SLOW_CHECK_MS = 5000;
/** Conversations whose number of messages is known, the latest; older ones rarely grow. */
const MAX_KNOWN = 5000;
/** Conversations reported at a time. */
const MAX_REPORTED = 100;
/** Databases of projects whose stamps are compared. */
const MAX_STAMPED = 200;

export class LiveWatch {
  readonly #vars: NodeJS.ProcessEnv;
  readonly #native: Native;
  readonly #send: (line: LiveLine) => void;
  readonly #known = new Map<string, number>();
  readonly #stamps = new Map<string, string>();
  readonly #outside: OutsideWatch;
  readonly #ending = new AbortController();
  #isWatching = false;
  /** False: a folder could not be watched, so it is checked from time to time. */
  #hasEvents = true;
  #timer: NodeJS.Timeout | undefined;
  #slowTimer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;

  constructor(vars: NodeJS.ProcessEnv, native: Native, send: (line: LiveLine) => void) {
    this.#vars = vars;
    this.#native = native;
    this.#send = send;
    this.#outside = new OutsideWatch({
      pace: { quietMs: DEBOUNCE_MS, maxMs: MAX_BATCH_MS, failed: (error) => this.#failed(error) },
      withDex: (use) => this.#withDex(use),
      report: (line) => {
        this.#hasEvents = false;
        reportError(new Error(line));
      },
      signal: this.#ending.signal,
      grown: () => void this.#check(),
      syncing: (at) =>
        send({ type: "sync", phase: "running", done: at.bytes, total: at.totalBytes, label: progressText(at) }),
      synced: () => send({ type: "sync", phase: "done", done: 1, total: 1, label: "" }),
    });
  }

  async start(): Promise<void> {
    await this.#withDex(async (dex) => {
      const { standing, bytes, changed, seconds } = await dex.syncStatus();
      const waiting = { files: changed, bytes, seconds };
      for (const { source, id, messages } of dex.store.list({}, MAX_KNOWN, 0))
        this.#known.set(`${source}:${id}`, messages);
      this.#changedParts();
      this.#send({ type: "hello", version: VERSION, folder: dex.cwd, standing, waiting, ...factsOf(dex) });
    });
    this.#timer = setInterval(() => void this.#check(), CHECK_MS);
    this.#slowTimer = setInterval(() => void this.#slowCheck().catch(reportError), SLOW_CHECK_MS);
    await this.#watchIfSynced();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    clearInterval(this.#timer);
    clearInterval(this.#slowTimer);
    await this.#checking;
    await this.#outside.close();
  }

  /** Reads nothing before the first sync, which is the user's choice. */
  async #watchIfSynced(): Promise<void> {
    if (this.#isWatching) return;
    const synced = await this.#withDex(async (dex) => dex.store.getValue("last_sync") !== undefined);
    if (!synced || this.#isWatching) return;
    this.#isWatching = true;
    this.#outside.begin(this.#native);
  }

  async #slowCheck(): Promise<void> {
    await this.#watchIfSynced();
    if (!this.#isWatching) return;
    await this.#outside.refresh();
    if (!this.#hasEvents) this.#outside.check();
  }

  #check(): Promise<void> {
    this.#checking ??= this.#compare()
      .catch((error) => this.#failed(error))
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  async #compare(): Promise<void> {
    const { index, parts } = this.#changedParts();
    if (parts.length > 0) this.#send({ type: "changed", what: parts });
    if (!index) return;
    await this.#withDex(async (dex) => this.#reportIndex(dex));
    await this.#watchIfSynced();
  }

  #reportIndex(dex: Dex): void {
    const reported = dex.store.list({}, MAX_KNOWN, 0).filter(({ source, id, messages }) => {
      const key = `${source}:${id}`;
      const isNew = this.#known.get(key) !== messages;
      this.#known.set(key, messages);
      return isNew;
    });
    for (const { id, source, title, messages, updated } of reported.slice(0, MAX_REPORTED)) {
      this.#send({ type: "conversation", id, source, title, messages, updated: new Date(updated).toISOString() });
    }
    this.#send({ type: "index", ...factsOf(dex) });
  }

  /** Compares the stamps of dex's files with the last ones. */
  #changedParts(): { index: boolean; parts: ChangedPart[] } {
    const paths = dexPaths(this.#vars);
    const changed = (name: string, stamp: string): boolean => {
      const before = this.#stamps.get(name);
      this.#stamps.set(name, stamp);
      return before !== undefined && before !== stamp;
    };
    const stamps: Record<ChangedPart, string> = {
      documents: databaseStamp(paths.documents),
      state: databaseStamp(paths.state),
      traces: folderStamp(paths.traces),
      code: folderStamp(paths.code),
      history: folderStamp(paths.history),
    };
    const parts = (Object.keys(stamps) as ChangedPart[]).filter((part) => changed(part, stamps[part]));
    return { index: changed("index", databaseStamp(paths.index)), parts };
  }

  #failed(error: unknown): void {
    this.#send({ type: "sync", phase: "failed", done: 0, total: 0, label: errorMessage(error) });
  }

  async #withDex<T>(use: (dex: Dex) => Promise<T>): Promise<T> {
    const dex = await Dex.open({ vars: this.#vars });
    try {
      return await use(dex);
    } finally {
      dex.close();
    }
  }
}

function factsOf(dex: Dex): IndexFacts {
  const { conversations, messages } = dex.store.totals();
  const last = dex.store.getValue("last_sync");
  return { conversations, messages, last_sync: last === undefined ? null : new Date(Number(last)).toISOString() };
}

/** A write goes to the file or to its write-ahead log. */
function databaseStamp(path: string): string {
  return `${fileStamp(path)} ${fileStamp(`${path}-wal`)}`;
}

function folderStamp(folder: string): string {
  const { names } = listNames(folder, MAX_STAMPED);
  return names.map((name) => `${name} ${fileStamp(join(folder, name))}`).join("\n");
}

function fileStamp(path: string): string {
  const at = statSync(path, { throwIfNoEntry: false });
  return at === undefined || at.size === 0 ? "" : `${at.ino}:${at.size}:${at.mtimeMs}`;
}
