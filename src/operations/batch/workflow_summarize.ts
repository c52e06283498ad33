/** `dex workflow summarize`: a report of the work of a period. */
import * as z from "zod";
import { defined } from "../../kernel/defined.ts";
import { parseDate } from "../../kernel/time.ts";
import { parsePeriod, spanText } from "../../workflows/period.ts";
import { summarize } from "../../workflows/reports/summarize.ts";
import { defineOperation } from "../operation.ts";
import { filterFields } from "../shared/fields.ts";
import { runSelection, selectConversations, workflowFields, workflowOutput } from "./workflows.ts";

export const workflowSummarize = defineOperation({
  name: "dex_workflow_summarize",
  verb: "workflow summarize",
  summary: "Summarize the work of a period by project and conversation, with references",
  positionals: [],
  input: z.strictObject({
    period: z
      .string()
      .default("week")
      .describe("today, yesterday, week, month, year, all, 3d, 2026-01-31 (that day), 2026-01, or A..B"),
    ...filterFields,
    max_tokens: z
      .int("must be a whole number")
      .min(200, "must be 200 or more")
      .max(1_000_000, "must be at most 1,000,000")
      .default(8000)
      .describe("Maximum tokens of the report"),
    ...workflowFields,
  }),
  output: workflowOutput,
  readOnly: false,
  idempotent: true,
  syncBefore: "conversations",
  run: (dex, input, context) => {
    const { project, source, from, to, period } = input;
    const given = from !== undefined || to !== undefined;
    const now = dex.now();
    const at = (typed: string | undefined, edge: "start" | "end"): number | undefined =>
      typed === undefined ? undefined : Date.parse(parseDate(typed, edge, new Date(now)));
    const span = given ? defined({ from: at(from, "start"), to: at(to, "end") }) : parsePeriod(period, now);
    const moments = defined({ from: moment(span.from), to: moment(span.to) });
    const filter = defined({ project, source, ...(given ? { from, to } : moments) });
    const name = given ? [from, to].filter(Boolean).join(" to ") : period.trim();
    const limit = String(input.max_tokens);
    const asked = defined({ period: name, project: project ?? "", source: source ?? "", max_tokens: limit });
    const selection = selectConversations(dex, filter, input.tokens, context);
    return runSelection(dex, summarize(spanText(span), input.max_tokens), asked, selection, input, context);
  },
  isEmpty: (output) => output.conversations === 0,
});

function moment(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
