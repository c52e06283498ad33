/** The way of each family of languages to follow imports. */
import type { Family } from "../languages/language.ts";
import { ecmascriptModules } from "./ecmascript.ts";
import type { ModuleResolver, ProjectFiles } from "./module.ts";
import { pythonModules } from "./python.ts";

const MAKERS: Partial<Record<Family, (project: ProjectFiles) => ModuleResolver>> = {
  ecmascript: ecmascriptModules,
  python: pythonModules,
};

/** Made when the first file of a family asks. */
export function moduleResolvers(project: ProjectFiles): (family: Family) => ModuleResolver {
  const made = new Map<Family, ModuleResolver>();
  return (family) => {
    const known = made.get(family);
    if (known) return known;
    const resolver = MAKERS[family]?.(project) ?? { resolve: () => ({ kind: "external", package: "" }) };
    made.set(family, resolver);
    return resolver;
  };
}
