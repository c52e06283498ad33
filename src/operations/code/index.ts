import { resolve } from "node:path";
/** `dex code index`: reads a project's code into its graph of definitions and references. */
import * as z from "zod";
import { indexProject } from "../../code/indexing/indexer.ts";
import { findCodeProject } from "../../code/project.ts";
import { DexError } from "../../kernel/errors.ts";
import { refuseHome } from "../../kernel/git/project_folder.ts";
import { openCodeGraphs } from "../../store/databases/open_databases.ts";
import { defineOperation } from "../operation.ts";

/** Wait this long for another process that indexes the same project. */
const LOCK_TIMEOUT_MS = 60_000;
/** Further problems are only counted. */
const MAX_SHOWN_PROBLEMS = 20;

const counts = z.record(z.string(), z.number());

export const codeIndex = defineOperation({
  name: "dex_code_index",
  verb: "code index",
  summary: "Index a project's code: definitions, imports, calls, tests; unchanged files are skipped",
  positionals: ["path"],
  input: z.strictObject({
    path: z.string().default(".").describe("A folder of the project"),
    rebuild: z.boolean().default(false).describe("Read every file again"),
  }),
  output: z.object({
    project: z.string(),
    added: z.number(),
    changed: z.number(),
    removed: z.number(),
    unchanged: z.number(),
    skipped: counts,
    problems: z.array(z.object({ path: z.string(), reason: z.string() })),
    total_problems: z.number(),
    files: z.number(),
    languages: counts,
    entities: counts,
    relations: counts,
    resolutions: counts,
    unresolved_references: z.number(),
    unresolved_imports: z.number(),
    ms: z.number(),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, { path, rebuild }, { progress }) => {
    const begin = performance.now();
    const project = findCodeProject(dex.paths.code, resolve(dex.cwd, path));
    refuseHome(project);
    if (rebuild) dex.caches.of(openCodeGraphs).drop(project.path);
    const done = await indexProject(project, { now: dex.now(), rebuild, waitMs: LOCK_TIMEOUT_MS, progress });
    if (!done) {
      throw new DexError("busy", `Another dex process is indexing ${project.root}.`, {
        hint: "Try again when it has finished.",
      });
    }
    const { totals } = done;
    return {
      project: done.root,
      added: done.added,
      changed: done.changed,
      removed: done.removed,
      unchanged: done.unchanged,
      skipped: done.skipped,
      problems: done.problems.slice(0, MAX_SHOWN_PROBLEMS),
      total_problems: done.problems.length,
      files: totals.files,
      languages: totals.languages,
      entities: totals.entities,
      relations: totals.relations,
      resolutions: totals.resolutions,
      unresolved_references: totals.unresolved,
      unresolved_imports: totals.unresolved_imports,
      ms: Math.round(performance.now() - begin),
    };
  },
});
