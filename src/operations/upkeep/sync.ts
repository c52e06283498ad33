import { resolve } from "node:path";
import * as z from "zod";
import { runBehind } from "../../agents/behind.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { LEFT_OUT_REASONS } from "../../sync/reading/events.ts";
import { progressText } from "../../sync/totals.ts";
import { busyError } from "../../sync/writing.ts";
import { defineOperation } from "../operation.ts";

/** A slow provider embeds after the sync, in a process of its own that goes on by itself; 0 where nothing is to do. */
function embedInBackground(dex: Dex): number {
  const { provider } = dex.settings.embedding;
  if (provider === "static" || provider === "none") return 0;
  const { all, models } = dex.store.vectorCoverage();
  const missing = all - (models[0]?.covered ?? 0);
  if (missing <= 0) return 0;
  runBehind(["reindex", "--vectors"], { cwd: dex.paths.home, vars: dex.vars });
  return missing;
}

export const sync = defineOperation({
  name: "dex_sync",
  verb: "sync",
  summary: "Index what your agents wrote since the last sync",
  positionals: [],
  input: z.strictObject({
    source: z.string().optional().describe("Only this agent"),
    project: z.string().optional().describe("Only conversations whose project path holds this"),
    full: z.boolean().default(false).describe("Read everything again, not only what changed"),
    home: z
      .string()
      .optional()
      .describe("Read agents' history below another home folder (a backup, another machine's)"),
  }),
  output: z.object({
    new: z.number(),
    updated: z.number(),
    unchanged: z.number(),
    malformed: z.number(),
    redactions: z.number(),
    bytes: z.number(),
    seconds: z.number(),
    failed: z.array(z.object({ path: z.string(), error: z.string() })),
    /** Only where it was stopped: files that it had not read yet. */
    files_left: z.number().optional(),
    /** Left out on purpose, now and before: conversations by reason; `from_clone` counts files. */
    left_out: z.partialRecord(z.enum(LEFT_OUT_REASONS), z.number()),
    /** Messages that a process in the background is making vectors for. */
    embedding: z.number().optional(),
  }),
  readOnly: false,
  idempotent: true,
  fresh: false,
  run: async (dex, input, context) => {
    const totals = await dex.sync({
      ...input,
      home: input.home === undefined ? undefined : resolve(dex.cwd, input.home),
      progress: (at) => context.progress?.(at.bytes, at.totalBytes, progressText(at)),
      signal: context.signal,
      asked: true,
    });
    if (!totals && context.signal?.aborted) {
      throw new DexError("stopped", "Stopped while another dex process was syncing.");
    }
    if (!totals) throw busyError();
    if (totals.files_left !== undefined) return totals;
    const embedding = embedInBackground(dex);
    return embedding > 0 ? { ...totals, embedding } : totals;
  },
});
