/** `dex trace`: one recorded retrieval, and its replay. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { unknownName } from "../../kernel/did_you_mean.ts";
import { DexError } from "../../kernel/errors.ts";
import { editDistance } from "../../kernel/text.ts";
import { compareRankings, rankChange } from "../../traces/compare.ts";
import { findTrace, traceIds } from "../../traces/store.ts";
import { type Trace, traceSchema } from "../../traces/trace.ts";
import { withoutAliases } from "../aliases.ts";
import { defineOperation, type Operation } from "../operation.ts";
import { queryFieldOf, RunTrace } from "../tracing.ts";

const replayOutput = z.object({
  changed: z.boolean(),
  changes: z.array(rankChange),
  state_revision: z.string().nullable(),
  duration_ms: z.number(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export const trace = defineOperation({
  name: "dex_trace",
  verb: "trace",
  summary: "Explain one retrieval; --replay compares it with the current result",
  positionals: ["id"],
  input: z.strictObject({
    id: z.string().describe("The trace's id, T-…; `dex traces` lists them"),
    replay: z.boolean().default(false).describe("Run it again and compare; the replay is not traced"),
  }),
  output: z.object({ trace: traceSchema, replay: replayOutput.optional() }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  run: async (dex, input) => {
    const row = resolveTrace(dex, input.id);
    return input.replay ? { trace: row, replay: await replay(dex, row) } : { trace: row };
  },
});

function resolveTrace(dex: Dex, typed: string): Trace {
  const digits = typed.trim().toLowerCase().replace(/^t-/, "");
  const id = `T-${digits}`;
  const row = findTrace(dex.paths.traces, id);
  if (row) return row;
  throw unknownName({
    code: "unknown_trace",
    sentence: `There is no trace "${typed}".`,
    typed: id,
    names: digits.length < MIN_KNOWN_DIGITS ? [] : traceIds(dex.paths.traces).filter((each) => isNear(id, each)),
    hint: "`dex traces` lists them; old ones are deleted.",
    alwaysHint: true,
  });
}

/** Ids are random: fewer digits begin, and more edits reach, an id that nobody meant. */
const MIN_KNOWN_DIGITS = 4;
const MAX_EDITS = 2;

function isNear(typed: string, id: string): boolean {
  return id.startsWith(typed) || editDistance(typed, id, MAX_EDITS + 1) <= MAX_EDITS;
}

async function replay(dex: Dex, row: Trace): Promise<z.output<typeof replayOutput>> {
  const operation = await operationOf(row);
  const field = queryFieldOf(operation);
  const query = Object.hasOwn(operation.input.shape, field) && row.query !== undefined ? { [field]: row.query } : {};
  const input = operation.input.safeParse(withoutAliases(operation, { ...row.args, ...query }));
  if (!input.success) {
    throw new DexError(
      "cannot_replay",
      `${row.trace_id} was recorded by another version of dex, so \`dex ${row.command}\` cannot replay it.`,
      {
        hint: `Run \`dex ${row.command}\` again instead.`,
      },
    );
  }
  const replayTrace = new RunTrace(dex, operation, input.data);
  let failure: unknown;
  try {
    await operation.run(dex, input.data, { trace: (details) => replayTrace.add(details) });
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    failure = error;
  }
  const now = await replayTrace.finish(failure);
  const changes = compareRankings(row, now);
  return {
    changed: row.error?.code !== now.error?.code || changes.some(({ change }) => change !== "same"),
    changes,
    state_revision: now.state_revision,
    duration_ms: now.duration_ms,
    ...(now.error ? { error: now.error } : {}),
  };
}

/** The recorded operation. Throws unless it only reads and its input was stored completely. */
async function operationOf(row: Trace): Promise<Operation> {
  const { OPERATIONS } = await import("../registry.ts");
  const operation = Object.hasOwn(OPERATIONS, row.command) ? await OPERATIONS[row.command]?.() : undefined;
  if (!operation?.traced || !operation.readOnly) {
    throw new DexError("cannot_replay", `${row.trace_id} records \`dex ${row.command}\`, which cannot be replayed.`, {
      hint: "Only commands that change nothing can be replayed.",
    });
  }
  if (row.query === undefined && row.query_hash !== undefined) {
    throw new DexError("cannot_replay", `${row.trace_id} stores only the hash of its query.`, {
      hint: "Set traces.query to true to store the text of later queries.",
    });
  }
  const lost = row.partial?.find((field) => field === "query" || field === "args");
  if (lost !== undefined) {
    const what = lost === "query" ? "query" : "arguments";
    throw new DexError(
      "cannot_replay",
      `The ${what} of ${row.trace_id} ${lost === "query" ? "is" : "are"} incomplete.`,
      {
        hint: "The text was too long, or contained a secret that was not stored.",
      },
    );
  }
  return operation;
}
