import { resolve } from "node:path";
import * as z from "zod";
import { indexProject } from "../../code/indexer.ts";
import { closeCode } from "../../code/open.ts";
import { findProject } from "../../code/project.ts";
import { DexError } from "../../kernel/errors.ts";
import { holdsHome } from "../../kernel/git/project_folder.ts";
import { defineOperation } from "../operation.ts";

/** Another process that reads the same project is waited for so long. */
const PATIENCE_MS = 60_000;
/** Problems that are named; the rest is counted. */
const SHOWN_PROBLEMS = 20;

const counts = z.record(z.string(), z.number());

export const codeIndex = defineOperation({
  name: "dex_code_index",
  verb: "code index",
  summary: "Read a project's code: definitions, imports, calls, tests; what did not change is not read again",
  positionals: ["path"],
  input: z.strictObject({
    path: z.string().default(".").describe("A folder of the project"),
    rebuild: z.boolean().default(false).describe("Read everything anew"),
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
  fresh: false,
  run: async (dex, { path, rebuild }, { progress }) => {
    const begin = performance.now();
    const project = findProject(dex.paths.code, resolve(dex.cwd, path));
    if (!project.git && holdsHome(project.root)) {
      throw new DexError("no_project", `${project.root} holds your home folder: everything below it would be read.`, {
        hint: "Name the folder of a project.",
      });
    }
    if (rebuild) closeCode(project.path);
    const done = await indexProject(project, { now: dex.now(), rebuild, waitMs: PATIENCE_MS, progress });
    if (!done) {
      throw new DexError("busy", `Another dex process is reading ${project.root}.`, {
        hint: "Try again when it is done.",
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
      problems: done.problems.slice(0, SHOWN_PROBLEMS),
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
