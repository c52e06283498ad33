/** Ruby: which of several methods of one name a call leads to. */
import { type Expression, TAG } from "../../expression.ts";
import type { Evaluator } from "../evaluating/evaluator.ts";
import type { DefinitionRef } from "../project/project_files.ts";
import type { SurfaceIndex, Surfaces } from "../project/surface_index.ts";

export class RubyMethods {
  readonly #path: string;
  readonly #index: SurfaceIndex;
  readonly #files: Surfaces;
  readonly #evaluator: Evaluator;

  constructor(path: string, index: SurfaceIndex, files: Surfaces, evaluator: Evaluator) {
    this.#path = path;
    this.#index = index;
    this.#files = files;
    this.#evaluator = evaluator;
  }

  /** `super` stays among the methods of classes or of instances, and a module keeps its own methods to itself. */
  inherited(from: number, { path, slot }: DefinitionRef): DefinitionRef | undefined {
    const entities = this.#files.get(path)?.surface.entities ?? [];
    const { name, parent = -1 } = entities[slot] ?? {};
    const isOfClass = this.#index.surface.entities[from]?.ofClass === true;
    const isOfBase = entities[parent]?.kind === "class";
    // A class may have a method of its own and one of its instances of the same name.
    const found = entities.findIndex((each) => {
      const fits = each.ofClass ? isOfClass && isOfBase : !isOfClass || !isOfBase;
      return fits && each.name === name && each.parent === parent;
    });
    return found < 0 ? undefined : { path, slot: found };
  }

  /** Of two methods of one name, the one of the class for a call on the class, else the one of its instances. */
  ofItsKind(from: number, callee: Expression, found: DefinitionRef): DefinitionRef {
    const index = this.#index.family === "ruby" ? this.#files.get(found.path) : undefined;
    const own = index?.surface.entities[found.slot];
    if (!index || !own || own.parent < 0) return found;
    const { entities } = index.surface;
    const other = entities.findIndex(
      ({ name, parent, ofClass }) => parent === own.parent && name === own.name && ofClass !== own.ofClass,
    );
    if (other < 0 && own.ofClass) return found;
    const isOfClass = this.#isCallOnClass(from, callee);
    if (other >= 0) return isOfClass === (own.ofClass === true) ? found : { path: found.path, slot: other };
    return (isOfClass ? this.#ofExtending(found.path, own.parent, own.name) : undefined) ?? found;
  }

  #isCallOnClass(from: number, callee: Expression): boolean {
    const receiver = callee[0] === TAG.member ? this.#evaluator.receiver(this.#path, callee[1]) : undefined;
    if (receiver) return receiver.kind === "definition";
    const around = this.#index.surface.entities[from];
    return callee[0] === TAG.memberOrFree && (around?.ofClass === true || around?.kind === "class");
  }

  /** A class or module may extend itself, or the classes that include it, with another module, its base. */
  #ofExtending(path: string, owner: number, name: string): DefinitionRef | undefined {
    const isModule = this.#files.get(path)?.surface.entities[owner]?.kind === "module";
    for (const base of this.#evaluator.bases(path, owner)) {
      if (base?.kind !== "definition") continue;
      const ofBase = this.#files.get(base.path)?.surface.entities[base.slot]?.kind;
      // The superclass has methods of instances.
      const found = isModule || ofBase === "module" ? this.#evaluator.memberOf(base, name) : undefined;
      if (found) return found;
    }
    return undefined;
  }
}
