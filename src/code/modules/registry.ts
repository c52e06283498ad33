/** The way of each family of languages to follow imports. */
import type { Family } from "../languages/language.ts";
import { ecmascriptModules } from "./ecmascript.ts";
import { goModules } from "./go.ts";
import type { ModuleResolver, ProjectFiles } from "./module.ts";
import { packageModules } from "./packages.ts";
import { pathModules } from "./paths.ts";
import { pythonModules } from "./python.ts";
import { rustModules } from "./rust.ts";

const MAKERS: Partial<Record<Family, (project: ProjectFiles) => ModuleResolver>> = {
  ecmascript: ecmascriptModules,
  python: pythonModules,
  go: goModules,
  rust: rustModules,
  jvm: packageModules(new Set(["java", "kotlin"])),
  csharp: packageModules(new Set(["csharp"])),
  php: packageModules(new Set(["php"])),
  c: pathModules([]),
  ruby: pathModules([".rb"]),
};

/** Made when the first file of a family asks. */
export function moduleResolvers(project: ProjectFiles): (family: Family) => ModuleResolver {
  const made = new Map<Family, ModuleResolver>();
  return (family) => {
    const known = made.get(family);
    if (known) return known;
    const resolver = MAKERS[family]?.(project) ?? { resolve: () => ({ kind: "external", package: "" }), shape: "" };
    made.set(family, resolver);
    return resolver;
  };
}
