/** `dex ask test`: runs a suite of questions and checks the answers. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { CONFIDENCES } from "../../ask/answer.ts";
import { checkTest, readSuite } from "../../ask/checking/suite.ts";
import { ANSWER_TOKENS, askIn, modelOf } from "../../ask/sources.ts";
import { unknownName } from "../../kernel/did_you_mean.ts";
import { DexError, systemCode } from "../../kernel/errors.ts";
import { collectionsField } from "../docs/fields.ts";
import { defineOperation } from "../operation.ts";
import { askTools } from "./tools/registry.ts";

const check = z.object({
  kind: z.enum(["keywords", "sources", "forbidden", "confidence", "judge"]),
  passed: z.boolean(),
  detail: z.string(),
});

export const askTest = defineOperation({
  name: "ask_test",
  verb: "ask test",
  summary: "Ask the questions of a suite and check the answers; exit status 1 when one fails",
  positionals: ["suite"],
  input: z.strictObject({
    suite: z.string().min(1).describe("A YAML file: name, tests with id, query, use_case, keywords, sources, expected"),
    only: z.array(z.string()).default([]).describe("Only the tests with these ids"),
    collections: collectionsField,
    no_global: z.boolean().default(false).describe("Only collections of this project"),
    no_model: z.boolean().default(false).describe("Quote the sources, without the configured model"),
    model: z.string().min(1).max(200).optional().describe("Overrides the configured model"),
    judge: z.boolean().default(false).describe("Let the model judge whether answers match the expected ones"),
  }),
  output: z.object({
    suite: z.string(),
    engine: z.enum(["model", "extractive"]),
    model: z.string().optional(),
    passed: z.number(),
    failed: z.number(),
    tests: z.array(
      z.object({
        id: z.string(),
        passed: z.boolean(),
        checks: z.array(check),
        confidence: z.enum(CONFIDENCES).optional(),
        tool_calls: z.number().optional(),
        tokens: z.number().optional(),
        error: z.string().optional(),
      }),
    ),
    usage: z.object({ tool_calls: z.number(), input: z.number(), output: z.number(), cost: z.number().optional() }),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "documents",
  web: false,
  run: async (dex, input, context) => {
    const path = resolve(dex.cwd, input.suite);
    const suite = await readSuite(readText(path), path);
    const chosen = input.only.length === 0 ? suite.tests : suite.tests.filter(({ id }) => input.only.includes(id));
    const unknown = input.only.find((id) => !suite.tests.some((test) => test.id === id));
    if (unknown !== undefined) {
      const names = suite.tests.map(({ id }) => id);
      const hint = `Its tests are ${names.join(", ")}.`;
      throw unknownName({
        code: "unknown_test",
        sentence: `${path} has no test "${unknown}".`,
        typed: unknown,
        names,
        hint,
      });
    }
    const model = modelOf(dex, {
      noModel: input.no_model,
      ...(input.model === undefined ? {} : { model: input.model }),
    });
    if (input.judge && !model) {
      throw new DexError("no_model", "No model is configured to judge the answers.", {
        hint: "Set llm.provider and llm.model with `dex config set`, or omit --judge.",
      });
    }
    const collections = input.collections.length > 0 ? input.collections : suite.collections;
    const usage: { tool_calls: number; input: number; output: number; cost?: number } = {
      tool_calls: 0,
      input: 0,
      output: 0,
    };
    const tests = [];
    for (const [i, test] of chosen.entries()) {
      context.progress?.(i, chosen.length, test.id);
      try {
        const question = { query: test.query, useCase: test.use_case };
        const answer = await askIn(dex, question, {
          in: "documents",
          collections,
          noGlobal: input.no_global,
          noModel: input.no_model,
          maxTokens: ANSWER_TOKENS,
          tools: askTools,
          ...(input.model === undefined ? {} : { model: input.model }),
        });
        const checks = await checkTest(test, answer, input.judge ? model : undefined);
        usage.tool_calls += answer.usage.tool_calls;
        usage.input += answer.usage.input ?? 0;
        usage.output += answer.usage.output ?? 0;
        if (answer.usage.cost !== undefined) usage.cost = (usage.cost ?? 0) + answer.usage.cost;
        const { confidence } = answer;
        const { tool_calls, tokens_returned: tokens } = answer.usage;
        tests.push({
          id: test.id,
          passed: checks.every(({ passed }) => passed),
          checks,
          confidence,
          tool_calls,
          tokens,
        });
      } catch (error) {
        // A question that cannot be answered must not stop the others.
        if (!(error instanceof DexError)) throw error;
        tests.push({ id: test.id, passed: false, checks: [], error: error.message });
      }
    }
    const passed = tests.filter((test) => test.passed).length;
    return {
      suite: suite.name,
      engine: model ? ("model" as const) : ("extractive" as const),
      ...(model ? { model: model.name } : {}),
      passed,
      failed: tests.length - passed,
      tests,
      usage,
    };
  },
  isEmpty: ({ failed }) => failed > 0,
});

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (!code) throw error;
    const why = code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a folder" : `cannot be read (${code})`;
    throw new DexError("unreadable_file", `${path} ${why}.`, { hint: "Name a suite: a YAML file.", cause: error });
  }
}
