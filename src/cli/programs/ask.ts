import * as z from "zod";
import { ask as operation } from "../../operations/ask/ask.ts";
import { defineProgram } from "../command.ts";
import { jsonField } from "./fields.ts";

const { query, use_case, ...fields } = operation.input.shape;

export const ask = defineProgram({
  verb: operation.verb,
  summary: "Answer a question from documentation, conversations or code, with checked sources",
  about:
    "Looks the answer up in the documentation that you added, else in the project's own documents, code and conversations, or where --in says, " +
    "and returns it with its sources. Without a configured model the answer is quoted from them. Without a question, or with -i, you can ask one question after the other. " +
    "`dex ask test` runs a suite.",
  positionals: ["query"],
  input: z.strictObject({
    ...fields,
    query: z.string().optional().describe("The question"),
    use_case: z.string().optional().describe("What the answer is for; asked for at a terminal"),
    interactive: z.boolean().default(false).describe("Ask several questions; /help shows its commands"),
    verbose: z.boolean().default(false).describe("Show each step as it happens"),
    json: jsonField,
    no_sync: z.boolean().default(false).describe("Do not sync first"),
  }),
  run: async (input) => (await import("../ask/ask.ts")).startAsk(input),
});
