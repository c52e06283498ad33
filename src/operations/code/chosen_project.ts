/** The project that a question about code is about, and its graph. */
import { existsSync } from "node:fs";
import { openFresh } from "../../code/open.ts";
import { type CodeProject, findCodeProject } from "../../code/project.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { bareRepositoryError } from "../../kernel/git/git_folder.ts";
import { isProjectFolder } from "../../kernel/git/project_folder.ts";
import { projectNamed } from "../../project/repository.ts";
import type { CodeReader } from "../../store/code.ts";
import type { OperationContext } from "../operation.ts";

/**
 * The project of the current folder, or one that the user indexed before. An agent cannot read any other folder by
 * naming it.
 */
function chosenProject(dex: Dex, named: string | undefined): CodeProject {
  const here = findCodeProject(dex.paths.code, dex.cwd);
  const folder = projectNamed(dex, named);
  if (folder === undefined) {
    if (here.git || existsSync(here.path) || isProjectFolder(here.root)) return here;
    const bare = bareRepositoryError(here.root);
    if (bare) throw bare;
    throw new DexError("no_project", `${here.root} is not a project: it has neither a git repository nor a manifest.`, {
      hint: "Go to the folder of a project, name one with --project, or run `dex code index <folder>` to index this one.",
    });
  }
  const found = findCodeProject(dex.paths.code, folder);
  if (found.root === here.root || existsSync(found.path)) return found;
  throw noCode(found.root, folder);
}

/** The chosen project with its refreshed graph, which stays open: do not close it. */
export async function openChosenProject(
  dex: Dex,
  folder: string | undefined,
  context: OperationContext,
): Promise<{ project: CodeProject; store: CodeReader }> {
  const project = chosenProject(dex, folder);
  const { store, notice } = await openFresh(dex.caches, project, { now: dex.now, ...context });
  if (notice) context.notice?.(notice);
  return { project, store };
}

export function noCode(root: string, folder: string): DexError {
  return new DexError("no_code", `The code of ${root} is not indexed.`, {
    hint: `Run \`dex code index ${folder}\` first.`,
  });
}
