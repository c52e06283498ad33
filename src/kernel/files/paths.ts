/** Path helpers: whether a path is inside a folder (by name alone, without following links), and real paths. */
import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** The path relative to the folder, with slashes; empty for the folder itself, undefined outside it. */
export function pathBelow(folder: string, path: string): string | undefined {
  const below = relative(folder, path);
  // On another drive it stays absolute.
  if (below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) return undefined;
  return sep === "/" ? below : below.replaceAll(sep, "/");
}

/** The folder itself, or something in it. */
export function isBelow(folder: string, path: string): boolean {
  return pathBelow(folder, path) !== undefined;
}

/** Without symbolic links, where the folder is there. */
export function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

/** The last name of a path of any system: `/home/me/app` and `D:\\app` are `app`. */
export function lastName(path: string): string {
  return path.split(/[\\/]/).findLast((name) => name !== "") ?? "";
}
