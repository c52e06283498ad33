/** `dex warnings`: failing tests, probably forgotten co-changes and deprecated code in use. */
import * as z from "zod";
import { coChangeGaps, workingChanges } from "../../history/cochange/gaps.ts";
import { codeGraph } from "../../project/code.ts";
import { deprecatedOf } from "../../project/deprecations/cached.ts";
import { resolveFile, withRepository } from "../../project/repository.ts";
import { testsOf } from "../../project/tests/tests.ts";
import { defineOperation } from "../operation.ts";
import { limitField, projectFolderField } from "../shared/fields.ts";
import { testOutput } from "./fields.ts";

/** Files listed for one deprecation. */
const MAX_USERS = 10;

const deprecation = z.object({
  symbol: z.string(),
  file: z.string(),
  line: z.number(),
  message: z.string(),
  /** Other files that use it. */
  named_in: z.array(z.string()),
  named_in_total: z.number(),
  /** `code`: by the calls and imports of the code graph. `text`: by imports and names in the text. */
  told_by: z.enum(["code", "text"]),
});

export const warnings = defineOperation({
  name: "dex_warnings",
  verb: "warnings",
  summary:
    "List warnings: failing tests, files that usually change with your uncommitted changes, deprecated code in use",
  positionals: [],
  input: z.strictObject({
    file: z.string().max(4096).optional().describe("Only about this file"),
    project: projectFolderField,
    limit: limitField(20),
  }),
  output: z.object({
    failing_tests: z.array(testOutput),
    /** Unchanged files that usually change together with one of the changed files. */
    missing_changes: z.array(
      z.object({ file: z.string(), missing: z.string(), support: z.number(), confidence: z.number() }),
    ),
    deprecations: z.array(deprecation),
    totals: z.object({ failing_tests: z.number(), missing_changes: z.number(), deprecations: z.number() }),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  toolset: "code",
  run: (dex, input, context) =>
    withRepository(dex, input.project, context, async (open) => {
      const file = input.file === undefined ? undefined : resolveFile(open, input.file);
      const about = (...files: (string | null)[]): boolean => file === undefined || files.includes(file);
      const graph = await codeGraph(dex, open.repository, context);
      const tests = (await testsOf(dex, open, graph, context)).filter(
        (each) => each.status === "failed" && about(each.file),
      );
      const changed = await workingChanges(open.repository);
      const gaps = coChangeGaps(open.repository, open.history, changed).filter((gap) => about(gap.file, gap.missing));
      const deprecated = (await deprecatedOf(dex, open, graph)).filter((each) => about(each.file, ...each.users));
      return {
        failing_tests: tests.slice(0, input.limit),
        missing_changes: gaps
          .slice(0, input.limit)
          .map((gap) => ({ ...gap, confidence: Math.round(gap.confidence * 100) / 100 })),
        deprecations: deprecated.slice(0, input.limit).map(({ symbol, file: path, line, message, users, sure }) => ({
          symbol,
          file: path,
          line,
          message,
          named_in: users.slice(0, MAX_USERS),
          named_in_total: users.length,
          told_by: sure ? ("code" as const) : ("text" as const),
        })),
        totals: {
          failing_tests: tests.length,
          missing_changes: gaps.length,
          deprecations: deprecated.length,
        },
      };
    }),
  isEmpty: ({ totals }) => totals.failing_tests + totals.missing_changes + totals.deprecations === 0,
});
