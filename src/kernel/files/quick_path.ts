/**
 * `join` and `resolve` of `node:path` for programs that live for a tenth of a second. Node's own versions loop over
 * every character, and in such a short life V8 has not compiled that loop: checking all agents' folders would take
 * longer there than on the disk. Paths that are already normal are joined as they are. The build replaces `node:path`
 * by this file (`scripts/build/quick_paths.ts`).
 */
import { join, resolve } from "node:path";

const isPosix = process.platform !== "win32";

export function quickJoin(...parts: string[]): string {
  let joined = "";
  for (const part of parts) {
    if (typeof part !== "string") return join(...parts);
    if (part !== "") joined = joined === "" ? part : `${joined}/${part}`;
  }
  return isPosix && isNormal(joined) ? joined : join(...parts);
}

export function quickResolve(...parts: string[]): string {
  const last = parts.at(-1);
  const isWhole = isPosix && typeof last === "string" && last.startsWith("/") && !last.endsWith("/");
  return isWhole && isNormal(last) ? last : resolve(...parts);
}

/** Without empty parts and without `.` and `..`; false also for some paths that have names with dots at their end. */
function isNormal(path: string): boolean {
  return path !== "" && !path.includes("//") && !path.includes("./") && !path.endsWith(".");
}
