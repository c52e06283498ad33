/** Rust: methods that a trait in scope adds to types of other crates, such as `Result`. */
import { type Expression, TAG } from "../../expression.ts";
import type { Value } from "../evaluating/values.ts";
import { isLibraryName, isOwnLibraryName } from "../names/library_names.ts";
import type { NamedDefinition, WholeProject } from "../project/project_files.ts";
import type { Surfaces } from "../project/surface_index.ts";

export interface TraitsInput {
  files: Surfaces;
  named: WholeProject["named"];
  evaluate(path: string, expression: Expression, types: boolean): Value | undefined;
}

export class Traits {
  readonly #in: TraitsInput;

  constructor(input: TraitsInput) {
    this.#in = input;
  }

  /** The method of the only trait in scope that has it, for a receiver whose type is known but has no such method. */
  find(path: string, receiver: Value | undefined, name: string): Value | undefined {
    const { files, named } = this.#in;
    if (files.get(path)?.family !== "rust") return undefined;
    // The library of another language says nothing about a type of the project.
    const isLibrary = receiver?.kind === "instance" ? isOwnLibraryName : isLibraryName;
    if (isLibrary("rust", name) && !this.#isBounded(receiver)) return undefined;
    if (receiver?.kind !== "instance" && receiver?.kind !== "library" && receiver?.kind !== "outside") return undefined;
    const found = named(name).filter((each) => this.#isOfTraitInScope(path, each));
    const [only] = found;
    return only && found.length === 1 ? { kind: "definition", path: only.path, slot: only.slot } : undefined;
  }

  /** A value known by one of its traits has only methods of traits, so the name may be one of the library, too. */
  #isBounded(receiver: Value | undefined): boolean {
    if (receiver?.kind !== "instance") return false;
    return this.#in.files.get(receiver.path)?.surface.entities[receiver.slot]?.kind === "interface";
  }

  #isOfTraitInScope(path: string, { family, member, path: at, slot }: NamedDefinition): boolean {
    if (family !== "rust" || !member) return false;
    const { entities } = this.#in.files.get(at)?.surface ?? { entities: [] };
    const owner = entities[slot]?.parent ?? -1;
    const trait = entities[owner];
    if (trait?.kind !== "interface") return false;
    if (at === path) return true;
    const imports = this.#in.files.get(path)?.surface.imports ?? [];
    const stated = imports.findIndex((each) => each.name === trait.name);
    const name: Expression = stated < 0 ? [TAG.freeName, trait.name] : [TAG.import, stated];
    const value = this.#in.evaluate(path, name, true);
    return value?.kind === "definition" && value.path === at && value.slot === owner;
  }
}
