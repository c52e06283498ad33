/** `dex batch plan`: splits conversations into batches of limited size. */
import * as z from "zod";
import { DexError } from "../../kernel/errors.ts";
import { plural } from "../../kernel/text.ts";
import { toFilter } from "../../search/filters/filter.ts";
import type { Entry } from "../../workflows/batches/pack.ts";
import { type Planned, planBatches, selectRows } from "../../workflows/plan.ts";
import { defineOperation } from "../operation.ts";
import { filterFields, subagentsField } from "../shared/fields.ts";

/** A part of a conversation that is larger than a batch. Each part is read by its own call. */
const partOutput = z.object({
  id: z.string(),
  tokens: z.number(),
  /** The messages to read, for `dex show --expand` and `dex_get`. */
  expand: z.object({ message_index: z.number(), before: z.number(), after: z.number() }).optional(),
  /** A message that is larger than a batch, for `dex message --chars`. */
  address: z.string().optional(),
  chars: z.string().optional(),
});

export const batchTokensField = z
  .int("must be a whole number")
  .min(2000, "must be 2,000 or more")
  .max(10_000_000)
  .default(80_000)
  .describe("Tokens per batch");

export const batchPlan = defineOperation({
  name: "dex_batch_plan",
  verb: "batch plan",
  summary: "Split a selection of conversations into batches of limited size, one for each worker",
  positionals: ["ids"],
  input: z.strictObject({
    ids: z.array(z.string()).max(1000).optional().describe("Only these conversations"),
    ...filterFields,
    subagents: subagentsField(true),
    tokens: batchTokensField,
    format: z
      .enum(["full", "stripped", "user_only", "outline"])
      .default("stripped")
      .describe("The format in which workers read"),
    batch: z.int("must be a whole number").min(1, "counts from 1").optional().describe("Only this batch, from 1"),
    plan: z.string().optional().describe("Fail unless the plan still has this fingerprint"),
  }),
  output: z.object({
    plan: z.string(),
    format: z.string(),
    max_tokens: z.number(),
    conversations: z.number(),
    total_tokens: z.number(),
    total_batches: z.number(),
    batches: z.array(
      z.object({
        batch: z.number(),
        tokens: z.number(),
        ids: z.array(z.string()),
        parts: z.array(partOutput).optional(),
      }),
    ),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  toolset: "context",
  run: (dex, input, context) => {
    const rows = selectRows(
      dex,
      toFilter(dex, input.ids === undefined ? { ...input, abandoned: false } : input),
      input.ids,
    );
    const plan = planBatches(dex, rows, input.format, input.tokens, context);
    if (input.plan !== undefined && input.plan !== plan.id) {
      throw new DexError("plan_changed", `The plan is now ${plan.id}, not ${input.plan}.`, {
        hint: "Conversations were added or continued. Make a new plan, or fix the end of the selection with --to.",
      });
    }
    if (input.batch !== undefined && input.batch > plan.batches.length) {
      throw new DexError(
        "no_batch",
        `There is no batch ${input.batch}: the plan has ${plural(plan.batches.length, "batch", "batches")}.`,
        { hint: "Batches are counted from 1. Without --batch, the plan lists all of them." },
      );
    }
    const shown = plan.batches.map((batch, i) => {
      const whole = batch.entries.filter(({ range }) => range === undefined);
      const parts = batch.entries.filter(({ range }) => range !== undefined).map(partOf);
      return {
        batch: i + 1,
        tokens: batch.tokens,
        ids: whole.map(({ of }) => of.address),
        ...(parts.length > 0 ? { parts } : {}),
      };
    });
    return {
      plan: plan.id,
      format: input.format,
      max_tokens: input.tokens,
      conversations: plan.conversations,
      total_tokens: plan.tokens,
      total_batches: plan.batches.length,
      batches: input.batch === undefined ? shown : shown.slice(input.batch - 1, input.batch),
    };
  },
  isEmpty: (output) => output.total_batches === 0,
});

function partOf({ of, tokens, range, chars }: Entry<Planned>): z.output<typeof partOutput> {
  const first = range?.first ?? 0;
  if (chars) {
    return { id: of.address, tokens, address: `${of.address}#${first}`, chars: `${chars.from}-${chars.to}` };
  }
  const after = (range?.last ?? first) - first;
  return { id: of.address, tokens, expand: { message_index: first, before: 0, after } };
}
