/** Imports by path: C's includes, Ruby's requires. */
import type { ImportFact } from "../facts.ts";
import { folderOf, type ImportTarget, joinPath, type ModuleResolver, type ProjectFiles } from "./module.ts";

/** `extensions`: file extensions that an import may leave out. */
export function pathModules(extensions: readonly string[]): (project: ProjectFiles) => ModuleResolver {
  return ({ paths }) => {
    const byName = new Map<string, string[]>();
    for (const path of paths) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const files = byName.get(name) ?? [];
      files.push(path);
      byName.set(name, files);
    }
    const resolve = (from: string, { source, name }: ImportFact): ImportTarget => {
      const system = source.startsWith("<");
      const wanted = source.replace(/^</, "");
      for (const extension of ["", ...extensions]) {
        const near = joinPath(folderOf(from), `${wanted}${extension}`);
        if (!system && near !== undefined && paths.has(near)) return { kind: "file", path: near, name };
        const end = `${wanted}${extension}`.replace(/^(\.\.?\/)+/, "");
        const same = (byName.get(end.slice(end.lastIndexOf("/") + 1)) ?? []).filter(
          (path) => path === end || path.endsWith(`/${end}`),
        );
        if (same.length === 1 && same[0] !== undefined) return { kind: "file", path: same[0], name };
      }
      return system || !source.startsWith(".") ? { kind: "external", package: wanted } : { kind: "missing" };
    };
    return { resolve };
  };
}
