/** PHP: methods of a value whose stated type is an interface of another package, or has one as a base: classes of the project implement it. */
import { TAG } from "../../expression.ts";
import type { Bases } from "../bases.ts";
import type { Members } from "../evaluating/members.ts";
import type { Value } from "../evaluating/values.ts";
import { isOwnLibraryName } from "../names/library_names.ts";
import type { DefinitionRef, WholeProject } from "../project/project_files.ts";
import type { Surfaces } from "../project/surface_index.ts";
import { visits } from "../visited_types.ts";

/** A method that more types have says too little. */
const MAX_METHODS = 200;
const INTERFACE = /^(\w+)Interface$/;

interface Interface {
  name: string;
  /** Whether a class implements it. */
  has(owner: DefinitionRef): boolean;
}

interface Method {
  method: DefinitionRef;
  owner: DefinitionRef;
}

export class Implementing {
  readonly #files: Surfaces;
  readonly #named: WholeProject["named"];
  readonly #members: Members;
  readonly #bases: Bases;

  constructor(files: Surfaces, named: WholeProject["named"], members: Members, bases: Bases) {
    this.#files = files;
    this.#named = named;
    this.#members = members;
    this.#bases = bases;
  }

  /**
   * A method of the only implementation in the project, or of the one that is named after the interface; unsure, because the
   * value may be another one. `found`: what the type itself has by this name.
   */
  find(receiver: Value | undefined, name: string, found: Value | undefined): Value | undefined {
    const type = this.#interfaceOf(receiver, found);
    const method = type
      ? (this.#ofOnly(type, name) ?? this.#ofNamesake(type, name))
      : this.#below(receiver, found, name);
    return method && { kind: "definition", path: method.path, slot: method.slot, unsure: true };
  }

  /** An interface of another package, or one of the project that has a base in another package. */
  #interfaceOf(receiver: Value | undefined, found: Value | undefined): Interface | undefined {
    if (receiver?.kind === "outside" && receiver.type !== undefined) {
      const { type } = receiver;
      return {
        name: type.slice(type.lastIndexOf("\\") + 1),
        has: (each) => this.#implements(each, type, new Set()),
      };
    }
    if (receiver?.kind !== "instance" || found?.kind !== "outside") return undefined;
    const index = this.#files.get(receiver.path);
    const entity = index?.family === "php" ? index.surface.entities[receiver.slot] : undefined;
    if (entity?.kind !== "interface") return undefined;
    return { name: entity.name, has: (each) => this.#inherits(each, receiver) };
  }

  #ofOnly({ has }: Interface, name: string): DefinitionRef | undefined {
    const found = this.#methods(name).filter(({ owner }) => has(owner));
    return found.find(({ owner }) => found.every((other) => this.#inherits(other.owner, owner)))?.method;
  }

  /**
   * A method that a trait or class does not have itself, but the classes that use or extend it: that of the only one, or the
   * one that all of them implement.
   */
  #below(receiver: Value | undefined, found: Value | undefined, name: string): DefinitionRef | undefined {
    if (receiver?.kind !== "instance" || this.#files.get(receiver.path)?.family !== "php") return undefined;
    // A base in another package may have the method, but a class of the project does have it.
    if (found && (found.kind !== "outside" || isOwnLibraryName("php", name))) return undefined;
    const all = this.#methods(name);
    const below = all.filter(({ owner }) => this.#inherits(owner, receiver));
    if (below.length === 0) return undefined;
    return all.find(({ owner }) => below.every((each) => this.#inherits(each.owner, owner)))?.method;
  }

  #methods(name: string): Method[] {
    const named = this.#named(name);
    return named.length > MAX_METHODS
      ? []
      : named.flatMap(({ family, kind, path, slot }) => {
          if (family !== "php" || kind !== "method") return [];
          const owner = { path, slot: this.#files.get(path)?.surface.entities[slot]?.parent ?? -1 };
          return [{ method: { path, slot }, owner }];
        });
  }

  /** Of several implementations of `StreamInterface`, the usual one is `Stream`; what they share is in a trait or an abstract class. */
  #ofNamesake(type: Interface, method: string): DefinitionRef | undefined {
    const [, name] = INTERFACE.exec(type.name) ?? [];
    if (name === undefined) return undefined;
    for (const each of [name, `Abstract${name}`, `${name}Trait`]) {
      const owners = this.#named(each).filter(({ family, kind }) => family === "php" && kind === "class");
      for (const owner of owners) {
        if (each !== `${name}Trait` && !type.has(owner)) continue;
        const found = this.#members.ownOrInherited(owner.path, owner.slot, method, new Set());
        if (found?.kind === "definition") return found;
      }
    }
    return undefined;
  }

  #inherits(type: DefinitionRef, other: DefinitionRef): boolean {
    return this.#members.inherits({ ...type, kind: "definition" }, { ...other, kind: "definition" });
  }

  /** Whether a class or one of its bases states the interface. */
  #implements({ path, slot }: DefinitionRef, type: string, seen: Set<string>): boolean {
    const surface = this.#files.get(path)?.surface;
    if (!surface || !visits(seen, { path, slot })) return false;
    const isStated = surface.bases.some(({ slot: of, target }) => {
      const stated = of === slot && target[0] === TAG.import ? surface.imports[target[1]] : undefined;
      return stated !== undefined && outsideName(stated) === type;
    });
    if (isStated) return true;
    return this.#bases.of(path, slot).some((base) => base?.kind === "definition" && this.#implements(base, type, seen));
  }
}

/** The whole name of a type of another package; undefined for one of PHP itself, which is in no namespace. */
export function outsideName({ source, name }: { source: string; name: string }): string | undefined {
  return source === "" ? undefined : `${source}\\${name}`;
}
