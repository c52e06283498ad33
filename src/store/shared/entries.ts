/** Packs what a shared segment knows about its conversations. A member wrote it: every field is checked when it is read. */
import * as z from "zod";
import { PARENT_KINDS } from "../../conversations/model.ts";
import { pack, unpackAll } from "./packed.ts";
import type { SharedEntry } from "./segment.ts";

/** Longer than any field that a sync writes. */
const MAX_TEXT_CHARS = 8000;
const MAX_LIST = 1000;
const MAX_SLOT = 2 ** 24;
/** Milliseconds that a Date can have. */
const MAX_TIME_MS = 8.64e15;
/** Compressed bytes of one block of messages: more than any writer puts into one. */
const MAX_BLOCK_BYTES = 64 << 20;
const META_TEXTS = ["title", "project", "branch", "model", "created", "updated", "parent", "origin", "family", "root"];

/** Created on first use: most commands read no entries, and building the schema takes as long as a search. */
let entriesSchema: ReturnType<typeof makeEntriesSchema> | undefined;

function makeEntriesSchema() {
  const count = z.number().int().nonnegative();
  const slot = count.max(MAX_SLOT);
  const time = z.number().min(-MAX_TIME_MS).max(MAX_TIME_MS);
  const totals = z.object({
    messages: count,
    tokens: count,
    tokens_stripped: count,
    tokens_user: count,
    first: time.nullable(),
    last: time.nullable(),
    prompt: z.string().nullable(),
  });
  const entries = z.array(
    z.object({
      conv: count,
      generation: count,
      bytes: count,
      meta: z.object({
        id: z.string().max(MAX_TEXT_CHARS),
        source: z.string().max(MAX_TEXT_CHARS),
        ...Object.fromEntries(META_TEXTS.map((name) => [name, z.string().max(MAX_TEXT_CHARS).optional()])),
        parent_kind: z.enum(PARENT_KINDS).optional(),
        prs: z.array(z.string().max(MAX_TEXT_CHARS)).max(MAX_LIST).optional(),
        headless: z.boolean().optional(),
      }),
      totals,
      titled: count.nullable(),
      blocks: z.array(z.object({ first: slot, count: slot, offset: count, length: count.max(MAX_BLOCK_BYTES) })),
      files: z.array(
        z.object({ path: z.string().max(MAX_TEXT_CHARS), how: z.enum(["edited", "read", "mentioned"]), first: slot }),
      ),
      commits: z.array(z.object({ first: slot, sha: z.string().max(100), subject: z.string().max(MAX_TEXT_CHARS) })),
    }),
  );
  return entries;
}

export function packEntries(entries: readonly SharedEntry[]): Uint8Array {
  return pack(entries);
}

/** The entries of a segment, from all of its blocks. */
export function unpackEntries(blocks: readonly Uint8Array[]): SharedEntry[] {
  entriesSchema ??= makeEntriesSchema();
  const schema = entriesSchema;
  return unpackAll(blocks, (value) => schema.parse(value)).flat() as SharedEntry[];
}
