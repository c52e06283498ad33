/**
 * Finds programs without a shell, and tells whether a process runs. Only absolute folders of the PATH count: an empty or
 * relative one means the current folder, and a repository may hold a program called `git`.
 */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { systemCode } from "./errors.ts";

/** The absolute folders of the PATH, in its order. */
export function pathFolders(vars: NodeJS.ProcessEnv): string[] {
  return (vars.PATH ?? vars.Path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

/** The first of these names in the folders of the PATH that can be started. */
export function findOnPath(names: readonly string[], vars: NodeJS.ProcessEnv): string | undefined {
  for (const folder of pathFolders(vars)) {
    const found = names.map((name) => join(folder, name)).find(isProgram);
    if (found) return found;
  }
  return undefined;
}

/** No program exists at this path, so starting it fails like any missing program (ENOENT). */
const NOWHERE = resolve("/dex-found-no-program");

/**
 * The file to start for a command, because the system would also look in the current folder. A command with a folder,
 * such as a pager that the user chose, stays as it is.
 */
export function programFile(command: string, vars: NodeJS.ProcessEnv): string {
  if (/[\\/]/.test(command)) return command;
  const names = process.platform === "win32" ? [`${command}.exe`, `${command}.com`, command] : [command];
  return findOnPath(names, vars) ?? join(NOWHERE, command);
}

/**
 * The environment for a program that starts other programs, such as git: it also finds them in absolute folders alone.
 */
export function withSafePath(vars: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH: _, Path: __, ...others } = vars;
  // An empty PATH would mean the current folder.
  return { ...others, PATH: pathFolders(vars).join(delimiter) || NOWHERE };
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
