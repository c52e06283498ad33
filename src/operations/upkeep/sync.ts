/** `dex sync`: reads the history of all agents into the archive and the index. */
import { resolve } from "node:path";
import * as z from "zod";
import { DexError } from "../../kernel/errors.ts";
import { embeddingState } from "../../sync/embedding/background.ts";
import { LEFT_OUT_REASONS } from "../../sync/reading/events.ts";
import { progressText } from "../../sync/totals.ts";
import { busyError } from "../../sync/writing.ts";
import { defineOperation } from "../operation.ts";

export const sync = defineOperation({
  name: "dex_sync",
  verb: "sync",
  summary: "Index new agent history since the last sync",
  positionals: [],
  input: z.strictObject({
    source: z.string().optional().describe("Only this agent"),
    project: z.string().optional().describe("Only conversations whose project path contains this"),
    full: z.boolean().default(false).describe("Read everything again, not only changes"),
    home: z.string().optional().describe("Read agent history from another home folder, such as a backup"),
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
    /** Files that were not read because the sync was stopped. */
    files_left: z.number().optional(),
    /** Conversations left out on purpose, now or earlier, by reason; `from_clone` counts files. */
    left_out: z.partialRecord(z.enum(LEFT_OUT_REASONS), z.number()),
    /** Messages for which a background process computes vectors. */
    embedding: z.number().optional(),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  web: true,
  fileFields: ["home"],
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
    const state = embeddingState(dex.settings, dex.store);
    return state && state.embedded < state.all ? { ...totals, embedding: state.all - state.embedded } : totals;
  },
});
