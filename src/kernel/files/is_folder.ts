import { statSync } from "node:fs";

/** Whether a folder is there, also behind a link. False if this cannot be found out. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
