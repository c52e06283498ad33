/** `dex ask`: answers a question from indexed sources, with or without a model. */
import * as z from "zod";
import { ASK_IN } from "../../ask/finding/places.ts";
import { ANSWER_TOKENS, askIn, askOutput, versionsAskedFor } from "../../ask/sources.ts";
import { choiceNotices } from "../../collections/library.ts";
import { collectionsField } from "../docs/fields.ts";
import { defineOperation, SYNC_BEFORE } from "../operation.ts";
import { askTools } from "./tools/registry.ts";

export const askFields = {
  query: z.string().trim().min(1).max(20_000).describe("The question. Be specific about what you need to know"),
  use_case: z
    .string()
    .max(20_000)
    .describe(
      'The purpose of the answer, which decides how much detail it needs: "implementing login in an Express app"',
    ),
  collections: collectionsField,
};

export const ask = defineOperation({
  name: "ask_documents",
  verb: "ask",
  summary: "Answer a question from documentation, conversations or code, with checked sources",
  positionals: ["query"],
  input: z.strictObject({
    ...askFields,
    use_case: askFields.use_case.default(""),
    no_global: z.boolean().default(false).describe("Only collections of this project"),
    in: z
      .enum(ASK_IN)
      .optional()
      .describe("Where to look (default: the declared collections; if there are none, everything about the project)"),
    model: z.string().min(1).max(200).optional().describe("Overrides the configured model"),
    temperature: z.number().min(0).max(2).optional().describe("Overrides the configured temperature"),
    no_model: z.boolean().default(false).describe("Quote the sources, without the configured model"),
    max_tokens: z
      .int("must be a whole number")
      .min(50, "must be 50 at least")
      .max(20_000)
      .default(ANSWER_TOKENS)
      .describe("Maximum tokens of a quoted answer"),
  }),
  output: askOutput,
  readOnly: true,
  idempotent: true,
  syncBefore: "all",
  syncBeforeFor: (input) => SYNC_BEFORE[input.in ?? "all"],
  documentsFirst: (input) => input.in === undefined,
  traced: true,
  waits: true,
  run: async (dex, input, context) => {
    const answer = await askIn(
      dex,
      { query: input.query, useCase: input.use_case },
      {
        in: input.in,
        collections: input.collections,
        noGlobal: input.no_global,
        noModel: input.no_model,
        maxTokens: input.max_tokens,
        tools: askTools,
        model: input.model,
        temperature: input.temperature,
        signal: context.signal,
        progress: context.progress,
        stale: context.stale === true,
        onStep: context.step,
      },
    );
    context.trace?.({
      inputs: { tool_calls: answer.usage.tool_calls, tokens: answer.usage.tokens_read },
      ranking: answer.sources.map(({ collection, document, section }) => ({
        id: `${collection}:${document}${section ? `#${section}` : ""}`,
        source: collection,
      })),
      budgets: { max_tokens: input.max_tokens },
    });
    const used = answer.sources.map(({ collection }) => collection);
    const library = await dex.library();
    const named = await versionsAskedFor(library, input.query);
    const wanted = [...input.collections, ...(named?.collections ?? [])];
    for (const notice of choiceNotices(library, wanted, used)) context.notice?.(notice);
    return answer;
  },
  isEmpty: ({ sources }) => sources.length === 0,
});
