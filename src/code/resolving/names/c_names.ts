/** Names of C and C++: headers, namespaces, and classes whose methods are written in another file. */
import type { ImportTarget } from "../../modules/module.ts";
import type { WholeProject } from "../project/project_files.ts";
import type { Surfaces } from "../project/surface_index.ts";
import type { Value } from "../values.ts";

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
  /** The files that each file includes. */
  readonly #includeLists = new Map<string, readonly string[]>();

  constructor(input: CNamesInput) {
    this.#in = input;
  }

  /** A definition in a header that the file includes, directly or through others. */
  included(path: string, name: string, types: boolean): Value | undefined {
    for (const each of this.#includes(path)) {
      const slot = each === path ? undefined : this.#in.files.get(each)?.top.get(name)?.[0];
      if (slot !== undefined) return this.#in.definition(each, slot, types);
    }
    return undefined;
  }

  /** C++: a name in a namespace, which several headers and the file itself may continue. */
  inNamespace(path: string, name: string, types: boolean, namespace?: string): Value | undefined {
    for (const each of this.#includes(path)) {
      const index = this.#in.files.get(each);
      const { entities } = index?.surface ?? { entities: [] };
      const slot = index?.top.get(name)?.find((at) => entities[entities[at]?.parent ?? -1]?.name === namespace);
      if (slot !== undefined) return { kind: "definition", path: each, slot };
    }
    const own = this.#in.files.get(path)?.top.get(name)?.[0];
    if (own !== undefined) return this.#in.definition(path, own, types);
    return this.included(path, name, types) ?? (types ? this.onlyType(path, name) : undefined);
  }

  /** C++: the only class of its name in the file, in what it includes, or in the project: one that is in another class, or declared only. */
  onlyType(path: string, name: string): Value | undefined {
    if (name.length < MIN_TYPE_CHARS) return undefined;
    const all = this.#in.named(name).filter(({ family, kind }) => family === "c" && kind === "class");
    const own = all.filter((each) => each.path === path);
    const near =
      all.length > 1 && own.length === 0 ? all.filter((each) => this.#includes(path).includes(each.path)) : own;
    const [only, ...others] = near.length > 0 ? near : all;
    return only && others.length === 0 ? { kind: "definition", path: only.path, slot: only.slot } : undefined;
  }

  isNamespace({ path, slot }: { path: string; slot: number }): boolean {
    const index = this.#in.files.get(path);
    return index?.family === "c" && index.surface.entities[slot]?.kind === "module";
  }

  /** C++: the class of a method that is written outside it: `void Store::put() {…}`. */
  classOfDetached(path: string, slot: number): { path: string; slot: number } | undefined {
    const index = this.#in.files.get(path);
    const method = index?.surface.entities[slot];
    if (index?.family !== "c" || method?.kind !== "method" || method.parent >= 0) return undefined;
    const type = method.qualified.slice(0, -method.name.length - 1);
    const found = this.included(path, type, false);
    const kind = found?.kind === "definition" && this.#in.files.get(found.path)?.surface.entities[found.slot]?.kind;
    return kind === "class" && found?.kind === "definition" ? found : undefined;
  }

  /** C++: the definition of a method that its class, in a header, only declares; unsure if an overload is written in the class. */
  writtenElsewhere(path: string, slot: number): Value | undefined {
    const index = this.#in.files.get(path);
    const method = index?.surface.entities[slot];
    if (index?.family !== "c" || method?.kind !== "method") return undefined;
    const type = index.surface.entities[method.parent]?.name;
    const wanted = `${type}.${method.name}`;
    const [only, ...others] = this.#in.named(method.name).filter((each) => {
      return each.family === "c" && each.path !== path && this.#in.files.get(each.path)?.detached.has(wanted) === true;
    });
    if (!only || others.some((each) => each.path !== only.path)) return undefined;
    const written = this.#in.files.get(only.path)?.detached.get(wanted);
    if (written === undefined) return undefined;
    if (!method.isDeclaration) return { kind: "definition", path, slot, unsure: true };
    return { kind: "definition", path: only.path, slot: written };
  }

  /** The definition of a method, for one that its class only declares. */
  written({ path, slot }: { path: string; slot: number }): { path: string; slot: number } {
    const found = this.writtenElsewhere(path, slot);
    return found?.kind === "definition" ? { path: found.path, slot: found.slot } : { path, slot };
  }

  /** Whether another overload may be meant: also if the file defines a function of a name that a header declares for another file. */
  isUnsure(path: string, value: Value | undefined): boolean {
    if (value?.kind !== "definition") return false;
    if (value.unsure || value.path !== path) return value.unsure === true;
    const index = this.#in.files.get(path);
    const entity = index?.surface.entities[value.slot];
    if (index?.surface.language !== "cpp" || entity?.kind !== "function") return false;
    const [, ...included] = this.#includes(path);
    if (!included.some((each) => this.#in.files.get(each)?.declared.has(entity.name))) return false;
    return this.#in
      .named(entity.name)
      .some((each) => each.family === "c" && each.kind === "function" && each.path !== path);
  }

  /** C: the only definition of a function that an included header declares. */
  linked(path: string, name: string): Value | undefined {
    if (this.#in.files.get(path)?.family !== "c" || name === "" || !this.isDeclared(path, name)) return undefined;
    const [only, ...others] = this.#in.named(name).filter(({ family, kind, exported }) => {
      return family === "c" && kind === "function" && exported;
    });
    return only && others.length === 0 ? { kind: "definition", path: only.path, slot: only.slot } : undefined;
  }

  /** Whether the file or one that it includes declares the function. */
  isDeclared(path: string, name: string): boolean {
    return this.#includes(path).some((each) => this.#in.files.get(each)?.declared.has(name) === true);
  }

  /** The file and everything it includes, the nearest first. */
  #includes(path: string): readonly string[] {
    const known = this.#includeLists.get(path);
    if (known) return known;
    const found = new Set([path]);
    for (const each of found) {
      for (const at of this.#in.files.get(each)?.surface.imports.keys() ?? []) {
        const to = this.#in.importTarget(each, at);
        if (to.kind === "file") found.add(to.path);
      }
    }
    const list = [...found];
    this.#includeLists.set(path, list);
    return list;
  }
}
