/** Module resolvers by family of languages. */
import type { Family } from "../languages/language.ts";
import { EcmascriptModules } from "./ecmascript.ts";
import { goModules } from "./go.ts";
import type { ModuleResolver, ProjectFiles } from "./module.ts";
import { packageModules } from "./packages.ts";
import { pathModules } from "./paths.ts";
import { pythonModules } from "./python.ts";
import { rustModules } from "./rust.ts";

const FACTORIES: Partial<Record<Family, (project: ProjectFiles) => ModuleResolver>> = {
  ecmascript: (project) => new EcmascriptModules(project),
  python: pythonModules,
  go: goModules,
  rust: rustModules,
  jvm: packageModules(new Set(["java", "kotlin", "scala"])),
  csharp: packageModules(new Set(["csharp"]), true),
  php: packageModules(new Set(["php"])),
  c: pathModules([]),
  ruby: pathModules([".rb"]),
  lua: pathModules([".lua", "/init.lua"]),
};

/** Each is created for the first file of its family. */
export function moduleResolvers(project: ProjectFiles): (family: Family) => ModuleResolver {
  const created = new Map<Family, ModuleResolver>();
  return (family) => {
    const known = created.get(family);
    if (known) return known;
    const resolver = FACTORIES[family]?.(project) ?? { resolve: () => ({ kind: "external", package: "" }), shape: "" };
    created.set(family, resolver);
    return resolver;
  };
}
