/**
 * Every file below some folders, with its content's hash, size, mode and time: equal before and after means untouched.
 */
import { hash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export function treeState(root: string, folders: readonly string[]): Record<string, string> {
  const state: Record<string, string> = {};
  const visit = (path: string): void => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const name = relative(root, path);
    if (!stats) {
      state[name] = "absent";
    } else if (stats.isDirectory()) {
      state[name] = `folder ${stats.mode}`;
      for (const entry of readdirSync(path)) visit(join(path, entry));
    } else {
      state[name] = `${hash("sha256", readFileSync(path), "hex")} ${stats.size} ${stats.mode} ${stats.mtimeMs}`;
    }
  };
  for (const folder of folders) visit(join(root, folder));
  return state;
}
