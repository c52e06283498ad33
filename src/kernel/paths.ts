/** Whether a path lies below a folder, by their names alone: links are the caller's business. */
import { isAbsolute, relative, sep } from "node:path";

/** From the folder, with slashes; empty for the folder itself, undefined for what lies elsewhere. */
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

/** The last name of a path of any system: `/home/me/app` and `D:\\app` are `app`. */
export function lastName(path: string): string {
  return path.split(/[\\/]/).findLast((name) => name !== "") ?? "";
}
