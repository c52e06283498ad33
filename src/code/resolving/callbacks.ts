/** The arguments that functions of the project pass to their callbacks. */
import { BLOCK_SELF, TAG } from "../expression.ts";
import type { SurfaceEntity } from "../facts.ts";
import type { EvaluationInput } from "./evaluating/evaluation_input.ts";
import type { Value } from "./evaluating/values.ts";

type Definition = Extract<Value, { kind: "definition" }>;

export interface CallbacksInput extends EvaluationInput {
  member(path: string, of: Value | undefined, name: string): Value | undefined;
}

export class Callbacks {
  readonly #in: CallbacksInput;

  constructor(input: CallbacksInput) {
    this.#in = input;
  }

  /** The value that a function of the project passes to a parameter of a function that it is given. */
  passedBy(value: Definition, receiver: Value | undefined, argument: number, parameter: number): Value | undefined {
    const of = argumentsOf(value, receiver);
    for (const taking of this.taking(value)) {
      const type = this.#entity(taking)?.takes?.[argument]?.[parameter];
      if (!type) continue;
      // The object that runs the block is the one that the method is called on, whichever class defines the method.
      const isSelf = argument === BLOCK_SELF && type[0] === TAG.instance;
      if (isSelf && this.#entity(value)?.kind === "class") return { ...value, kind: "instance", of: [] };
      if (isSelf && (receiver?.kind === "instance" || receiver?.kind === "definition")) return receiver;
      return this.#in.withoutCycles(`k${argument}:${taking.slot}:${taking.path}`, () =>
        this.#in.withArguments(of, () => this.#in.evaluatedValue(taking.path, type)),
      );
    }
    return undefined;
  }

  /** The functions that receive what a call of the definition is given: the constructor of a class, or all overloads. */
  taking(value: Definition): readonly Definition[] {
    const index = this.#in.files.get(value.path);
    const entity = index?.surface.entities[value.slot];
    if (!index || !entity) return [];
    if (entity.kind === "class" && index.family === "ruby") {
      const made = this.#in.member(value.path, { ...value, kind: "instance", of: [] }, "initialize");
      return made?.kind === "definition" ? [made] : [];
    }
    const maker = index.family === "csharp" ? entity.name : index.family === "python" ? "__init__" : "constructor";
    const creator = entity.kind === "class" ? index.members.get(value.slot)?.get(maker) : undefined;
    const overloads = entity.parent < 0 ? index.top.get(entity.name) : undefined;
    const first = creator ?? value.slot;
    const slots = (creator === undefined ? overloads : undefined) ?? index.overloads.get(first) ?? [first];
    return slots.map((slot) => ({ kind: "definition", path: value.path, slot }));
  }

  #entity({ path, slot }: Definition): SurfaceEntity | undefined {
    return this.#in.files.get(path)?.surface.entities[slot];
  }
}

/** The type arguments of the class that has a method: those of a base, or else of the value it is called on. */
export function argumentsOf({ of }: Definition, receiver: Value | undefined): readonly (Value | undefined)[] {
  return of && of.length > 0 ? of : receiver?.kind === "instance" ? receiver.of : [];
}
