import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { nearest } from "../../kernel/text.ts";
import { compareRankings, rankChange } from "../../traces/compare.ts";
import { findTrace, traceIds } from "../../traces/store.ts";
import { type Trace, traceSchema } from "../../traces/trace.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { queryFieldOf, RunTrace } from "../tracing.ts";

const replayed = z.object({
  changed: z.boolean(),
  changes: z.array(rankChange),
  state_revision: z.string().nullable(),
  duration_ms: z.number(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export const trace = defineOperation({
  name: "dex_trace",
  verb: "trace",
  summary: "How one retrieval came to its answer; --replay compares it with now",
  positionals: ["id"],
  input: z.strictObject({
    id: z.string().describe("The trace: T- and twelve digits; `dex traces` lists them"),
    replay: z.boolean().default(false).describe("Run it again and compare; leaves no trace itself"),
  }),
  output: z.object({ trace: traceSchema, replay: replayed.optional() }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  run: async (dex, input) => {
    const row = find(dex, input.id);
    return input.replay ? { trace: row, replay: await replay(dex, row) } : { trace: row };
  },
});

function find(dex: Dex, typed: string): Trace {
  const digits = typed.trim().toLowerCase().replace(/^t-/, "");
  const id = `T-${digits}`;
  const row = findTrace(dex.paths.traces, id);
  if (row) return row;
  const meant = nearest(id, traceIds(dex.paths.traces));
  throw new DexError("unknown_trace", `There is no trace "${typed}".`, {
    hint: meant
      ? `Did you mean ${meant}? \`dex traces\` lists them.`
      : "`dex traces` lists them; old ones are deleted.",
  });
}

async function replay(dex: Dex, row: Trace): Promise<z.output<typeof replayed>> {
  const operation = await operationOf(row);
  const field = queryFieldOf(operation);
  const asked = Object.hasOwn(operation.input.shape, field) && row.query !== undefined ? { [field]: row.query } : {};
  const input = operation.input.safeParse({ ...row.args, ...asked });
  if (!input.success) {
    throw new DexError("cannot_replay", `${row.trace_id} was made by another version of dex ${row.command}.`, {
      hint: `Run \`dex ${row.command}\` again instead.`,
    });
  }
  const again = new RunTrace(dex, operation, input.data);
  let failure: unknown;
  try {
    await operation.run(dex, input.data, { trace: (details) => again.add(details) });
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    failure = error;
  }
  const now = await again.finish(failure);
  const changes = compareRankings(row, now);
  return {
    changed: row.error?.code !== now.error?.code || changes.some(({ change }) => change !== "same"),
    changes,
    state_revision: now.state_revision,
    duration_ms: now.duration_ms,
    ...(now.error ? { error: now.error } : {}),
  };
}

/** The recorded operation, if it can be run again as it was and changes nothing. */
async function operationOf(row: Trace): Promise<Operation> {
  const { OPERATIONS } = await import("../registry.ts");
  const operation = Object.hasOwn(OPERATIONS, row.command) ? await OPERATIONS[row.command]?.() : undefined;
  if (!operation?.traced || !operation.readOnly) {
    throw new DexError("cannot_replay", `${row.trace_id} is of dex ${row.command}, which is not replayed.`, {
      hint: "Only commands that read can be run again without changing anything.",
    });
  }
  if (row.query === undefined && row.query_hash !== undefined) {
    throw new DexError("cannot_replay", `${row.trace_id} has only the hash of its query, not the text.`, {
      hint: "With traces.query: true in config.yaml the text of later queries is kept.",
    });
  }
  const lost = row.partial?.find((field) => field === "query" || field === "args");
  if (lost !== undefined) {
    const what = lost === "query" ? "query" : "arguments";
    throw new DexError("cannot_replay", `${row.trace_id} does not have its ${what} whole.`, {
      hint: "It was too long, or held a secret that was not kept.",
    });
  }
  return operation;
}
