/**
 * Watches data outside the project: agents' conversations and folders of documentation. Each has its own queue, because
 * a first sync may take long and must not delay a saved file.
 */
import type { Dex } from "../dex.ts";
import { loadSources, SOURCE_IDS } from "../integrations/registry.ts";
import { sourceEnv } from "../sync/service.ts";
import type { SyncProgress } from "../sync/totals.ts";
import { hasTeam } from "../team/joined.ts";
import { Batcher } from "./batcher.ts";
import type { Native } from "./events/native.ts";
import { PlaceWatch } from "./events/place_watch.ts";

export interface OutsideTools {
  pace: { quietMs: number; maxMs: number; failed(error: unknown): void };
  withDex<T>(use: (dex: Dex) => Promise<T>): Promise<T>;
  report(line: string): void;
  /** Conversations have new messages; `ms` is the duration of the sync. */
  grown(dex: Dex, ms: number): void;
  /** Progress of a sync that reads something. */
  syncing?(at: SyncProgress): void;
  synced?(): void;
  /** Stops a running sync early. */
  signal?: AbortSignal;
}

/** Another syncing process may have started before the last write, so the sync is repeated after this time. */
const RETRY_MS = 1000;

export class OutsideWatch {
  readonly #tools: OutsideTools;
  readonly #queues: { conversations: Batcher<true>; documents: Batcher<true> };
  #watches: { conversations: PlaceWatch; documents: PlaceWatch } | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(tools: OutsideTools) {
    this.#tools = tools;
    const queue = (work: () => Promise<void>): Batcher<true> => new Batcher({ ...tools.pace, merge: () => true, work });
    this.#queues = { conversations: queue(() => this.#sync()), documents: queue(() => this.#refreshDocuments()) };
  }

  /** Without a native watcher, `check` must be called regularly. */
  begin(native: Native | undefined): void {
    if (native) {
      this.#watches = {
        conversations: new PlaceWatch(native, () => this.#queues.conversations.add(true), this.#tools.report),
        documents: new PlaceWatch(native, () => this.#queues.documents.add(true), this.#tools.report),
      };
    }
    this.check();
  }

  check(): void {
    this.#queues.conversations.add(true);
    this.#queues.documents.add(true);
  }

  /** Starts to watch new places. */
  async refresh(): Promise<void> {
    if (await this.#watches?.conversations.refresh()) this.#queues.conversations.add(true);
    if (await this.#watches?.documents.refresh()) this.#queues.documents.add(true);
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry);
    await Promise.all([this.#queues.conversations.close(), this.#queues.documents.close()]);
    await Promise.all([this.#watches?.conversations.close(), this.#watches?.documents.close()]);
  }

  async #sync(): Promise<void> {
    const begin = performance.now();
    await this.#tools.withDex(async (dex) => {
      // Watch before reading, to miss no write in between.
      await this.#watches?.conversations.refresh(await sessionPlaces(dex));
      const { syncing: progress, signal } = this.#tools;
      const totals = await dex.sync({ waitMs: 0, progress, signal });
      if (!totals) {
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => this.#queues.conversations.add(true), RETRY_MS);
      } else if (totals.new + totals.updated > 0) {
        this.#tools.grown(dex, performance.now() - begin);
        this.#tools.synced?.();
      }
      // Also after a sync that found nothing: a time of review may have ended, or the server may be back.
      if (totals && hasTeam(dex.paths.team)) {
        const unpushed = await (await import("../project/team/push.ts")).pushAfterUpdate(dex);
        if (unpushed !== undefined) this.#tools.report(unpushed);
      }
    });
  }

  async #refreshDocuments(): Promise<void> {
    await this.#tools.withDex(async (dex) => {
      const declared = await dex.collections();
      // The project itself is watched already.
      const folders = declared.flatMap(({ trusted, source, implicit }) =>
        trusted && !implicit && source.kind === "folder" ? [source.root] : [],
      );
      await this.#watches?.documents.refresh(folders);
      const notice = await dex.freshenDocuments();
      if (notice) this.#tools.report(notice);
    });
  }
}

/** The folders and files in which agents store their conversations. */
async function sessionPlaces(dex: Dex): Promise<string[]> {
  const env = sourceEnv(dex.syncContext, dex.store);
  const out = dex.settings.sync.exclude_sources;
  const wanted = await loadSources(SOURCE_IDS.filter((id) => !out.includes(id)));
  return wanted.flatMap((source) => source.places(env).map(({ path }) => path));
}
