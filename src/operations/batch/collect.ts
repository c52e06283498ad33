import { resolve } from "node:path";
import * as z from "zod";
import { DexError } from "../../kernel/errors.ts";
import { mergeItems } from "../../workflows/batches/merge.ts";
import { readResults } from "../../workflows/batches/results.ts";
import { defineOperation } from "../operation.ts";
import { limitField } from "../shared/fields.ts";

/** Files that were not read are named up to this number, and counted. */
const SHOWN_PROBLEMS = 100;

/** Not a tool for agents over MCP: it reads the files it is told to. */
export const batchCollect = defineOperation({
  name: "dex_batch_collect",
  verb: "batch collect",
  summary: "Merge the JSON results that workers wrote: duplicates become one, with counts and sources",
  positionals: ["paths"],
  input: z.strictObject({
    paths: z
      .array(z.string())
      .min(1, "needs at least one path")
      .max(10_000)
      .describe("Result files, or folders of them"),
    key: z.string().optional().describe("Fields that tell items apart, with commas; default: their text, normalised"),
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
  run: (dex, input) => {
    const results = readResults(input.paths.map((path) => resolve(dex.cwd, path)));
    if (results.files === 0 && results.problems.length > 0) {
      const [first] = results.problems;
      throw new DexError("no_results", `${first?.file} ${first?.problem}, and no other file has results.`, {
        hint: "Name the files or the folder that the workers wrote: JSON arrays, JSON Lines, or objects with `items`.",
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
      problems: results.problems.slice(0, SHOWN_PROBLEMS),
      total_problems: results.problems.length,
    };
  },
  isEmpty: (output) => output.total === 0,
});
