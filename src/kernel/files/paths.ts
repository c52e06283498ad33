/**
 * Path helpers: whether a path is inside a folder (by name alone, without following links), and real paths. History that
 * came from Windows has paths such as `D:\app\a.ts`. On other systems Node takes them for relative ones, so they get
 * the rules of Windows here.
 */
import { realpathSync } from "node:fs";
import path, { win32 } from "node:path";

/** Begins with a drive or a server. */
const OF_WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\[^\\/])/;

/** The rules of the system that an absolute path belongs to; those of this system for a relative one. */
function rulesOf(absolute: string): typeof win32 {
  return OF_WINDOWS.test(absolute) ? win32 : path;
}

/** Absolute on this system or on Windows. */
export function isAbsolutePath(name: string): boolean {
  return path.isAbsolute(name) || OF_WINDOWS.test(name);
}

/** The absolute path of a file that a conversation in the folder `base` names. */
export function resolvePath(base: string, name: string): string {
  return OF_WINDOWS.test(name) ? win32.normalize(name) : rulesOf(base).resolve(base, name);
}

/** Whether a path can exist on this system. */
export function isOfThisSystem(absolute: string): boolean {
  return rulesOf(absolute) === path;
}

/** The path relative to the folder, with slashes; empty for the folder itself, undefined outside it. */
export function pathBelow(folder: string, name: string): string | undefined {
  const rules = rulesOf(folder);
  if (isAbsolutePath(name) && rulesOf(name) !== rules) return undefined;
  const { sep } = rules;
  const below = rules.relative(folder, name);
  // On another drive it stays absolute.
  if (below === ".." || below.startsWith(`..${sep}`) || rules.isAbsolute(below)) return undefined;
  return sep === "/" ? below : below.replaceAll(sep, "/");
}

/** The folder itself, or something in it. */
export function isBelow(folder: string, name: string): boolean {
  return pathBelow(folder, name) !== undefined;
}

/** Without symbolic links, where the folder is there. */
export function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}

/** The last name of a path of any system: `/home/me/app` and `D:\\app` are `app`. */
export function lastName(whole: string): string {
  return whole.split(/[\\/]/).findLast((name) => name !== "") ?? "";
}

/** The last names of the paths, with as many of their folders as it takes to tell them apart. */
export function distinctNames(paths: readonly string[]): string[] {
  const parts = paths.map((path) => path.split(/[\\/]/).filter((name) => name !== ""));
  const lengths = parts.map(() => 1);
  const nameOf = (i: number): string => (parts[i] ?? []).slice(-(lengths[i] ?? 1)).join("/");
  for (;;) {
    const counts = new Map<string, number>();
    for (const i of parts.keys()) counts.set(nameOf(i), (counts.get(nameOf(i)) ?? 0) + 1);
    const longer = [...parts.keys()].filter(
      (i) => (counts.get(nameOf(i)) ?? 0) > 1 && (lengths[i] ?? 0) < (parts[i]?.length ?? 0),
    );
    if (longer.length === 0) return parts.map((_, i) => nameOf(i));
    for (const i of longer) lengths[i] = (lengths[i] ?? 1) + 1;
  }
}
