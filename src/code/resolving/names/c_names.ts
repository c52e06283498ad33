/** Names of C and C++: those of headers, of namespaces, and of functions that a header only declares. */
import { folderOf, type ImportTarget } from "../../modules/module.ts";
import { isTestPath } from "../../test_paths.ts";
import type { Value } from "../evaluating/values.ts";
import type { DefinitionRef, NamedDefinition, WholeProject } from "../project/project_files.ts";
import type { Surfaces } from "../project/surface_index.ts";
import { CDetached } from "./c_detached.ts";
import { CIncludes } from "./c_includes.ts";
import { COverloads } from "./c_overloads.ts";
import { isSamePath, typeIn } from "./c_paths.ts";
import { isFunctionOfC } from "./library_names.ts";

type Definition = Extract<Value, { kind: "definition" }>;

/** Shorter names are mostly parameters of templates. */
const MIN_TYPE_CHARS = 3;

interface CNamesInput {
  files: Surfaces;
  named: WholeProject["named"];
  importTarget(path: string, at: number): ImportTarget;
  definition(path: string, slot: number, types: boolean): Value;
}

export class CNames {
  readonly #in: CNamesInput;
  readonly #includes: CIncludes;
  readonly detached: CDetached;
  readonly overloads: COverloads;

  constructor(input: CNamesInput) {
    this.#in = input;
    this.#includes = new CIncludes(input.files, input.importTarget);
    this.detached = new CDetached({ ...input, includes: this.#includes });
    this.overloads = new COverloads({ ...input, includes: this.#includes, detached: this.detached });
  }

  /** A definition in a header that the file includes, directly or through others; `slot`: in whose namespace it is looked for first. */
  included(path: string, name: string, types: boolean, slot = -1): Value | undefined {
    const scope = slot < 0 ? "" : (this.#in.files.get(path)?.surface.entities[slot]?.qualified ?? "");
    let first: Definition | undefined;
    for (const each of this.#includes.of(path)) {
      const index = each === path ? undefined : this.#in.files.get(each);
      for (const found of index?.top.get(name) ?? []) {
        first ??= { kind: "definition", path: each, slot: found };
        if (!scope.includes(".") || isAround(index?.surface.entities[found]?.qualified ?? "", scope))
          return this.#configured(path, name, this.#in.definition(each, found, types));
      }
    }
    if (first) return this.#configured(path, name, this.#in.definition(first.path, first.slot, types));
    return this.#ofIncluder(path, name);
  }

  /** A macro of a file that includes this one, which is a part of it: a list of declarations, the body of a template. */
  #ofIncluder(path: string, name: string): Value | undefined {
    if (!/^_*[A-Z][A-Z0-9_]+$/.test(name)) return undefined;
    const found = this.#in.named(name).filter((each) => {
      if (each.family !== "c" || each.kind !== "function" || each.path === path) return false;
      return (
        this.#in.files.get(each.path)?.surface.entities[each.slot]?.isMacro &&
        this.#includes.isIncluded(path, each.path)
      );
    });
    const [only] = found;
    if (!only) return undefined;
    const isUnsure = found.some((each) => each.path !== only.path);
    return { kind: "definition", path: only.path, slot: only.slot, ...(isUnsure ? { unsure: true } : {}) };
  }

  /** A header may declare a function, and in another configuration replace it with a macro. */
  #configured(path: string, name: string, found: Value): Value {
    const index = found.kind === "definition" ? this.#in.files.get(found.path) : undefined;
    const entity = found.kind === "definition" ? index?.surface.entities[found.slot] : undefined;
    if (found.kind !== "definition" || !index || !entity) return found;
    // It stands in for a function of the library where a system lacks it.
    const isInstead = isFunctionOfC(name) && this.#in.files.get(path)?.surface.language === "c";
    if (isInstead && entity.kind === "function") return { ...found, unsure: true };
    if (!(entity.isMacro || entity.kind === "constant")) return found;
    if (isFunctionOfC(name)) return { ...found, unsure: true };
    // `#define open lib_open` gives the function and its calls another name at once.
    if (!entity.isMacro)
      return this.#in.files.get(path)?.surface.language === "c" ? (this.linked(path, name) ?? found) : found;
    const written = index.declared.has(name) ? this.linked(path, name) : undefined;
    if (written?.kind === "definition") return { ...written, unsure: true };
    // Another header may define the macro again, after it included the first.
    const others = this.#in.named(name).filter((each) => {
      if (each.family !== "c" || each.path === found.path || each.kind !== "function") return false;
      return (
        this.#includes.isIncluded(each.path, path) &&
        this.#in.files.get(each.path)?.surface.entities[each.slot]?.isMacro
      );
    });
    const last = others.find((each) => this.#includes.isIncluded(found.path, each.path)) ?? found;
    return others.length === 0 ? found : { kind: "definition", path: last.path, slot: last.slot, unsure: true };
  }

  /** C++: a name in a namespace, which several headers and the file itself may continue. */
  inNamespace(path: string, name: string, types: boolean, namespace?: string): Value | undefined {
    for (const each of this.#includes.of(path)) {
      const index = this.#in.files.get(each);
      const { entities } = index?.surface ?? { entities: [] };
      const slot = index?.top.get(name)?.find((at) => entities[entities[at]?.parent ?? -1]?.name === namespace);
      if (slot !== undefined) return { kind: "definition", path: each, slot };
    }
    const own = this.#in.files.get(path)?.top.get(name)?.[0];
    if (own !== undefined) return this.#in.definition(path, own, types);
    const found = this.included(path, name, types) ?? (types ? this.onlyType(path, name) : undefined);
    return found ?? this.#ofNamespace(path, name, namespace);
  }

