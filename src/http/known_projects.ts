/**
 * Projects that the API may be asked about: those of conversations, and the one the server was started in. A folder
 * that a request names is read, so any other folder is refused.
 */
import { resolve } from "node:path";
import { Dex } from "../dex.ts";
import { repositoryOrFolder } from "../history/repository.ts";
import { DexError } from "../kernel/errors.ts";
import { currentFolder } from "../kernel/files/current_folder.ts";

const MAX_PROJECTS = 100_000;

/** Throws unless the folder is in a project that dex knows. */
export async function checkProject(folder: string, vars: NodeJS.ProcessEnv): Promise<void> {
  const { root } = repositoryOrFolder(resolve(folder));
  if (root === repositoryOrFolder(currentFolder()).root) return;
  const dex = await Dex.open({ vars });
  try {
    const projects = dex.store.projects(MAX_PROJECTS).map(({ project }) => project);
    // Finding the repository of every project takes much longer than comparing names.
    if (projects.includes(folder) || projects.includes(root)) return;
    if (projects.some((project) => project !== "" && repositoryOrFolder(project).root === root)) return;
  } finally {
    dex.close();
  }
  throw new DexError("unknown_project", `dex knows no project in ${folder.slice(0, 200)}.`, {
    hint: "Over HTTP, only projects of conversations can be named, and the one the server was started in.",
  });
}
