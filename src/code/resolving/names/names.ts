/** Follows names to what they refer to: through imports, exports and star imports. `FreeNames` finds the others. */

import { type Expression, MODULE_VALUE, TAG } from "../../expression.ts";
import type { Family } from "../../languages/language.ts";
import type { ImportTarget, ModuleResolver } from "../../modules/module.ts";
import type { EvaluationInput } from "../evaluating/evaluation_input.ts";
import { OUTSIDE, type Value } from "../evaluating/values.ts";
import type { Dependencies, DependencyRecorder } from "../project/dependencies.ts";
import type { WholeProject } from "../project/project_files.ts";
import { isType } from "../project/surface_index.ts";
import { firstBuilt } from "./builds.ts";
import { CNames } from "./c_names.ts";
import { FreeNames } from "./free_names.ts";

/** Files whose import targets are kept at once: about 10 MB. */
const MAX_IMPORTERS = 4000;
/** Searches for a name of a module that are kept at once. */
const MAX_EXPORTS = 2000;

export interface NamesInput extends EvaluationInput {
  modules: (family: Family) => ModuleResolver;
  recorder: DependencyRecorder;
  named: WholeProject["named"];
  /** How often an evaluation was cut short so far. */
  cuts(): number;
}

export class Names {
  readonly #in: NamesInput;
  readonly #free: FreeNames;
  /** C and C++. */
  readonly c: CNames;
  readonly #exports = new Map<string, { found: Value | undefined; dependencies: Dependencies }>();
  readonly #targets = new Map<string, (ImportTarget | undefined)[]>();

