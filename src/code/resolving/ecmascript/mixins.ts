/**
 * JavaScript: bases that a function makes of other classes: `class App extends Logged(Base)`. The class that the function
 * returns extends a parameter, so the members of what it is given are inherited, too.
 */
import { type Expression, TAG } from "../../expression.ts";
import type { EvaluationInput } from "../evaluating/evaluation_input.ts";
import type { Value } from "../evaluating/values.ts";

const MAX_GIVEN = 4;
/** Mixins of mixins. */
const MAX_NESTED = 12;

type Definition = Extract<Value, { kind: "definition" }>;

export class Mixins {
  readonly #in: EvaluationInput;

  constructor(input: EvaluationInput) {
    this.#in = input;
  }

  /** The base, with the classes that a call which makes it is given. */
  completed(path: string, stated: Expression, base: Value | undefined): Value | undefined {
    if (base?.kind !== "definition" || this.#in.files.get(path)?.family !== "ecmascript") return base;
    const constant = this.#constant(base);
    const made = constant ? this.#in.evaluatedValue(constant.path, constant.value) : base;
    const [at, call] = constant ? [constant.path, constant.value] : [path, stated];
    if (made?.kind !== "definition") return base;
    const given = this.#given(at, call, 0).filter((each) => each.slot !== made.slot || each.path !== made.path);
    return given.length === 0 ? made : { ...made, also: [...(made.also ?? []), ...given] };
  }

  #given(path: string, call: Expression, depth: number): Definition[] {
    const target = call[0] === TAG.passedOn || call[0] === TAG.mapped ? call[1] : call;
    if (target[0] !== TAG.call || depth > MAX_NESTED) return [];
    const values = target[3]?.[1].slice(0, MAX_GIVEN) ?? [];
    return values.flatMap((each): Definition[] => {
      const value = each ? this.#in.evaluate(path, each) : undefined;
      if (!each || value?.kind !== "definition" || !this.#isClass(value)) return [];
      return [value, ...this.#given(path, each, depth + 1)];
    });
  }

  #isClass({ path, slot }: Definition): boolean {
    return this.#in.files.get(path)?.surface.entities[slot]?.kind === "class";
  }

  /** A constant that holds the class. */
  #constant({ path, slot }: Definition): { path: string; value: Expression } | undefined {
    const entity = this.#in.files.get(path)?.surface.entities[slot];
    return entity?.kind === "constant" && entity.value ? { path, value: entity.value } : undefined;
  }
}