  /** C++: a function that a header declares in a namespace, and a file defines by its path: `void app::run() {…}`. */
  #ofNamespace(path: string, name: string, namespace: string | undefined): Value | undefined {
    const found = this.linked(path, name);
    const entity = found?.kind === "definition" ? this.detached.method(found) : undefined;
    return entity && isSamePath(typeIn(entity), namespace ?? "") ? found : undefined;
  }

  /** C++: a class that another class declares, and that is written elsewhere by its path: `class Store::Private {…}`. */
  nested({ path, slot }: DefinitionRef, name: string): Value | undefined {
    const index = this.#in.files.get(path);
    const detached = this.detached.classOf(path, slot);
    if (detached) return this.nested(detached, name);
    const owner = index?.surface.entities[slot];
    if (index?.family !== "c" || owner?.kind !== "class") return undefined;
    const found = this.#in.named(name).filter((each) => {
      if (each.family !== "c" || each.kind !== "class") return false;
      const qualified = this.#in.files.get(each.path)?.surface.entities[each.slot]?.qualified ?? "";
      return qualified.includes(".") && isSamePath(qualified, `${owner.qualified}.${name}`);
    });
    const [only, ...others] = found;
    return only && others.length === 0 ? { kind: "definition", path: only.path, slot: only.slot } : undefined;
  }

  /** C++: the only class of its name in the file, in what it includes, or in the project: one that is in another class, or declared only. */
  onlyType(path: string, name: string): Value | undefined {
    if (name.length < MIN_TYPE_CHARS) return undefined;
    const all = this.#in.named(name).filter(({ family, kind }) => family === "c" && kind === "class");
    const own = all.filter((each) => each.path === path);
    const near =
      all.length > 1 && own.length === 0 ? all.filter((each) => this.#includes.of(path).includes(each.path)) : own;
    const [only, ...others] = near.length > 0 ? near : all;
    return only && others.length === 0 ? { kind: "definition", path: only.path, slot: only.slot } : undefined;
  }

  /** A namespace, or a macro that most often stands for one: `LIB_NS::run()`. */
  isNamespace({ path, slot }: DefinitionRef): boolean {
    const index = this.#in.files.get(path);
    const entity = index?.surface.entities[slot];
    if (entity?.kind === "module") return index?.family === "c";
    return entity?.kind === "constant" && index?.surface.language === "cpp" && /^[A-Z][A-Z0-9_]+$/.test(entity.name);
  }

  /** C++, Java, C#: a method or field, which may have the name of a type; above all a constructor. */
  isNoType(path: string, value: Value): boolean {
    const family = this.#in.files.get(path)?.family;
    if (family !== "c" && family !== "jvm" && family !== "csharp") return false;
    const entity =
      value.kind === "definition" ? this.#in.files.get(value.path)?.surface.entities[value.slot] : undefined;
    return entity?.kind !== "class" && entity?.kind !== "type" && entity?.kind !== "interface";
  }

  /** The name of a namespace; undefined for one that a macro stands for. */
  namespaceOf({ path, slot }: DefinitionRef): string | undefined {
    const entity = this.#in.files.get(path)?.surface.entities[slot];
    return entity?.kind === "module" ? entity.name : undefined;
  }

  /** The definition of a function that an included header declares, if one file has it. */
  linked(path: string, name: string): Value | undefined {
    if (this.#in.files.get(path)?.family !== "c" || name === "" || !this.#includes.isDeclared(path, name))
      return undefined;
    const all = this.functions(name);
    const [first, ...others] = all.length === 0 && isTestPath(path) ? this.#helpers(name) : all;
    if (!first) return undefined;
    if (others.every((each) => this.#isOverload(first, each)))
      return { kind: "definition", path: first.path, slot: first.slot };
    // Each program in a project may have its own, as a rule beside the file that calls it.
    const [near, ...more] = all.filter((each) => folderOf(each.path) === folderOf(path));
    return near && more.length === 0
      ? { kind: "definition", path: near.path, slot: near.slot, unsure: true }
      : undefined;
  }

  /** Overloads in one file. */
  #isOverload(a: DefinitionRef, b: DefinitionRef): boolean {
    const { language, entities } = this.#in.files.get(a.path)?.surface ?? { entities: [] };
    return language === "cpp" && a.path === b.path && entities[a.slot]?.qualified === entities[b.slot]?.qualified;
  }

  /** Functions of this name that other files can call, also those of a namespace that are written outside it. */
  functions(name: string): readonly NamedDefinition[] {
    return this.#in.named(name).filter((each) => {
      if (each.family !== "c" || !each.exported) return false;
      if (each.kind === "function") return !this.#in.files.get(each.path)?.surface.entities[each.slot]?.isMacro;
      const entity = each.kind === "method" ? this.detached.method(each) : undefined;
      return entity !== undefined && this.#isOfNamespace(typeIn(entity));
    });
  }

  /** Functions of tests that other tests can call. */
  #helpers(name: string): readonly NamedDefinition[] {
    return this.#in.named(name, true).filter(({ path, slot, exported }) => {
      return exported && !this.#in.files.get(path)?.surface.entities[slot]?.isMacro;
    });
  }

  #isOfNamespace(type: string): boolean {
    const all = this.#in.named(type.slice(type.lastIndexOf(".") + 1)).filter(({ family }) => family === "c");
    return all.some(({ kind }) => kind === "module") && !all.some(({ kind }) => kind === "class");
  }
}

/** Whether a definition is in one of the namespaces or classes of a scope. */
function isAround(qualified: string, scope: string): boolean {
  const outer = qualified.slice(0, Math.max(0, qualified.lastIndexOf(".")));
  for (let at = scope.indexOf("."); at > 0 && outer !== ""; at = scope.indexOf(".", at + 1))
    if (isSamePath(outer, scope.slice(0, at))) return true;
  return false;
}