  constructor(input: NamesInput) {
    this.#in = input;
    this.c = new CNames({
      ...input,
      importTarget: (path, at) => this.importTarget(path, at),
      definition: (path, slot, types) => this.definition(path, slot, types),
    });
    this.#free = new FreeNames({
      ...input,
      c: this.c,
      definition: (path, slot, types) => this.definition(path, slot, types),
      importTarget: (path, at) => this.importTarget(path, at),
      imported: (path, at, types) => this.imported(path, at, types),
      exported: (paths, name, types) => this.exported(paths, name, types),
      throughStar: (path, at, name, types, seen) => this.#throughStar(path, at, name, types, seen),
    });
  }

  /** A name may be a type and a value at once; the requested one is preferred where it exists. */
  definition(path: string, slot: number, types: boolean): Value {
    const index = this.#in.files.get(path);
    const entity = index?.surface.entities[slot];
    if (!index || !entity) return { kind: "definition", path, slot };
    const namesakes = entity.parent < 0 ? (index.top.get(entity.name) ?? []) : [];
    const better = namesakes.find((other) => isType(index, other) === types);
    return { kind: "definition", path, slot: isType(index, slot) === types ? slot : (better ?? slot) };
  }

  importTarget(path: string, at: number): ImportTarget {
    const { files, modules, recorder } = this.#in;
    // Before the cache, so the dependency on this file is always recorded.
    const index = files.get(path);
    let targets = this.#targets.get(path);
    if (!targets) {
      targets = [];
      if (this.#targets.size >= MAX_IMPORTERS) this.#targets.clear();
      this.#targets.set(path, targets);
    }
    const known = targets[at];
    if (known) return known;
    const fact = index?.surface.imports[at];
    const found: ImportTarget =
      index && fact
        ? recorder.forImportsOf(path, () => modules(index.family).resolve(path, fact))
        : { kind: "missing" };
    targets[at] = found;
    return found;
  }

  imported(path: string, at: number, types: boolean): Value | undefined {
    const to = this.importTarget(path, at);
    if (to.kind === "external") return this.#throughStarModule(path, at, types) ?? OUTSIDE;
    if (to.kind === "missing") return undefined;
    const paths = to.kind === "file" ? [to.path] : to.paths;
    if (to.name !== "*" && to.name !== "") {
      const found = this.exported(paths, to.name, types);
      if (!to.inside) return found;
      return to.kind === "file" ? this.#inside(found, to.inside, types) : this.#inType(found, to.inside, types);
    }
    return (to.kind === "file" ? this.#moduleValue(to.path, types) : undefined) ?? { kind: "module", paths };
  }

  /** Rust: a path may begin with a module that a star import brings. */
  #throughStarModule(path: string, at: number, types: boolean): Value | undefined {
    const index = this.#in.files.get(path);
    const fact = index?.family === "rust" ? index.surface.imports[at] : undefined;
    if (!fact || fact.star || fact.source === "") return undefined;
    const [root = "", ...rest] = fact.source.split("::");
    const found = this.#in.withoutCycles(`y${root}:${path}`, () => this.#starred(path, root, false));
    let module = found;
    for (const name of rest) module = module?.kind === "module" ? this.exported(module.paths, name, false) : undefined;
    return module?.kind === "module" ? this.exported(module.paths, fact.name, types) : undefined;
  }

  /** A name that a star import of the file brings. */
  #starred(path: string, name: string, types: boolean): Value | undefined {
    for (const [at, { star }] of this.#in.files.get(path)?.surface.imports.entries() ?? []) {
      const found = star ? this.#throughStar(path, at, name, types, new Set([path])) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  /** A definition in a definition; the outer one if it is a type, whose names are reached through it. */
  #inside(outer: Value | undefined, names: readonly string[], types: boolean): Value | undefined {
    let found = outer;
    for (const name of names) {
      const index = found?.kind === "definition" ? this.#in.files.get(found.path) : undefined;
      if (found?.kind !== "definition" || !index) return found;
      const slot = index.members.get(found.slot)?.get(name);
      if (slot === undefined) {
        if (index.surface.entities[found.slot]?.kind !== "module") return found;
        // A module inside a file may import the name to pass it on.
        const { path } = found;
        return this.#in.withoutCycles(`x${name}:${found.slot}:${path}`, () =>
          this.#importedName(path, name, types, new Set([path]), "inner"),
        );
      }
      found = { kind: "definition", path: found.path, slot };
    }
    return found;
  }

  /** Java: a type in a type, or another of its members. */
  #inType(outer: Value | undefined, names: readonly string[], types: boolean): Value | undefined {
    let found = outer;
    for (const name of names) {
      if (found?.kind !== "definition") return found;
      const type: Expression = [TAG.definition, found.slot];
      found = this.#in.evaluate(found.path, [TAG.member, type, name], types);
    }
    return found;
  }

  /** The value that a CommonJS module exports as a whole; undefined if it exports single names. */
  #moduleValue(path: string, types: boolean): Value | undefined {
    const value = this.#in.files.get(path)?.surface.exports.find(({ name }) => name === MODULE_VALUE)?.value;
    return value && this.#in.withoutCycles(`m:${path}`, () => this.#in.evaluate(path, value, types));
  }

  exported(paths: readonly string[], name: string, types: boolean): Value | undefined {
    const family = this.#in.files.get(paths[0] ?? "")?.family;
    if (family !== "rust") return this.#found(paths, name, types, new Set());
    // Modules that re-export each other whole lead to the same searches many times.
    const key = `${types ? "t" : "v"}${name}:${paths.join(":")}`;
    const known = this.#exports.get(key);
    if (known) {
      this.#in.recorder.add(known.dependencies);
      return known.found;
    }
    const cuts = this.#in.cuts();
    const { result, dependencies } = this.#in.recorder.separately(() => this.#found(paths, name, types, new Set()));
    // A search that a cycle cut short is valid only inside the cycle.
    if (cuts === this.#in.cuts()) {
      if (this.#exports.size >= MAX_EXPORTS) this.#exports.clear();
      this.#exports.set(key, { found: result, dependencies });
    }
    return result;
  }

  #found(paths: readonly string[], name: string, types: boolean, seen: Set<string>): Value | undefined {
    const isFirst = seen.size === 0;
    const exported = firstBuilt(this.#in.files, undefined, paths, (path) => {
      if (seen.has(path)) return undefined;
      seen.add(path);
      return this.#exportedBy(path, name, types, seen);
    });
    if (exported) return exported;
    const family = this.#in.files.get(paths[0] ?? "")?.family;
    // A star import of Rust brings the modules that its source declares, which are names of the source.
    if (!family || (family === "rust" && !isFirst)) return undefined;
    const submodule = this.#in.modules(family).submodule?.(paths, name);
    return submodule === undefined ? undefined : { kind: "module", paths: [submodule] };
  }

  #exportedBy(path: string, name: string, types: boolean, seen: Set<string>): Value | undefined {
    const index = this.#in.files.get(path);
    if (!index) return undefined;
    const { surface, family } = index;
    for (const { name: given, value } of surface.exports) {
      if (given === name && value) return this.#in.evaluate(path, value, types);
    }
    const slots = (index.top.get(name) ?? []).filter(
      (slot) => family !== "ecmascript" || surface.entities[slot]?.exported,
    );
    const slot = slots.find((each) => isType(index, each) === types) ?? slots[0];
    if (slot !== undefined) return { kind: "definition", path, slot };
    for (const { star } of surface.exports) {
      if (star === undefined || name === "default") continue;
      const found = this.#throughStar(path, star, name, types, seen);
      if (found) return found;
    }
    if (family === "ecmascript") return this.#memberOfModuleValue(path, name, types);
    if (family !== "python" && family !== "rust") return undefined;
    // Modules may import each other in a cycle.
    return this.#in.withoutCycles(`x${name}:${path}`, () => this.#importedName(path, name, types, seen));
  }

  /** A member of the value that a CommonJS module exports; the value itself if it is imported as the default. */
  #memberOfModuleValue(path: string, name: string, types: boolean): Value | undefined {
    const exports = this.#in.files.get(path)?.surface.exports ?? [];
    const value = exports.find((each) => each.name === MODULE_VALUE)?.value;
    // `import api from "./api.cjs"`: the object with all exports.
    const isWhole = name === "default" && exports.length > 0 && !exports.some((each) => each.name === name);
    if (!value) return isWhole ? { kind: "module", paths: [path] } : undefined;
    const wanted: Expression = name === "default" ? value : [TAG.member, value, name];
    return this.#in.withoutCycles(`m${name}:${path}`, () => this.#in.evaluate(path, wanted, types));
  }

  #throughStar(path: string, at: number, name: string, types: boolean, seen: Set<string>): Value | undefined {
    const to = this.importTarget(path, at);
    if (to.kind !== "file" && to.kind !== "package") return undefined;
    // Java: the members of a type.
    if (to.name !== "*") return this.#inType(this.imported(path, at, true), [name], types);
    return this.#found(to.kind === "file" ? [to.path] : to.paths, name, types, seen);
  }

  /** A name that a Python or Rust module imports is also a name of that module. */
  #importedName(
    path: string,
    name: string,
    types: boolean,
    seen: Set<string>,
    by: "local" | "inner" = "local",
  ): Value | undefined {
    const { imports } = this.#in.files.get(path)?.surface ?? { imports: [] };
    // In Rust a name that is imported by itself hides those of star imports; in Python the first one counts here.
    const isHidden = this.#in.files.get(path)?.family === "rust" && imports.some((fact) => fact[by] === name);
    let module: Value | undefined;
    for (const [at, fact] of imports.entries()) {
      if (fact.star) {
        const found = isHidden || name.startsWith("_") ? undefined : this.#throughStar(path, at, name, types, seen);
        if (found) return found;
      } else if (fact[by] === name) {
        const found = this.#in.evaluate(path, [TAG.import, at], types);
        // In Rust a module may have the name of a function that is imported from it.
        if (found?.kind !== "module") return found;
        module ??= found;
      }
    }
    return module;
  }

  /** A name its file does not explain: from a star import, or from a file whose names are visible without import. */
  free(path: string, name: string, types: boolean, slot = -1): Value | undefined {
    return this.#free.find(path, name, types, slot);
  }
}
