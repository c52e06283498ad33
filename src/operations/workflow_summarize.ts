import * as z from "zod";
import { summarize } from "../agent/workflows/summarize.ts";
import { defined } from "../kernel/defined.ts";
import { type FilterInput, filterFields } from "./fields.ts";
import { defineOperation } from "./operation.ts";
import { runSelection, selectConversations, workflowFields, workflowOutput } from "./workflows.ts";

/** Periods by name; any other is a date or a span as `--from` takes it. */
const PERIODS: Readonly<Record<string, Pick<FilterInput, "from" | "to">>> = {
  today: { from: "today" },
  yesterday: { from: "yesterday", to: "yesterday" },
  week: { from: "7d" },
  month: { from: "30d" },
  year: { from: "1y" },
  all: {},
};

export const workflowSummarize = defineOperation({
  name: "dex_workflow_summarize",
  verb: "workflow summarize",
  summary: "What was done in a stretch of time, by project and conversation, with references",
  positionals: [],
  input: z.strictObject({
    period: z.string().default("week").describe("today, yesterday, week, month, year, all, or 3d, 2w, 2026-01-31"),
    ...filterFields,
    ...workflowFields,
  }),
  output: workflowOutput,
  readOnly: false,
  idempotent: true,
  fresh: true,
  run: (dex, input, context) => {
    const { project, source, from, to, period } = input;
    const given = from !== undefined || to !== undefined;
    const span = given ? { from, to } : (PERIODS[period.trim().toLowerCase()] ?? { from: period });
    const filter = defined({ project, source, ...span });
    const name = given ? [from, to].filter(Boolean).join(" to ") : period.trim();
    const asked = defined({ period: name, project: project ?? "", source: source ?? "" });
    const selection = selectConversations(dex, filter, input.tokens, context);
    return runSelection(dex, summarize(name), asked, selection, input, context);
  },
  isEmpty: (output) => output.conversations === 0,
});
