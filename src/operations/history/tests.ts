/** `dex tests`: the latest test results of a project, imported or read from test runs in conversations. */
import * as z from "zod";
import { codeGraph } from "../../project/code.ts";
import { withRepository } from "../../project/repository.ts";
import { importReport, testsOf } from "../../project/tests/tests.ts";
import { defineOperation } from "../operation.ts";
import { limitField, projectFolderField } from "../shared/fields.ts";
import { TEST_STATUSES, testOutput } from "./fields.ts";

export const testsImport = defineOperation({
  name: "dex_tests_import",
  verb: "tests import",
  summary: "Import test results: JUnit XML, TAP, or the output of a test runner",
  positionals: ["file"],
  input: z.strictObject({ file: z.string().max(4096).describe("The report"), project: projectFolderField }),
  output: z.object({
    runner: z.string(),
    tests: z.number(),
    failed: z.number(),
    passed: z.number(),
    skipped: z.number(),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input, context) => {
    const { runner, outcomes } = await importReport(dex, input, context);
    const count = (status: string): number =>
      outcomes.filter((each) => each.name !== null && each.status === status).length;
    const counts = { failed: count("failed"), passed: count("passed"), skipped: count("skipped") };
    return { runner, tests: outcomes.filter(({ name }) => name !== null).length, ...counts };
  },
});

export const testsList = defineOperation({
  name: "dex_tests_list",
  verb: "tests list",
  summary:
    "List the latest test results, imported or from runs in conversations; only tests that fail today by default",
  positionals: [],
  input: z.strictObject({
    status: z
      .enum(TEST_STATUSES)
      .default("failed")
      .describe("Only tests with this result; unknown: failed, and something changed since"),
    file: z.string().max(4096).optional().describe("Part of the test file's path, or of the test's name"),
    project: projectFolderField,
    limit: limitField(50),
  }),
  output: z.object({
    tests: z.array(testOutput),
    total: z.number(),
    status: z.enum(TEST_STATUSES).describe("The result asked for"),
    known: z.record(z.enum(TEST_STATUSES), z.number()).describe("How many tests have each result, of those asked for"),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  run: (dex, input, context) =>
    withRepository(dex, input.project, context, async (open) => {
      const all = await testsOf(dex, open, await codeGraph(dex, open.repository, context), context);
      const named = all.filter(
        ({ file, name }) => input.file === undefined || `${file ?? ""} ${name}`.includes(input.file),
      );
      const having = (result: string) => named.filter(({ status }) => status === result);
      const wanted = having(input.status);
      const known = { failed: 0, passed: 0, skipped: 0, unknown: 0 };
      for (const status of TEST_STATUSES) known[status] = having(status).length;
      return { tests: wanted.slice(0, input.limit), total: wanted.length, status: input.status, known };
    }),
  isEmpty: (output) => output.tests.length === 0,
});
