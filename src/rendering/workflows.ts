/** Workflows write Markdown: it is printed as it is. */

import type * as z from "zod";
import type { workflowOutput } from "../operations/batch/workflows.ts";
import { cleanText } from "../text/clean.ts";

function renderWorkflow(output: z.output<typeof workflowOutput>): string {
  return cleanText(output.report).trimEnd();
}

export const WORKFLOW_RENDERERS = {
  "workflow summarize": renderWorkflow,
  "workflow extract-rules": renderWorkflow,
  "workflow preferences": renderWorkflow,
};
