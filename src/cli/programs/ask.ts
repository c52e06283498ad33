import * as z from "zod";
import { ask as operation } from "../../operations/ask/ask.ts";
import { defineProgram } from "../command.ts";
import { jsonField } from "./fields.ts";

const { query, use_case, ...fields } = operation.input.shape;

export const ask = defineProgram({
  verb: operation.verb,
  summary: "Answer a question from documentation, conversations or code, with checked sources",
  about:
    "Answers from the documentation that you added or, if there is none, from the project's own documents, code and " +
    "conversations, and names its sources; --in chooses where to look. Without a configured model, dex quotes the " +
    "sources. Without a question, or with -i, you can ask several questions in a row. `dex ask test` runs a suite of " +
    "questions.",
  positionals: ["query"],
  input: z.strictObject({
    ...fields,
    query: z.string().optional().describe("The question"),
    use_case: z
      .string()
      .optional()
      .describe("The purpose of the answer (default: dex asks for it at a terminal, if a model answers)"),
    interactive: z.boolean().default(false).describe("Ask several questions; /help shows its commands"),
    verbose: z.boolean().default(false).describe("Show each step as it happens"),
    json: jsonField,
    no_sync: z.boolean().default(false).describe("Do not sync first"),
  }),
  run: async (input) => (await import("../ask/ask.ts")).startAsk(input),
});
