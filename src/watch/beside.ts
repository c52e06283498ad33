/**
 * What is kept up to date beside the project: the conversations of agents, and folders of documentation. Each has a lane
 * of its own, because a first reading may take long and must not delay a saved file.
 */
import type { Dex } from "../dex.ts";
import { loadSources, SOURCE_IDS } from "../integrations/registry.ts";
import { sourceEnv } from "../sync/service.ts";
import { Batcher } from "./batcher.ts";
import type { Native } from "./native.ts";
import { PlaceWatch } from "./places.ts";

export interface BesideTools {
  pace: { quietMs: number; mostMs: number; failed(error: unknown): void };
  withDex<T>(use: (dex: Dex) => Promise<T>): Promise<T>;
  report(line: string): void;
  /** Conversations grew; `ms` is what reading them took. */
  grown(dex: Dex, ms: number): void;
}

/** Another process that reads the same may have begun before the last of it was written. */
const AGAIN_MS = 1000;

export class Beside {
  readonly #tools: BesideTools;
  readonly #lanes: { conversations: Batcher<true>; documents: Batcher<true> };
  #watches: { conversations: PlaceWatch; documents: PlaceWatch } | undefined;
  #again: NodeJS.Timeout | undefined;

  constructor(tools: BesideTools) {
    this.#tools = tools;
    const lane = (work: () => Promise<void>): Batcher<true> => new Batcher({ ...tools.pace, merge: () => true, work });
    this.#lanes = { conversations: lane(() => this.#sync()), documents: lane(() => this.#freshen()) };
  }

  /** Without a native watcher `look` has to be called again and again. */
  begin(native: Native | undefined): void {
    if (native) {
      this.#watches = {
        conversations: new PlaceWatch(native, () => this.#lanes.conversations.add(true), this.#tools.report),
        documents: new PlaceWatch(native, () => this.#lanes.documents.add(true), this.#tools.report),
      };
    }
    this.look();
  }

  look(): void {
    this.#lanes.conversations.add(true);
    this.#lanes.documents.add(true);
  }

  /** Places that came since. */
  async refresh(): Promise<void> {
    if (await this.#watches?.conversations.refresh()) this.#lanes.conversations.add(true);
    if (await this.#watches?.documents.refresh()) this.#lanes.documents.add(true);
  }

  async close(): Promise<void> {
    clearTimeout(this.#again);
    await Promise.all([this.#lanes.conversations.close(), this.#lanes.documents.close()]);
    await Promise.all([this.#watches?.conversations.close(), this.#watches?.documents.close()]);
  }

  async #sync(): Promise<void> {
    const begin = performance.now();
    await this.#tools.withDex(async (dex) => {
      // Watched before they are read, so that nothing falls in between.
      await this.#watches?.conversations.refresh(await sessionPlaces(dex));
      const totals = await dex.sync({ waitMs: 0 });
      if (!totals) {
        clearTimeout(this.#again);
        this.#again = setTimeout(() => this.#lanes.conversations.add(true), AGAIN_MS);
      } else if (totals.new + totals.updated > 0) {
        this.#tools.grown(dex, performance.now() - begin);
      }
    });
  }

  async #freshen(): Promise<void> {
    await this.#tools.withDex(async (dex) => {
      const declared = await dex.collections();
      const folders = declared.flatMap(({ trusted, source }) =>
        trusted && source.kind === "folder" ? [source.root] : [],
      );
      await this.#watches?.documents.refresh(folders);
      const notice = await dex.freshenDocuments();
      if (notice) this.#tools.report(notice);
    });
  }
}

/** Where the agents of this machine write. */
async function sessionPlaces(dex: Dex): Promise<string[]> {
  const env = sourceEnv(dex.syncContext, dex.store);
  const out = dex.settings.sync.exclude_sources;
  const wanted = await loadSources(SOURCE_IDS.filter((id) => !out.includes(id)));
  return wanted.flatMap((source) => source.places(env).map(({ path }) => path));
}
