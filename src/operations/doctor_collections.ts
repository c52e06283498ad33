/** How collections of documentation stand, for `dex doctor`: when they were synced, what failed, what waits for trust. */
import * as z from "zod";
import { untrustedError } from "../collections/declared.ts";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import { plural } from "../kernel/text.ts";
import { isCorruption } from "../store/sqlite/database.ts";

export const collectionState = z.object({
  name: z.string(),
  origin: z.enum(["project", "global"]),
  source: z.string(),
  documents: z.number(),
  /** When its last sync ended; null: none did. */
  synced: z.string().nullable(),
  /** What the last sync could not get. */
  failed: z.number(),
  /** False: it points outside of the project, and `dex trust` was not given. */
  trusted: z.boolean(),
});

interface States {
  collections: z.output<typeof collectionState>[];
  problems: { what: string; fix: string }[];
}

export async function collectionStates(dex: Dex): Promise<States> {
  try {
    return await statesIn(dex);
  } catch (error) {
    // Settings or a store that cannot be read are told, and hide nothing else.
    if (!(error instanceof DexError) && !isCorruption(error)) throw error;
    const what = error instanceof DexError ? error.message : "The documents cannot be read.";
    return { collections: [], problems: [{ what, fix: "dex reindex" }] };
  }
}

async function statesIn(dex: Dex): Promise<States> {
  const declared = await dex.collections();
  if (declared.length === 0) return { collections: [], problems: [] };
  const rows = new Map((await dex.library()).reader.collections().map((row) => [row.id, row]));
  const collections = declared.map(({ name, origin, canonical, id, trusted }) => {
    const row = trusted ? rows.get(id) : undefined;
    const synced = row?.synced == null ? null : new Date(row.synced).toISOString();
    const { documents = 0, failed = 0 } = row ?? {};
    return { name, origin, source: canonical, documents, synced, failed, trusted };
  });
  const problems = declared.flatMap((each, i) => {
    const { name, trusted, synced, failed } = collections[i] as States["collections"][number];
    if (!trusted) return [{ what: untrustedError(each).message, fix: "dex trust" }];
    const fix = `dex docs sync ${name}`;
    if (synced === null) return [{ what: `The collection "${name}" was never synced.`, fix }];
    if (failed === 0) return [];
    return [{ what: `The last sync of "${name}" was not complete: ${plural(failed, "failure")}.`, fix }];
  });
  return { collections, problems };
}
