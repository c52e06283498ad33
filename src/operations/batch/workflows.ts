/** Shared by the workflows: their fields, their output, and the run from a selection to a report. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { modelFrom } from "../../llm/model.ts";
import { type FilterInput, toFilter } from "../../search/filters/filter.ts";
import { loadMessages, unlessDamaged } from "../../search/messages.ts";
import { isTopLevel } from "../../search/results/describe.ts";
import { passagesOf, planBatches, selectRows } from "../../workflows/plan.ts";
import { promptFor } from "../../workflows/prompt.ts";
import { runWorkflow } from "../../workflows/run.ts";
import type { BatchPassage, Workflow } from "../../workflows/workflow.ts";
import type { OperationContext } from "../operation.ts";
import { batchTokensField } from "./plan.ts";

export const workflowFields = {
  tokens: batchTokensField,
  prompt: z.boolean().default(false).describe("Print instructions for the calling agent instead of running"),
  no_model: z.boolean().default(false).describe("Compile from the records, without the configured model"),
  restart: z.boolean().default(false).describe("Repeat batches that are already done"),
};

export const workflowOutput = z.object({
  workflow: z.string(),
  /** `prompt`: nothing was run, and `report` contains instructions. */
  engine: z.enum(["model", "extractive", "prompt"]),
  model: z.string().optional(),
  report: z.string(),
  run: z.string().optional(),
  path: z.string().optional(),
  conversations: z.number(),
  batches: z.number(),
  /** Batches that an earlier run had completed. */
  resumed: z.number(),
  usage: z
    .object({ input: z.number(), output: z.number(), estimated: z.boolean().optional(), cost: z.number().optional() })
    .optional(),
});

type WorkflowOutput = z.output<typeof workflowOutput>;

export interface WorkflowInput {
  tokens: number;
  prompt: boolean;
  no_model: boolean;
  restart: boolean;
}

export interface WorkflowSelection {
  batches: BatchPassage[][];
  conversations: number;
  /** The same selection as arguments of `dex batch plan`. */
  words: string[];
}

/** Whole conversations, as `dex batch plan --no-subagents` splits them. */
export function selectConversations(
  dex: Dex,
  filter: FilterInput,
  tokens: number,
  context: OperationContext,
): WorkflowSelection {
  const rows = selectRows(dex, toFilter(dex, filter)).filter(isTopLevel);
  const plan = planBatches(dex, rows, "stripped", tokens, context);
  const words = (["project", "source", "from", "to"] as const).flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  return { batches: plan.batches.map(passagesOf), conversations: rows.length, words: ["--no-subagents", ...words] };
}

export async function runSelection(
  dex: Dex,
  workflow: Workflow,
  asked: Readonly<Record<string, string>>,
  selection: WorkflowSelection,
  input: WorkflowInput,
  context: OperationContext,
): Promise<WorkflowOutput> {
  const { batches, conversations } = selection;
  const counts = { workflow: workflow.name, conversations, batches: batches.length };
  if (input.prompt) {
    const report = promptFor(workflow, {
      selection: selection.words,
      format: "stripped",
      tokens: input.tokens,
      batches: batches.length,
      conversations,
    });
    return { ...counts, engine: "prompt", report, resumed: 0 };
  }
  const model = input.no_model ? undefined : modelFrom(dex.settings, { vars: dex.vars });
  const { run, path, report, resumed, usage } = await runWorkflow(workflow, {
    folder: dex.paths.workflows,
    asked,
    batches,
    load: (row, from, to) => unlessDamaged(dex, () => loadMessages(dex, row, from, to), []),
    model,
    restart: input.restart,
    ...(context.progress ? { progress: context.progress } : {}),
  });
  context.notice?.(`The report is saved as ${path}.`);
  return {
    ...counts,
    engine: model ? "model" : "extractive",
    ...(model ? { model: model.name, usage } : {}),
    report,
    run,
    path,
    resumed,
  };
}
