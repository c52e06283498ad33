/** Imports by the package or namespace that files declare: Java, Kotlin, C#, PHP. */
import type { ImportFact } from "../facts.ts";
import type { ImportTarget, ModuleResolver, ProjectFiles } from "./module.ts";

/** PHP: a name relative to the namespace of the file. */
const RELATIVE = /^namespace(\\|$)/;

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
    const resolve = (from: string, { source: written, name, star }: ImportFact): ImportTarget => {
      const module = surfaces.get(from)?.module ?? "";
      const source = written.replace(RELATIVE, module === "" ? "" : `${module}$1`);
      const files = named(isNested ? module : "", source);
      if (!files) return { kind: "external", package: source };
      if (star) return { kind: "package", paths: files, name: "*" };
      const defining = files.filter((path) =>
        surfaces.get(path)?.entities.some((each) => each.name === name && each.parent < 0),
      );
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
