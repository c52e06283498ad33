/** `dex batch collect`: merges the results that workers wrote for a batch plan. */
import { resolve } from "node:path";
import * as z from "zod";
import { DexError } from "../../kernel/errors.ts";
import { mergeItems } from "../../workflows/batches/merge.ts";
import { readResults } from "../../workflows/batches/results.ts";
import { defineOperation } from "../operation.ts";
import { limitField } from "../shared/fields.ts";

/** Further problems are only counted. */
const MAX_SHOWN_PROBLEMS = 100;

/** Not an MCP tool, because it reads any file it is given. */
export const batchCollect = defineOperation({
  name: "dex_batch_collect",
  verb: "batch collect",
  summary: "Merge the JSON results of workers; duplicates become one item with a count and sources",
  positionals: ["paths"],
  input: z.strictObject({
    paths: z
      .array(z.string())
      .min(1, "needs at least one path")
      .max(10_000)
      .describe("Result files, or folders of them"),
    key: z
      .string()
      .optional()
      .describe("Fields that identify an item, separated by commas (default: its normalised text)"),
    limit: limitField(1000),
  }),
  output: z.object({
    items: z.array(
      z.object({
        item: z.record(z.string(), z.unknown()),
        count: z.number(),
        sources: z.array(z.string()),
        files: z.array(z.string()),
      }),
    ),
    total: z.number(),
    found: z.number(),
    files: z.number(),
    problems: z.array(z.object({ file: z.string(), problem: z.string() })),
    total_problems: z.number(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  web: false,
  run: (dex, input) => {
    const results = readResults(input.paths.map((path) => resolve(dex.cwd, path)));
    if (results.files === 0 && results.problems.length > 0) {
      const [first] = results.problems;
      throw new DexError("no_results", `No file has results: ${first?.file} ${first?.problem}.`, {
        hint: "Name the files or the folder the workers wrote: JSON arrays, JSON Lines, or objects with `items`.",
      });
    }
    const keys = (input.key ?? "")
      .split(",")
      .map((key) => key.trim())
      .filter(Boolean);
    const merged = mergeItems(results.items, keys);
    return {
      items: merged
        .slice(0, input.limit)
        .map(({ item, count, sources, from }) => ({ item, count, sources, files: from })),
      total: merged.length,
      found: results.items.length,
      files: results.files,
      problems: results.problems.slice(0, MAX_SHOWN_PROBLEMS),
      total_problems: results.problems.length,
    };
  },
  isEmpty: (output) => output.total === 0,
});
