/** The type arguments of the value whose member, or of the call whose function, is being evaluated. */
import { type Expression, OWN_PARAMETERS } from "../../expression.ts";
import type { Value } from "./values.ts";

export class TypeArguments {
  #all: readonly (Value | undefined)[] = [];

  get all(): readonly (Value | undefined)[] {
    return this.#all;
  }

  /** Does the work with these type arguments. */
  during<T>(given: readonly (Value | undefined)[], work: () => T): T {
    const before = this.#all;
    this.#all = given;
    try {
      return work();
    } finally {
      this.#all = before;
    }
  }

  /** The value of a type parameter: its argument, or else the type that bounds it. */
  parameter(at: number, bound: (() => Value | undefined) | null): Value | undefined {
    const given = this.#all[at];
    if (given || !bound) return given;
    return this.during(at < OWN_PARAMETERS ? [] : this.#all, bound);
  }
}

/** C++: the arguments that a call states for a template, which follow those of the class. */
export function withStated(
  of: readonly (Value | undefined)[],
  stated: readonly (Expression | null)[],
  evaluate: (each: Expression) => Value | undefined,
): readonly (Value | undefined)[] {
  if (stated.length === 0) return of;
  const all: (Value | undefined)[] = Array.from({ length: OWN_PARAMETERS }, (_, at) => of[at]);
  return [...all, ...stated.map((each) => (each ? evaluate(each) : undefined))];
}
