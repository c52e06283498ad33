/**
 * Finds parts of a type that are written elsewhere: Ruby reopens classes and modules, C# has partial classes, Rust has
 * `impl`.
 */

import type { NamedDefinition, WholeProject } from "../project/project_files.ts";
import type { EvaluationInput } from "./evaluation_input.ts";
import type { Value } from "./values.ts";

const TYPES: ReadonlySet<string> = new Set(["class", "module", "interface"]);

export interface TypePartsInput extends EvaluationInput {
  named: WholeProject["named"];
}

export class TypeParts {
  readonly #in: TypePartsInput;

  constructor(input: TypePartsInput) {
    this.#in = input;
  }

  /** A member that another file adds to the type: Ruby reopens classes and modules, C# has partial classes. */
  reopened(path: string, slot: number, name: string): Value | undefined {
    const index = this.#in.files.get(path);
    const owner = index?.surface.entities[slot];
    if (!owner) return undefined;
    if (index.family === "rust") return this.#implemented(path, slot, owner.name, name);
    if (index.family !== "ruby" && index.family !== "csharp") return undefined;
    const wanted = `${owner.qualified}.${name}`;
    const found = this.#in.named(name).find((each) => {
      // A class of Ruby may be written twice in one file.
      if (each.family !== index.family || (each.path === path && index.family !== "ruby")) return false;
      const other = this.#in.files.get(each.path)?.surface;
      return other?.module === index.surface.module && other.entities[each.slot]?.qualified === wanted;
    });
    return found ? { kind: "definition", path: found.path, slot: found.slot } : this.#fieldElsewhere(path, slot, name);
  }

  /** A field that another part of the type declares. */
  #fieldElsewhere(path: string, slot: number, name: string): Value | undefined {
    for (const part of this.otherParts(path, slot)) {
      const property = this.#in.files.get(part.path)?.properties.get(part.slot)?.get(name);
      if (property)
        return this.#in.withoutCycles(`p${name}:${part.slot}:${part.path}`, () =>
          this.#in.evaluate(part.path, property, false),
        );
    }
    return undefined;
  }

  /** The other places where the type is written: Ruby reopens classes and modules, C# has partial classes. */
  otherParts(path: string, slot: number): readonly NamedDefinition[] {
    const own = this.#in.files.get(path);
    const owner = own?.surface.entities[slot];
    if (!own || !owner || (own.family !== "ruby" && own.family !== "csharp")) return [];
    return this.#in.named(owner.name).filter((each) => {
      if (each.family !== own.family || !TYPES.has(each.kind)) return false;
      if (each.path === path && (own.family !== "ruby" || each.slot === slot)) return false;
      const other = this.#in.files.get(each.path)?.surface;
      return other?.module === own.surface.module && other.entities[each.slot]?.qualified === owner.qualified;
    });
  }

  /** Rust: the type that an `impl` in another file than the type's is for, or that an alias names. */
  extendedType(path: string, slot: number): { path: string; slot: number } | undefined {
    const index = this.#in.files.get(path);
    const owner = index?.surface.entities[slot];
    if (index?.family !== "rust" || (owner?.kind !== "class" && owner?.kind !== "type") || !owner.value)
      return undefined;
    const { value } = owner;
    const found = this.#in.withoutCycles(`e${slot}:${path}`, () => this.#in.evaluate(path, value, true));
    if (found?.kind !== "definition" && found?.kind !== "instance") return undefined;
    return found.path === path && found.slot === slot ? undefined : found;
  }

  /** Rust: a method in an `impl` of another file. */
  #implemented(path: string, slot: number, type: string, name: string): Value | undefined {
    for (const each of this.#in.named(name)) {
      if (each.family !== "rust" || each.path === path) continue;
      const { entities } = this.#in.files.get(each.path)?.surface ?? { entities: [] };
      const owner = entities[each.slot]?.parent ?? -1;
      if (entities[owner]?.name !== type) continue;
      const extended = this.extendedType(each.path, owner);
      if (extended?.path === path && extended.slot === slot)
        return { kind: "definition", path: each.path, slot: each.slot };
    }
    return undefined;
  }
}
