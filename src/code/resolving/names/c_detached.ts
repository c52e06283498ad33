/** C++: methods that a class declares, mostly in a header, and that are written elsewhere: `void Store::put() {…}`. */
import type { SurfaceEntity } from "../../facts.ts";
import { stem } from "../../test_paths.ts";
import type { Value } from "../evaluating/values.ts";
import type { DefinitionRef, WholeProject } from "../project/project_files.ts";
import type { Surfaces } from "../project/surface_index.ts";
import type { CIncludes } from "./c_includes.ts";
import { isSamePath, typeIn } from "./c_paths.ts";

type Definition = Extract<Value, { kind: "definition" }>;

interface CDetachedInput {
  files: Surfaces;
  named: WholeProject["named"];
  includes: CIncludes;
}

export class CDetached {
  readonly #in: CDetachedInput;

  constructor(input: CDetachedInput) {
    this.#in = input;
  }

  /** The class of a method that is written outside it: `void Store::put() {…}`. */
  classOf(path: string, slot: number): DefinitionRef | undefined {
    const index = this.#in.files.get(path);
    const method = index?.surface.entities[slot];
    if (index?.family !== "c" || method?.kind !== "method" || method.parent >= 0) return undefined;
    const type = method.qualified.slice(0, -method.name.length - 1);
    return this.#classNamed(path, type);
  }

  /** The class whose name fits the one that is written before a method: in what the file includes, the nearest first. */
  #classNamed(path: string, written: string): DefinitionRef | undefined {
    const name = written.slice(written.lastIndexOf(".") + 1);
    const all = this.#in.named(name).filter(({ family, kind }) => family === "c" && kind === "class");
    for (const each of this.#in.includes.of(path)) {
      for (const found of all) {
        if (found.path !== each) continue;
        const qualified = this.#in.files.get(each)?.surface.entities[found.slot]?.qualified ?? "";
        // A class in a class is never named alone.
        const isNested = written === name && found.member;
        if (!isNested && isSamePath(qualified, written)) return { path: each, slot: found.slot };
      }
    }
    // A header may include the bodies of its templates.
    const around = all.filter((found) => this.#in.includes.isIncluded(path, found.path) && !found.member);
    return around.length === 1 ? around[0] : undefined;
  }

  /** The definition of a method that its class, in a header, only declares; unsure if an overload is written in the class, or if several files may have it. */
  writtenElsewhere(path: string, slot: number): Definition | undefined {
    const index = this.#in.files.get(path);
    const method = index?.surface.entities[slot];
    if (index?.family !== "c" || method?.kind !== "method") return undefined;
    const type = index.surface.entities[method.parent]?.qualified;
    if (type === undefined) return undefined;
    const found = this.#in.named(method.name).filter((each) => {
      const entity = each.path === path || each.family !== "c" ? undefined : this.method(each);
      return entity !== undefined && isSamePath(type, typeIn(entity));
    });
    const likely = this.#likeliest(path, type, found);
    const [only] = likely;
    if (!only) return undefined;
    if (likely.some((each) => each.path !== only.path)) return { kind: "definition", path, slot, unsure: true };
    const written: Definition = { kind: "definition", path: only.path, slot: only.slot };
    return method.isDeclaration ? written : { ...written, unsure: true };
  }

  /** The definition of a method, for one that its class only declares. */
  written({ path, slot }: { path: string; slot: number }): { path: string; slot: number } {
    const found = this.writtenElsewhere(path, slot);
    return found ? { path: found.path, slot: found.slot } : { path, slot };
  }

  /** A method that is written outside its class. */
  method({ path, slot }: DefinitionRef): SurfaceEntity | undefined {
    const entity = this.#in.files.get(path)?.surface.entities[slot];
    return entity?.kind === "method" && entity.parent < 0 ? entity : undefined;
  }

  /** Of methods that may be those of a class in this header: those with the longest path, in files that include it, or that are named after it. */
  #likeliest(path: string, type: string, found: readonly DefinitionRef[]): readonly DefinitionRef[] {
    const isIn = (each: DefinitionRef): boolean => this.#in.includes.isIncluded(path, each.path);
    const isWhole = (each: DefinitionRef): boolean => typeIn(this.method(each)).length >= type.length;
    const isNamesake = (each: DefinitionRef): boolean => stem(each.path) === stem(path);
    let likely = found;
    for (const fits of [isIn, isWhole, isNamesake]) {
      if (likely.length < 2) return likely;
      const fitting = likely.filter(fits);
      if (fitting.length > 0) likely = fitting;
    }
    return likely;
  }
}
