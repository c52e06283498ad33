/** Brings the index of every visible bucket up to date. */
import { relative } from "node:path";
import { DexError } from "../../kernel/errors.ts";
import { openCache } from "../../store/engine/shared.ts";
import type { Row, TeamLink } from "../../store/postgres/statements.ts";
import { cacheFolder, type TeamPlaces } from "../finding/places.ts";
import { number } from "../finding/values.ts";
import { type Indexed, indexBucket } from "./bucket.ts";

export interface SharedIndexing {
  link: TeamLink;
  places: TeamPlaces;
  /** The file of the embedding model; undefined: no vectors. */
  model: string | undefined;
  now: () => number;
}

/** Another process of this machine took over, and continues where this one stopped. */
function leftToAnother(error: unknown): undefined {
  if (!(error instanceof DexError && error.code === "team_index")) throw error;
}

/** Skips a bucket that another machine is indexing. */
export async function indexShared({ link, places, model, now }: SharedIndexing): Promise<Indexed> {
  const done: Indexed = { conversations: 0, messages: 0, merges: 0 };
  const buckets = (await link.call("bucketsToIndex")).map((row) => number(row.bucket));
  if (buckets.length === 0) return done;
  const [greeting] = await link.call("hello");
  const me = number((greeting?.hello as Row | undefined)?.member);
  const folder = cacheFolder(places.team);
  const cache = openCache({ folder, fromArchive: relative(places.archive, folder) });
  try {
    for (const bucket of buckets) {
      const indexed = await indexBucket({ link, cache, me, model, now }, bucket).catch(leftToAnother);
      done.conversations += indexed?.conversations ?? 0;
      done.messages += indexed?.messages ?? 0;
      done.merges += indexed?.merges ?? 0;
    }
  } finally {
    cache.close();
  }
  return done;
}
