/** Imports by what files say of themselves: the package or namespace they name. Java, Kotlin, C#, PHP. */
import type { ImportFact } from "../facts.ts";
import type { ImportTarget, ModuleResolver, ProjectFiles } from "./module.ts";

export function packageModules(languages: ReadonlySet<string>): (project: ProjectFiles) => ModuleResolver {
  return ({ surfaces, modules }) => {
    const packages = new Map<string, string[]>();
    for (const { path, language, module } of modules()) {
      if (!languages.has(language)) continue;
      const files = packages.get(module) ?? [];
      files.push(path);
      packages.set(module, files);
    }
    const resolve = (_: string, { source, name, star }: ImportFact): ImportTarget => {
      const files = packages.get(source);
      if (!files) return { kind: "external", package: source };
      if (star) return { kind: "package", paths: files, name: "*" };
      const has = files.filter((path) =>
        surfaces.get(path)?.entities.some((each) => each.name === name && each.parent < 0),
      );
      return has.length > 0 ? { kind: "package", paths: has, name } : { kind: "missing" };
    };
    return { resolve, mates: (from) => packages.get(surfaces.get(from)?.module ?? "") ?? [] };
  };
}
