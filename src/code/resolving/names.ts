/** Where a name leads: through imports, exports and stars of modules, and to names that need no import. */
import type { Expression } from "../facts.ts";
import type { Family } from "../languages/language.ts";
import type { ImportTarget, ModuleResolver } from "../modules/module.ts";
import type { Trail } from "./dependencies.ts";
import { isType, type Surfaces } from "./surface_index.ts";
import { OUTSIDE, type Value } from "./values.ts";

export interface Names {
  definition(path: string, slot: number, types: boolean): Value;
  /** What an import leads to. */
  target(path: string, place: number): ImportTarget;
  imported(path: string, place: number, types: boolean): Value | undefined;
  exported(paths: readonly string[], name: string, types: boolean): Value | undefined;
  free(path: string, name: string, types: boolean): Value | undefined;
}

interface NamesInput {
  files: Surfaces;
  modules: (family: Family) => ModuleResolver;
  trail: Trail;
  evaluate(path: string, expression: Expression, types: boolean): Value | undefined;
  /** Undefined where the same is being worked out already. */
  guarded(key: string, work: () => Value | undefined): Value | undefined;
}

export function makeNames({ files, modules, trail, evaluate, guarded }: NamesInput): Names {
  const targets = new Map<string, (ImportTarget | undefined)[]>();

  /** A name may be a type and a value at once; the wanted one is taken where there is one. */
  function definition(path: string, slot: number, types: boolean): Value {
    const index = files.get(path);
    const entity = index?.surface.entities[slot];
    if (!index || !entity) return { kind: "definition", path, slot };
    const same = entity.parent < 0 ? (index.top.get(entity.name) ?? []) : [];
    const better = same.find((other) => isType(index, other) === types);
    return { kind: "definition", path, slot: isType(index, slot) === types ? slot : (better ?? slot) };
  }

  function target(path: string, place: number): ImportTarget {
    const index = files.get(path);
    let own = targets.get(path);
    if (!own) {
      own = [];
      targets.set(path, own);
    }
    const known = own[place];
    if (known) return known;
    const fact = index?.surface.imports[place];
    const found: ImportTarget =
      index && fact ? trail.ofImports(path, () => modules(index.family).resolve(path, fact)) : { kind: "missing" };
    own[place] = found;
    return found;
  }

  function imported(path: string, place: number, types: boolean): Value | undefined {
    const to = target(path, place);
    if (to.kind === "external") return OUTSIDE;
    if (to.kind === "missing") return undefined;
    const paths = to.kind === "file" ? [to.path] : to.paths;
    return to.name === "*" || to.name === "" ? { kind: "module", paths } : exported(paths, to.name, types);
  }

  function exported(
    paths: readonly string[],
    name: string,
    types: boolean,
    seen = new Set<string>(),
  ): Value | undefined {
    for (const path of paths) {
      if (seen.has(path)) continue;
      seen.add(path);
      const found = exportedBy(path, name, types, seen);
      if (found) return found;
    }
    const family = files.get(paths[0] ?? "")?.family;
    const inside = family && modules(family).inside?.(paths, name);
    return inside === undefined ? undefined : { kind: "module", paths: [inside] };
  }

  function exportedBy(path: string, name: string, types: boolean, seen: Set<string>): Value | undefined {
    const index = files.get(path);
    if (!index) return undefined;
    const { surface, family } = index;
    for (const { name: given, value } of surface.exports) {
      if (given === name && value) return evaluate(path, value, types);
    }
    const slots = (index.top.get(name) ?? []).filter(
      (slot) => family !== "ecmascript" || surface.entities[slot]?.exported,
    );
    const slot = slots.find((each) => isType(index, each) === types) ?? slots[0];
    if (slot !== undefined) return { kind: "definition", path, slot };
    for (const { star } of surface.exports) {
      if (star === undefined || name === "default") continue;
      const found = throughStar(path, star, name, types, seen);
      if (found) return found;
    }
    if (family === "ecmascript") return undefined;
    // Modules may import from each other in a circle.
    return family === "python" ? guarded(`x${name}:${path}`, () => pythonName(path, name, types, seen)) : undefined;
  }

  function throughStar(path: string, place: number, name: string, types: boolean, seen: Set<string>) {
    const to = target(path, place);
    if (to.kind !== "file" && to.kind !== "package") return undefined;
    return exported(to.kind === "file" ? [to.path] : to.paths, name, types, seen);
  }

  /** What a Python module imports is a name of it, too. */
  function pythonName(path: string, name: string, types: boolean, seen: Set<string>): Value | undefined {
    const { imports } = files.get(path)?.surface ?? { imports: [] };
    for (const [place, fact] of imports.entries()) {
      if (fact.star) {
        const found = name.startsWith("_") ? undefined : throughStar(path, place, name, types, seen);
        if (found) return found;
      } else if (fact.local === name) {
        return evaluate(path, ["i", place], types);
      }
    }
    return undefined;
  }

  /** A name that its file does not explain: given by a star import, or by a file that needs no import. */
  function free(path: string, name: string, types: boolean): Value | undefined {
    const index = files.get(path);
    if (name === "") return undefined;
    if (!index || name === "?") return OUTSIDE;
    const { family, surface } = index;
    if (family === "ecmascript") return OUTSIDE;
    let outside = false;
    for (const [place, fact] of surface.imports.entries()) {
      if (!fact.star) continue;
      const to = target(path, place);
      if (to.kind === "external") outside = true;
      const found = throughStar(path, place, name, types, new Set([path]));
      if (found) return found;
    }
    for (const mate of modules(family).mates?.(path) ?? []) {
      if (mate === path) continue;
      const other = files.get(mate);
      const slots = other?.top.get(name);
      if (other && slots?.[0] !== undefined) return definition(mate, slots[0], types);
    }
    return outside || family === "python" ? OUTSIDE : undefined;
  }

  return { definition, target, imported, exported, free };
}
