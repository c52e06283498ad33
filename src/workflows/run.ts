/** Runs a workflow: stores the result of each batch when it is done, then writes the report. */
import { createHash } from "node:crypto";
import { DexError } from "../kernel/errors.ts";
import { plural } from "../kernel/text.ts";
import type { Model, Usage } from "../llm/model.ts";
import { add, askModel } from "./ask.ts";
import { RunState } from "./state.ts";
import type { BatchPassage, BatchResult, LoadMessages, Workflow } from "./workflow.ts";

/** Raised when answers change their meaning, so that dex does not reuse older results. */
const VERSION = 3;

export interface RunOptions {
  /** The folder of all runs. */
  folder: string;
  /** The request, which is part of the run's identity. */
  asked: Readonly<Record<string, string>>;
  batches: readonly (readonly BatchPassage[])[];
  load: LoadMessages;
  model: Model | undefined;
  /** Repeats all batches, also those that are done. */
  restart: boolean;
  progress?(done: number, total: number, label: string): void;
}

export interface RunOutcome {
  run: string;
  path: string;
  report: string;
  results: BatchResult[];
  /** Batches whose results were reused. */
  resumed: number;
  /** Usage of the batches that were run now. */
  usage: Usage;
}

export async function runWorkflow(workflow: Workflow, options: RunOptions): Promise<RunOutcome> {
  const { batches, model, restart } = options;
  const keys = batches.map((batch) => batchKey(workflow, options, batch));
  const run = `${workflow.name}-${hashOf([workflow.name, JSON.stringify(options.asked), ...keys]).slice(0, 12)}`;
  const state = new RunState(options.folder, run);
  state.begin({ workflow: workflow.name, asked: options.asked, model: model?.name ?? null, batches: keys }, restart);
  const results: BatchResult[] = [];
  const usage: Usage = { input: 0, output: 0 };
  let resumed = 0;
  for (const [i, batch] of batches.entries()) {
    const label = `batch ${i + 1} of ${batches.length}`;
    options.progress?.(i, batches.length, label);
    const key = keys[i] ?? "";
    const before = state.done(key, restart);
    if (before) resumed += 1;
    const result = before ?? (await doBatch(workflow, batch, options, i, label));
    if (!before) {
      state.save(key, result);
      if (result.usage) add(usage, result.usage);
    }
    results.push(result);
  }
  options.progress?.(batches.length, batches.length, "writing the report");
  const report = `# ${workflow.title}\n\n${workflow.report(results).trimEnd()}\n\n${footer(results, model)}\n`;
  return { run, path: state.saveReport(report), report, results, resumed, usage };
}

async function doBatch(
  workflow: Workflow,
  batch: readonly BatchPassage[],
  { model, load, batches, progress }: RunOptions,
  done: number,
  label: string,
): Promise<BatchResult> {
  const extracted = batch.map((passage) => workflow.extract(passage, load));
  const facts = extracted.flatMap((each) => each.facts ?? []);
  const own: BatchResult = {
    engine: "extractive",
    facts,
    findings: extracted.flatMap((each) => each.findings ?? []),
    dropped: { refs: 0, findings: 0 },
  };
  if (!model) return own;
  try {
    const onRetry = (reason: string): void => progress?.(done, batches.length, `${label}, again: ${reason}`);
    const { findings, dropped, usage } = await askModel(model, workflow, batch, load, onRetry);
    if (findings) return { engine: "model", facts, findings, dropped, usage };
    return {
      ...own,
      usage,
      note: `${model.name} gave no usable answer for ${label}; dex compiled it without a model.`,
    };
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    const kept = done === 0 ? "" : ` ${plural(done, "batch", "batches")} of ${batches.length} are done and stored.`;
    throw new DexError(error.code, `${error.message}${kept}`, {
      hint: `${error.hint ?? ""} Run the same command again to continue.`.trim(),
      cause: error,
    });
  }
}

function batchKey(workflow: Workflow, { asked, model }: RunOptions, batch: readonly BatchPassage[]): string {
  const passages = batch.map(({ row, first, last, chars, maxTokens }) =>
    [row.source, row.id, row.messages, row.tokens, first, last, chars?.from, chars?.to, maxTokens].join(" "),
  );
  const engine = model ? `${model.provider} ${model.name}` : "extractive";
  return hashOf([`v${VERSION}`, workflow.name, asked.topic ?? "", engine, ...passages]).slice(0, 16);
}

function hashOf(parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
}

/** States how the report was made, with or without a model. */
function footer(results: readonly BatchResult[], model: Model | undefined): string {
  const notes = results.flatMap(({ note }) => note ?? []);
  const by = model ? `Written by ${model.name}` : "Compiled without a model";
  const lines = [`${by}; ${plural(results.length, "batch", "batches")}.`, ...notes];
  const refs = results.reduce((sum, { dropped }) => sum + dropped.refs, 0);
  const findings = results.reduce((sum, { dropped }) => sum + dropped.findings, 0);
  if (refs > 0) {
    lines.push(
      `${plural(refs, "reference")} to messages that were not read ${refs === 1 ? "was" : "were"} dropped, and ${plural(findings, "finding")} with no other.`,
    );
  }
  return `---\n${lines.join("\n")}`;
}
