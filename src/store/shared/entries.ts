/** Packs what a shared segment knows about its conversations. */
import * as z from "zod";
import { pack, unpack } from "./packed.ts";
import type { SharedEntry } from "./segment.ts";

/** Made when the first entries are read: most commands read none, and making it takes as long as a search. */
let entriesSchema: ReturnType<typeof makeEntriesSchema> | undefined;

function makeEntriesSchema() {
  const count = z.number().int().nonnegative();
  const totals = z.object({
    messages: count,
    tokens: count,
    tokens_stripped: count,
    tokens_user: count,
    first: z.number().nullable(),
    last: z.number().nullable(),
    prompt: z.string().nullable(),
  });
  const entries = z.array(
    z.object({
      conv: count,
      generation: count,
      bytes: count,
      meta: z.looseObject({ id: z.string(), source: z.string() }),
      totals,
      titled: count.nullable(),
      blocks: z.array(z.object({ first: count, count, offset: count, length: count })),
      files: z.array(z.object({ path: z.string(), how: z.enum(["edited", "read", "mentioned"]), first: count })),
      commits: z.array(z.object({ first: count, sha: z.string(), subject: z.string() })),
    }),
  );
  return entries;
}

export function packEntries(entries: readonly SharedEntry[]): Uint8Array {
  return pack(entries);
}

export function unpackEntries(data: Uint8Array): SharedEntry[] {
  entriesSchema ??= makeEntriesSchema();
  const schema = entriesSchema;
  return unpack(data, (value) => schema.parse(value)) as SharedEntry[];
}
