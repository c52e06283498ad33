import { resolve } from "node:path";
import * as z from "zod";
import { formatBytes } from "../kernel/text.ts";
import { busyError } from "../sync/sync.ts";
import { defineOperation } from "./operation.ts";

export const sync = defineOperation({
  name: "dex_sync",
  verb: "sync",
  summary: "Read what the agents wrote since the last time",
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
  }),
  readOnly: false,
  idempotent: true,
  fresh: false,
  run: async (dex, input, context) => {
    const totals = await dex.sync({
      ...input,
      home: input.home === undefined ? undefined : resolve(dex.cwd, input.home),
      progress: ({ bytes, totalBytes, conversations }) =>
        context.progress?.(bytes, totalBytes, `${conversations} conversations, ${formatBytes(bytes)}`),
    });
    if (!totals) throw busyError();
    return totals;
  },
});
