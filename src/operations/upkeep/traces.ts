/** `dex traces`: the latest retrievals. */
import * as z from "zod";
import { tailTraces } from "../../traces/store.ts";
import { traceSchema } from "../../traces/trace.ts";
import { defineOperation } from "../operation.ts";

export const traces = defineOperation({
  name: "dex_traces",
  verb: "traces",
  summary: "List recent retrievals",
  positionals: [],
  input: z.strictObject({
    tail: z
      .int("must be a whole number")
      .min(1, "must be positive")
      .max(1000)
      .default(20)
      .describe("Number of traces, latest first"),
  }),
  output: z.object({ traces: z.array(traceSchema), enabled: z.boolean() }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  run: (dex, input) => ({
    traces: tailTraces(dex.paths.traces, input.tail).reverse(),
    enabled: dex.settings.traces.enabled,
  }),
  isEmpty: (output) => output.traces.length === 0,
});
