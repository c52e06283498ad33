/** Imports by the package or namespace that files declare: Java, Kotlin, C#, PHP. */
import type { ImportFact } from "../facts.ts";
import type { ImportTarget, ModuleResolver, ProjectFiles } from "./module.ts";

/** PHP: a name relative to the namespace of the file. */
const RELATIVE = /^namespace(\\|$)/;

/** Names of a path that are looked at. */
const MAX_NAMES = 32;

/** `isNested`: a namespace sees the names of the namespaces around it. */
export function packageModules(
  languages: ReadonlySet<string>,
  isNested = false,
): (project: ProjectFiles) => ModuleResolver {
  return ({ surfaces, modules }) => {
    const packages = new Map<string, string[]>();
    for (const { path, language, module } of modules()) {
      if (!languages.has(language)) continue;
      const files = packages.get(module) ?? [];
      files.push(path);
      packages.set(module, files);
    }
    /** In a nested namespace, `using B` may mean `A.B`. */
    const named = (module: string, source: string): string[] | undefined => {
      const found = isNested && module !== "" ? packages.get(`${module}.${source}`) : undefined;
      if (found || !isNested || module === "") return found ?? packages.get(source);
      return named(module.slice(0, Math.max(0, module.lastIndexOf("."))), source);
    };
    const definingIn = (files: readonly string[], name: string): string[] =>
      files.filter((path) => surfaces.get(path)?.entities.some((each) => each.name === name && each.parent < 0));
    /** `a.b.Outer.Inner`, where `a.b` is a package; for a star import, everything in the type. */
    const inType = (source: string, name: string): ImportTarget | undefined => {
      const names = source.split(".", MAX_NAMES);
      for (let at = names.length - 1; at > 0; at -= 1) {
        const files = packages.get(names.slice(0, at).join("."));
        const [outer = "", ...rest] = names.slice(at);
        const paths = files && definingIn(files, outer);
        if (paths && paths.length > 0)
          return { kind: "package", paths, name: outer, inside: name === "*" ? rest : [...rest, name] };
        if (files) return { kind: "missing" };
      }
      return undefined;
    };
    const resolve = (from: string, { source: written, name, star }: ImportFact): ImportTarget => {
      const module = surfaces.get(from)?.module ?? "";
      const source = written.replace(RELATIVE, module === "" ? "" : `${module}$1`);
      const files = named(isNested ? module : "", source);
      if (!files) return (isNested ? undefined : inType(source, name)) ?? { kind: "external", package: source };
      if (star) return { kind: "package", paths: files, name: "*" };
      const defining = definingIn(files, name);
      return defining.length > 0 ? { kind: "package", paths: defining, name } : { kind: "missing" };
    };
    const around = (module: string): string[] => {
      const dot = module.lastIndexOf(".");
      const outer = isNested && dot > 0 ? around(module.slice(0, dot)) : [];
      return [...(packages.get(module) ?? []), ...outer];
    };
    return { resolve, siblings: (from) => around(surfaces.get(from)?.module ?? "") };
  };
}
