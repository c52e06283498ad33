/** Finds programs on the PATH without a shell, and tells whether a process runs. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { systemCode } from "./errors.ts";

/** The first of these names in the folders of the PATH that can be started. */
export function findOnPath(names: readonly string[], vars: NodeJS.ProcessEnv): string | undefined {
  for (const folder of (vars.PATH ?? vars.Path ?? "").split(delimiter)) {
    if (folder === "") continue;
    const found = names.map((name) => join(folder, name)).find(isProgram);
    if (found) return found;
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process may belong to another user.
    return systemCode(error) === "EPERM";
  }
}
