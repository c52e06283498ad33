/** The current folder, also after it was deleted: then its last path, as the shell knows it, which conversations still have. */
import { isAbsolute, parse } from "node:path";

let deleted: string | undefined;

export function currentFolder(): string {
  if (deleted !== undefined) return deleted;
  try {
    return process.cwd();
  } catch {
    const last = process.env.PWD ?? "";
    const root = parse(process.execPath).root;
    deleted = isAbsolute(last) ? last : root;
    leave(root);
    return deleted;
  }
}

/**
 * Changes to another folder, because Node resolves every path against the current one. A thread cannot change it: its
 * program did.
 */
function leave(root: string): void {
  try {
    process.chdir(root);
  } catch {
    // Paths that are not absolute stay without a folder.
  }
}
