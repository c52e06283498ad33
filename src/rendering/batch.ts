/** Renders batch plans, collected results and the reports of workflows. */
import type * as z from "zod";
import { asObject } from "../kernel/json.ts";
import { plural } from "../kernel/text.ts";
import type { batchCollect } from "../operations/batch/collect.ts";
import type { batchPlan } from "../operations/batch/plan.ts";
import type { workflowOutput } from "../operations/batch/workflows.ts";
import { cleanLine, cleanText } from "../text/clean.ts";
import { textOf } from "../workflows/batches/merge.ts";
import { paint, type Terminal, tokens } from "./terminal/terminal.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;
type Part = NonNullable<Output<typeof batchPlan>["batches"][number]["parts"]>[number];

function renderPlan(output: Output<typeof batchPlan>, terminal: Terminal): string {
  if (output.total_batches === 0) return "No conversation matches.";
  const blocks = output.batches.map(({ batch, tokens: size, ids, parts = [] }) => {
    const head = paint(terminal, "bold", `batch ${batch}: ${tokens(size)}`);
    const read = ids.length > 0 ? [`  ${paint(terminal, "cyan", ids.join(" "))}`] : [];
    return [head, ...read, ...parts.map((part) => `  ${partLine(part, output.format)}`)].join("\n");
  });
  const sum = `${plural(output.total_batches, "batch", "batches")} of at most ${tokens(output.max_tokens)}, ${plural(output.conversations, "conversation")}, ${tokens(output.total_tokens)} as ${output.format}; plan ${output.plan}`;
  return [...blocks, paint(terminal, "dim", sum)].join("\n");
}

/** The command that reads the part. */
function partLine({ id, expand, address, chars, tokens: size }: Part, format: string): string {
  const what = expand
    ? `dex show ${id} --format ${format} --expand ${expand.message_index} --before 0 --after ${expand.after}`
    : `dex message ${address} --format ${format} --chars ${chars}`;
  return `${what}  (${tokens(size)})`;
}

const MAX_SOURCES_PER_ITEM = 8;

function renderCollect(output: Output<typeof batchCollect>, terminal: Terminal): string {
  const lines = output.items.map(({ item, count, sources }) => {
    const text = cleanLine(textOf(asObject(item)) ?? JSON.stringify(item));
    const more = sources.length > MAX_SOURCES_PER_ITEM ? ` and ${sources.length - MAX_SOURCES_PER_ITEM} more` : "";
    const from = sources.length > 0 ? ` (${cleanText(sources.slice(0, MAX_SOURCES_PER_ITEM).join(", "))}${more})` : "";
    return `${String(count).padStart(4)}× ${text}${paint(terminal, "dim", from)}`;
  });
  const shown = output.items.length < output.total ? `${output.items.length} of ` : "";
  lines.push(
    paint(
      terminal,
      "dim",
      `${shown}${plural(output.total, "item")} from ${plural(output.found, "result")} in ${plural(output.files, "file")}`,
    ),
  );
  for (const { file, problem } of output.problems) lines.push(paint(terminal, "yellow", `${file}: ${problem}`));
  const hidden = output.total_problems - output.problems.length;
  if (hidden > 0) lines.push(paint(terminal, "yellow", `… and ${plural(hidden, "more problem")}`));
  return lines.join("\n");
}

/** Workflows write Markdown, which is printed as it is. */
function renderWorkflow(output: z.output<typeof workflowOutput>): string {
  return cleanText(output.report).trimEnd();
}

export const BATCH_RENDERERS = {
  "batch plan": renderPlan,
  "batch collect": renderCollect,
  "workflow summarize": renderWorkflow,
  "workflow extract-rules": renderWorkflow,
  "workflow preferences": renderWorkflow,
};
