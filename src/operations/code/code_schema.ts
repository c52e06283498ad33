/** The input and the output of `dex code`. */
import * as z from "zod";
import { projectFolderField } from "../shared/fields.ts";
import { mention } from "../shared/mention.ts";
import { breakRow, changedRow, place, resultRow, symbolRow, testFileRow } from "./rows.ts";

const ACTIONS = [
  "symbol",
  "callers",
  "callees",
  "references",
  "implementations",
  "imports",
  "importers",
  "tests",
  "impact",
  "related",
  "map",
] as const;
export type CodeAction = (typeof ACTIONS)[number];

export const codeInput = z.strictObject({
  action: z.enum(ACTIONS).describe("The question"),
  target: z
    .string()
    .max(1000)
    .optional()
    .describe(
      "A name, Class.method, file, file:line or file#name; for map, a file or folder as its focus; with diff, a commit range",
    ),
  diff: z
    .boolean()
    .default(false)
    .describe("With impact: of the uncommitted changes, or of a commit range (main..HEAD) named as the target"),
  project: projectFolderField,
  mentions: z.boolean().default(false).describe("With symbol: also conversations that mention it"),
  max_tokens: z.int("must be a whole number").min(50).max(1_000_000).default(2000).describe("Maximum tokens to return"),
});

export const codeOutput = z.object({
  action: z.enum(ACTIONS),
  project: z.string(),
  symbols: z.array(symbolRow),
  /** With symbol: the number of definitions, including those that are not shown. */
  symbols_total: z.number().optional(),
  results: z.array(resultRow),
  /** The number of results, including those that are not shown. */
  total: z.number(),
  /** Calls that may refer to this symbol or to another: counted, not shown. */
  ambiguous: z.number(),
  /** Imports of external packages, and of files that do not exist. */
  external: z.array(z.string()).optional(),
  missing: z.array(z.string()).optional(),
  /** With references: the number of lines. */
  places: z.number().optional(),
  /**
   * With `diff`: the changed symbols, the deleted ones that others still name, and the test files to run. With `tests`,
   * if there are none: test files that probably test the target.
   */
  changed: z.array(changedRow).optional(),
  changed_total: z.number().optional(),
  may_break: z.array(breakRow).optional(),
  tests: z.array(testFileRow).optional(),
  tests_total: z.number().optional(),
  /**
   * Lines with the name that no relation covers, and how many there are: with references all, with callers those that
   * look like calls, or all if there are no callers. The graph may miss uses.
   */
  mentioned: z.array(place).optional(),
  mentioned_total: z.number().optional(),
  map: z.string().optional(),
  mentions: z.array(mention).optional(),
  tokens: z.number(),
});
