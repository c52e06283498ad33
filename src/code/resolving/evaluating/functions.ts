/** Values of function types: the arguments they take, and the parameters that a function passed in their place gets. */
import { type Expression, type Given, TAG } from "../../expression.ts";
import type { SurfaceEntity } from "../../facts.ts";
import { MAX_OVERLOADS } from "../project/surface_index.ts";
import type { EvaluationInput } from "./evaluation_input.ts";
import { Inference } from "./inference.ts";
import { elementOf, type FunctionValue, OUTSIDE, together, type Value } from "./values.ts";

type Definition = Extract<Value, { kind: "definition" }>;

/** Limit on choices inside choices: sides of unions of unions, and overloads. */
const MAX_NESTED_CHOICES = 3;

interface FunctionsInput extends EvaluationInput {
  /** All overloads of a function, or the constructor of a class. */
  taking(value: Definition): readonly Definition[];
  member(path: string, of: Value | undefined, name: string): Value | undefined;
  bases(path: string, slot: number): readonly (Value | undefined)[];
}

export class Functions {
  readonly #in: FunctionsInput;
  readonly inference: Inference;
  #choices = 0;

  constructor(input: FunctionsInput) {
    this.#in = input;
    this.inference = new Inference({ ...input, functions: this });
  }

  /** The function type of a value: its own, or the call signatures of its interface. */
  of(value: Value | undefined): FunctionValue | undefined {
    if (!value || value.kind === "function") return value;
    if (value.kind !== "definition" && value.kind !== "instance" && value.kind !== "record") return undefined;
    const also = value.also?.find((each) => this.of(each));
    if (value.kind === "record") return this.of(also);
    const entity = this.#entity(value);
    if (!entity?.type) return this.of(also);
    const [tag, parameters, result, rest, self] = entity.type;
    const type = [tag, parameters, result ?? entity.returns ?? null, rest, self] as const;
    return { kind: "function", path: value.path, type, of: value.of ?? [] };
  }

  /** The first side of a union that is a function; else a value of all sides. */
  union(path: string, sides: readonly Expression[]): Value | undefined {
    const values: (Value | undefined)[] = [];
    const fn = this.#chosen(sides, (side) => {
      const value = this.#in.evaluatedValue(path, side);
      values.push(value);
      return this.of(value) ?? this.untyped(value);
    });
    const whole = fn ?? together(values);
    // The type of a constant of which nothing is known.
    const isConstant = whole?.kind === "definition" && this.#entity(whole)?.kind === "constant";
    return isConstant && sides.length === 1 ? undefined : whole;
  }

  /** The type of a function whose parameters have no known types. */
  untyped(value: Value | undefined): FunctionValue | undefined {
    const entity = value?.kind === "definition" ? this.#entity(value) : undefined;
    if (value?.kind !== "definition" || (entity?.kind !== "method" && entity?.kind !== "function")) return undefined;
    return {
      kind: "function",
      path: value.path,
      type: [TAG.functionType, [], entity.returns ?? null, null],
      of: value.of ?? [],
    };
  }

  /** The sides of a type that has all of them; none inside too many others. */
  sides(path: string, sides: readonly Expression[], types: boolean): (Value | undefined)[] {
    return this.#nested(() => sides.map((side) => this.#in.evaluate(path, side, types))) ?? [];
  }

  result({ path, type, of }: FunctionValue): Value | undefined {
    return this.#evaluated(path, type[2], of);
  }

  /** The value that a callee expects as an argument. */
  argument(path: string, callee: Expression, at: number, given?: Given): Value | undefined {
    const value = this.#in.evaluatedValue(path, callee);
    if (value?.kind === "outside" || value?.kind === "library") return OUTSIDE;
    if (value?.kind !== "definition") return this.taken(this.given(path, this.of(value), given), at);
    const expected = this.#in.taking(value).slice(0, MAX_OVERLOADS);
    let other: Value | undefined;
    const found = this.#chosen(expected, (overload) => {
      const of = this.inference.ofCall(path, { ...overload, of: value.of }, given);
      const taken = this.taken(this.of({ ...overload, of }), at);
      other ??= taken;
      return this.of(taken);
    });
    return found ?? other;
  }

  /** `this` in a function that stands where this value is expected, in an object that does, too. */
  self(path: string, expected: Expression | null, object: Expression | null): Value | undefined {
    const fn = expected ? this.of(this.#in.evaluatedValue(path, expected)) : undefined;
    const stated = fn && this.#evaluated(fn.path, fn.type[4], fn.of);
    return stated ?? (object ? this.#in.evaluatedValue(path, object) : undefined);
  }

  /** A parameter of a function that stands where this value is expected. */
  parameter(path: string, expected: Expression, at: number): Value | undefined {
    const value = this.#in.evaluatedValue(path, expected);
    // A type of a library may pass values of the project on: only what a library's function passes is known to be its own.
    if (value?.kind === "outside") return expected[0] === TAG.argument ? OUTSIDE : undefined;
    return this.taken(this.of(value), at);
  }

  /** A function with the type arguments of a call of it. */
  given(path: string, fn: FunctionValue | undefined, given: Given | undefined): FunctionValue | undefined {
    return fn && given ? { ...fn, of: this.inference.ofFunction(path, fn, given) } : fn;
  }

  /** A parameter of a function, by its position. */
  taken(fn: FunctionValue | undefined, at: number): Value | undefined {
    if (!fn) return undefined;
    const [, parameters, , rest] = fn.type;
    const known = parameters[at];
    if (known || at < parameters.length) return this.#evaluated(fn.path, known, fn.of);
    return rest?.[0] === TAG.element
      ? elementOf(this.#evaluated(fn.path, rest[1], fn.of))
      : this.#evaluated(fn.path, rest, fn.of);
  }

  #evaluated(path: string, type: Expression | null | undefined, of: FunctionValue["of"]): Value | undefined {
    return type ? this.#in.withArguments(of, () => this.#in.evaluatedValue(path, type)) : undefined;
  }

  /** The first that is known. */
  #chosen<T>(all: readonly T[], known: (each: T) => Value | undefined): Value | undefined {
    return this.#nested(() => {
      for (const each of all) {
        const found = known(each);
        if (found) return found;
      }
      return undefined;
    });
  }

  /** Each choice inside another multiplies the work. */
  #nested<T>(work: () => T): T | undefined {
    if (this.#choices >= MAX_NESTED_CHOICES) return undefined;
    this.#choices += 1;
    try {
      return work();
    } finally {
      this.#choices -= 1;
    }
  }

  #entity({ path, slot }: { path: string; slot: number }): SurfaceEntity | undefined {
    return this.#in.files.get(path)?.surface.entities[slot];
  }
}
