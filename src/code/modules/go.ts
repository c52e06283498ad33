/** Imports of Go: a package is a folder, named by the module of the nearest go.mod. */
import type { ImportFact } from "../facts.ts";
import { folderOf, type ImportTarget, type ModuleResolver, type ProjectFiles } from "./module.ts";

export function goModules({ configs, paths }: ProjectFiles): ModuleResolver {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    if (!path.endsWith(".go")) continue;
    const files = folders.get(folderOf(path)) ?? [];
    files.push(path);
    folders.set(folderOf(path), files);
  }
  const modules = [...configs]
    .filter(([path]) => path === "go.mod" || path.endsWith("/go.mod"))
    .flatMap(([path, text]) => {
      const name = /^module\s+"?([^\s"]+)"?/m.exec(text)?.[1];
      return name === undefined ? [] : [{ name, folder: folderOf(path) }];
    })
    .sort((a, b) => b.name.length - a.name.length);

  function resolve(_: string, { source, name }: ImportFact): ImportTarget {
    const module = modules.find((each) => source === each.name || source.startsWith(`${each.name}/`));
    if (!module) return { kind: "external", package: source };
    const rest = source.slice(module.name.length + 1);
    const folder = [module.folder, rest].filter((part) => part !== "").join("/");
    const files = (folders.get(folder) ?? []).filter((path) => !path.endsWith("_test.go"));
    return files.length > 0 ? { kind: "package", paths: files, name } : { kind: "missing" };
  }

  return {
    resolve,
    siblings: (from) =>
      (folders.get(folderOf(from)) ?? []).filter((path) => !path.endsWith("_test.go") || from.endsWith("_test.go")),
  };
}
