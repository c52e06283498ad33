/** `dex workflow extract-rules`: the instructions and corrections you gave your agents. */
import * as z from "zod";
import { defined } from "../../kernel/defined.ts";
import { extractRules } from "../../workflows/reports/rules.ts";
import { defineOperation } from "../operation.ts";
import { filterFields } from "../shared/fields.ts";
import { runSelection, selectConversations, workflowFields, workflowOutput } from "./workflows.ts";

export const workflowRules = defineOperation({
  name: "dex_workflow_extract_rules",
  verb: "workflow extract-rules",
  summary: "Extract the standing instructions and corrections you gave your agents, with references",
  positionals: [],
  input: z.strictObject({ ...filterFields, ...workflowFields }),
  output: workflowOutput,
  readOnly: false,
  idempotent: true,
  syncBefore: "conversations",
  run: (dex, input, context) => {
    const { project, source, from, to } = input;
    const selection = selectConversations(dex, defined({ project, source, from, to }), input.tokens, context);
    const asked = { project: project ?? "", source: source ?? "" };
    return runSelection(dex, extractRules(), asked, selection, input, context);
  },
  isEmpty: (output) => output.conversations === 0,
});
