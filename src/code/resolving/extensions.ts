/** Extension methods (C#): written in another class, and called like a member of the type of their first parameter. */
import type { Expression } from "../expression.ts";
import type { Members } from "./evaluating/members.ts";
import type { Value } from "./evaluating/values.ts";
import { isLibraryName } from "./names/library_names.ts";
import type { NamedDefinition, WholeProject } from "./project/project_files.ts";
import type { SurfaceIndex, Surfaces } from "./project/surface_index.ts";

export interface ExtensionsInput {
  files: Surfaces;
  named: WholeProject["named"];
  members: Members;
  evaluate(path: string, expression: Expression): Value | undefined;
}

export class Extensions {
  readonly #in: ExtensionsInput;

  constructor(input: ExtensionsInput) {
    this.#in = input;
  }

  /** The extension method that a call in this file leads to; undefined if several classes have one that fits. */
  find(path: string, receiver: Value | undefined, name: string): Value | undefined {
    const { files, named } = this.#in;
    const caller = files.get(path);
    const isKotlin = caller?.surface.language === "kotlin";
    if (
      !caller ||
      (caller.family !== "csharp" && !isKotlin) ||
      receiver?.kind === "definition" ||
      receiver?.kind === "module"
    )
      return undefined;
    // The libraries have extension methods of these names for nearly every type.
    if (receiver?.kind !== "instance" && isLibraryName("csharp", name)) return undefined;
    const fitting = named(name).filter((each) => each.family === caller.family && this.#fits(caller, receiver, each));
    const exact = fitting.length > 1 ? fitting.filter((each) => this.#isExact(receiver, each)) : [];
    const found = exact.length > 0 ? exact : fitting;
    const [first] = found;
    const owners = new Set(found.map((each) => `${this.#ownerOf(each)}`));
    return first && owners.size === 1 ? { kind: "definition", path: first.path, slot: first.slot } : undefined;
  }

  #fits(caller: SurfaceIndex, receiver: Value | undefined, { path, slot }: NamedDefinition): boolean {
    const surface = this.#in.files.get(path)?.surface;
    const added = surface?.entities[slot]?.extends;
    if (!surface || !added || !isVisible(caller, surface.module)) return false;
    const type = this.#in.evaluate(path, added);
    if (receiver?.kind !== "instance" || type?.kind !== "instance")
      return receiver?.kind !== "instance" || !type || type.kind !== "instance";
    return this.#in.members.inherits(receiver, type);
  }

  /** Whether it is added to the very type of a value from outside the project. */
  #isExact(receiver: Value | undefined, { path, slot }: NamedDefinition): boolean {
    const added = this.#in.files.get(path)?.surface.entities[slot]?.extends;
    const type = added && receiver?.kind === "outside" ? this.#in.evaluate(path, added) : undefined;
    return (
      type?.kind === "outside" && type.type !== undefined && receiver?.kind === "outside" && type.type === receiver.type
    );
  }

  #ownerOf({ path, slot }: NamedDefinition): string | undefined {
    return this.#in.files.get(path)?.surface.entities[slot]?.qualified;
  }
}

/** A namespace sees those around it and those that it uses. */
function isVisible({ surface }: SurfaceIndex, module: string): boolean {
  if (surface.module === module || surface.module.startsWith(`${module}.`) || module === "") return true;
  return surface.imports.some(
    ({ source, star }) => star === true && (module === source || module.endsWith(`.${source}`)),
  );
}
