/** `dex code files`: the files of a project with their size and how often they change. */
import * as z from "zod";
import { compareText } from "../../kernel/text.ts";
import { projectChurn } from "../../project/code_history.ts";
import { defineOperation } from "../operation.ts";
import { limitField, offsetField, projectFolderField } from "../shared/fields.ts";
import { openChosenProject } from "./chosen_project.ts";

export const codeFiles = defineOperation({
  name: "dex_code_files",
  verb: "code files",
  summary: "List the files of a project with their lines and how often commits changed them",
  positionals: [],
  input: z.strictObject({
    project: projectFolderField,
    by: z
      .enum(["path", "lines", "commits"])
      .default("path")
      .describe("Sort by this; lines and commits: the largest first"),
    limit: limitField(1000),
    offset: offsetField,
  }),
  output: z.object({
    project: z.string(),
    files: z.array(
      z.object({
        path: z.string(),
        language: z.string(),
        lines: z.number(),
        test: z.boolean(),
        /** Commits that changed it, under any of its names, and the lines they added and deleted. */
        commits: z.number(),
        added: z.number(),
        deleted: z.number(),
        /** The time of the latest of them. */
        changed: z.string().nullable(),
      }),
    ),
    total: z.number(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input, context) => {
    const { project, store } = await openChosenProject(dex, input.project, context);
    const churn = await projectChurn(dex, project.root, context);
    const files = store.files().map(({ path, language, lines, test }) => {
      const { commits, added, deleted, last } = churn.get(path) ?? { commits: 0, added: 0, deleted: 0, last: null };
      const changed = last === null ? null : new Date(last).toISOString();
      return { path, language, lines, test, commits, added, deleted, changed };
    });
    const { by } = input;
    files.sort((a, b) => (by === "path" ? 0 : b[by] - a[by]) || compareText(a.path, b.path));
    return {
      project: project.root,
      files: files.slice(input.offset, input.offset + input.limit),
      total: files.length,
    };
  },
  isEmpty: (output) => output.total === 0,
});
