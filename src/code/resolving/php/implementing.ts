/** PHP: methods of a value whose stated type is an interface of another package, which classes of the project implement. */
import { TAG } from "../../expression.ts";
import type { Bases } from "../bases.ts";
import type { Members } from "../members.ts";
import type { DefinitionRef, WholeProject } from "../project/project_files.ts";
import type { Surfaces } from "../project/surface_index.ts";
import type { Value } from "../values.ts";

/** A method that more types have says too little. */
const MAX_METHODS = 200;

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

  /** The method of the only implementation in the project; unsure, because the value may be one of another package. */
  find(receiver: Value | undefined, name: string): Value | undefined {
    const type = receiver?.kind === "outside" ? receiver.type : undefined;
    const methods = type === undefined ? [] : this.#named(name);
    if (type === undefined || methods.length === 0 || methods.length > MAX_METHODS) return undefined;
    const found: { method: DefinitionRef; owner: DefinitionRef }[] = [];
    for (const { family, kind, path, slot } of methods) {
      if (family !== "php" || kind !== "method") continue;
      const owner = { path, slot: this.#files.get(path)?.surface.entities[slot]?.parent ?? -1 };
      if (this.#implements(owner, type, new Set())) found.push({ method: { path, slot }, owner });
    }
    const base = found.find(({ owner }) => found.every((other) => this.#inherits(other.owner, owner)));
    return base && { kind: "definition", path: base.method.path, slot: base.method.slot, unsure: true };
  }

  #inherits(type: DefinitionRef, other: DefinitionRef): boolean {
    return this.#members.inherits({ ...type, kind: "definition" }, { ...other, kind: "definition" });
  }

  /** Whether a class or one of its bases states the interface. */
  #implements({ path, slot }: DefinitionRef, type: string, seen: Set<string>): boolean {
    const key = `${slot}:${path}`;
    const surface = this.#files.get(path)?.surface;
    if (!surface || seen.has(key)) return false;
    seen.add(key);
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
