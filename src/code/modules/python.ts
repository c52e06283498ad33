/** Imports of Python: packages by their folders, relative imports, modules next to a script. */
import { compareText } from "../../kernel/text.ts";
import type { ImportFact } from "../facts.ts";
import { folderOf, type ImportTarget, joinPath, type ModuleResolver, type ProjectFiles } from "./module.ts";

export function pythonModules({ paths }: ProjectFiles): ModuleResolver {
  const folders = new Set<string>();
  const roots = new Set<string>([""]);
  for (const path of paths) {
    if (!path.endsWith(".py") && !path.endsWith(".pyi")) continue;
    roots.add(rootOf(path));
    for (let at = folderOf(path); at !== ""; at = folderOf(at)) folders.add(at);
  }
  const ordered = [...roots].sort((a, b) => a.split("/").length - b.split("/").length || compareText(a, b));

  /** The folder above the outermost package around the file, where absolute imports start. */
  function rootOf(path: string): string {
    let at = folderOf(path);
    while (at !== "" && paths.has(`${at}/__init__.py`)) at = folderOf(at);
    return at;
  }

  function resolve(from: string, { source, name }: ImportFact): ImportTarget {
    const dots = /^\.+/.exec(source)?.[0].length ?? 0;
    const parts = source.slice(dots).split(".").filter(Boolean);
    const place = dots > 0 ? relativePlace(from, dots, parts) : absolutePlace(from, parts);
    if (place === undefined) return dots > 0 ? { kind: "missing" } : { kind: "external", package: parts[0] ?? source };
    const file = moduleAt(place);
    if (file !== undefined) return { kind: "file", path: file, name };
    // A namespace package (without __init__.py) has only modules.
    const inner = name === "*" ? undefined : moduleAt(join(place, name));
    if (inner !== undefined) return { kind: "file", path: inner, name: "*" };
    return name === "*" ? { kind: "package", paths: [`${place}/`], name } : { kind: "missing" };
  }

  function relativePlace(from: string, dots: number, parts: readonly string[]): string | undefined {
    const place = joinPath(folderOf(from), [...new Array<string>(dots - 1).fill(".."), ...parts].join("/"));
    return place !== undefined && (place === "" || exists(place)) ? place : undefined;
  }

  function absolutePlace(from: string, parts: readonly string[]): string | undefined {
    const own = rootOf(from);
    for (const root of [own, ...ordered]) {
      const place = join(root, parts.join("/"));
      if (exists(place)) return place;
    }
    return undefined;
  }

  function exists(place: string): boolean {
    return moduleAt(place) !== undefined || folders.has(place);
  }

  function moduleAt(place: string): string | undefined {
    const inside = place === "" ? "" : `${place}/`;
    return [`${place}.py`, `${inside}__init__.py`, `${place}.pyi`, `${inside}__init__.pyi`].find((path) =>
      paths.has(path),
    );
  }

  return {
    resolve,
    shape: [...ordered, "", ...[...folders].sort(compareText)].join("\n"),
    submodule: ([path = ""], name) => {
      // A path with a trailing slash is a namespace package.
      const folder = path.endsWith("/")
        ? path.slice(0, -1)
        : /(^|\/)__init__\.pyi?$/.test(path)
          ? folderOf(path)
          : undefined;
      if (folder === undefined) return undefined;
      const place = join(folder, name);
      return moduleAt(place) ?? (folders.has(place) ? `${place}/` : undefined);
    },
  };
}

function join(folder: string, rest: string): string {
  return folder === "" ? rest : `${folder}/${rest}`;
}
