/** Compares types with values of them: the type parameters in a type stand for parts of the value. */
import { type Expression, type FunctionType, TAG } from "../../expression.ts";
import type { SurfaceEntity } from "../../facts.ts";
import { isLambdaParameter, withTaken } from "../csharp/lambdas.ts";
import type { DefinitionRef } from "../project/project_files.ts";
import { visits } from "../visited_types.ts";
import type { EvaluationInput } from "./evaluation_input.ts";
import { elementOf, type FunctionValue, libraryValue, type Value } from "./values.ts";

export type TypeArguments = readonly (Value | undefined)[];
type Typed = Extract<Value, { kind: "definition" | "instance" }>;

/** Types inside types that are compared. */
const MAX_DEPTH = 6;

/** Values of function types. */
interface FunctionReader {
  of(value: Value | undefined): FunctionValue | undefined;
  untyped(value: Value | undefined): FunctionValue | undefined;
  result(fn: FunctionValue): Value | undefined;
  taken(fn: FunctionValue, at: number): Value | undefined;
}

/** Stands for the part of a type that only wraps another. */
const OF_PART: Value = { kind: "outside" };

export interface TypeComparisonInput extends EvaluationInput {
  functions: FunctionReader;
  member(path: string, of: Value | undefined, name: string): Value | undefined;
  bases(path: string, slot: number): readonly (Value | undefined)[];
}

export class TypeComparison {
  readonly #in: TypeComparisonInput;

  constructor(input: TypeComparisonInput) {
    this.#in = input;
  }

  /** Compares a type with a value of it; the type parameters in it stand for parts of the value. */
  compare(path: string, type: Expression, value: Value | undefined, found: (Value | undefined)[], depth = 0): void {
    if (!value || depth > MAX_DEPTH) return;
    switch (type[0]) {
      case TAG.parameter:
        // A value outside the project tells less than the bound of the parameter.
        if (value.kind !== "outside" || !type[2]) found[type[1]] ??= this.#typeOf(value);
        return;
      case TAG.union:
      case TAG.bounds:
        for (const side of type[1]) this.compare(path, side, value, found, depth + 1);
        return;
      case TAG.functionType:
        this.#compareFunctions(path, type, value, found, depth);
        return;
      case TAG.record:
        for (const [name, member] of type[1]) {
          const shape = this.shape(path, member);
          if (hasParameter(shape)) this.compare(path, shape, this.#in.member(path, value, name), found, depth + 1);
        }
        return;
      case TAG.ofType:
        this.#compareTypes(path, type[1], type[2], value, found, depth);
    }
  }

  /** A function has a type of its own, which other functions have, too. */
  #typeOf(value: Value): Value {
    const isFunction = value.kind === "definition" && this.#entity(value)?.kind !== "class";
    return isFunction ? (this.#in.functions.of(value) ?? this.#in.functions.untyped(value) ?? value) : value;
  }

  /** The type of a member; that of a function which is a definition. */
  shape(path: string, member: Expression): Expression {
    const entity = member[0] === TAG.definition ? this.#entity({ path, slot: member[1] }) : undefined;
    if (!entity) return member;
    const [tag, parameters, , rest] = entity.type ?? [TAG.functionType, [], null, null];
    return [tag, parameters, entity.returns ?? null, rest];
  }

  #compareFunctions(
    path: string,
    [, parameters, result]: FunctionType,
    value: Value,
    found: (Value | undefined)[],
    depth: number,
  ): void {
    if (value.kind === "definition" && this.#entity(value)?.kind === "class") {
      if (result)
        this.compare(path, result, { kind: "instance", path: value.path, slot: value.slot, of: [] }, found, depth + 1);
      return;
    }
    const fn = this.#in.functions.of(value) ?? this.#in.functions.untyped(value);
    if (!fn) return;
    const taken = fn.type[1].some(isLambdaParameter)
      ? parameters.map((each) =>
          each ? this.#in.withArguments(found, () => this.#in.evaluatedValue(path, each)) : undefined,
        )
      : [];
    const called = taken.length > 0 ? { ...fn, of: withTaken(fn.type[1], fn.of, taken) } : fn;
    if (result && hasParameter(result)) this.compare(path, result, this.#in.functions.result(called), found, depth + 1);
    for (const [at, parameter] of parameters.entries())
      if (parameter && hasParameter(parameter))
        this.compare(path, parameter, this.#in.functions.taken(fn, at), found, depth + 1);
  }

  #compareTypes(
    path: string,
    head: Expression,
    parts: readonly (Expression | null)[],
    value: Value,
    found: (Value | undefined)[],
    depth: number,
  ): void {
    const [first] = parts;
    const type = this.#in.evaluate(path, head, true);
    if (type?.kind !== "definition") {
      const name = this.#libraryName(path, head);
      if (name === undefined || !first) return;
      // Python: a class itself.
      if (/^[Tt]ype$/.test(name) && value.kind === "definition")
        this.compare(path, first, { kind: "instance", path: value.path, slot: value.slot, of: [] }, found, depth + 1);
      // `Readonly<T>` is a `T`; a list has its elements.
      const isCsharp = this.#in.files.get(path)?.family === "csharp";
      const library = isCsharp ? undefined : libraryValue(name, [OF_PART]);
      if (library === OF_PART) this.compare(path, first, value, found, depth + 1);
      else if (value.kind === "library" && parts.length > 1) this.#compareAll(path, parts, value.of, found, depth);
      else if (value.kind === "library") this.compare(path, first, elementOf(value) ?? value.of[0], found, depth + 1);
      return;
    }
    const entity = this.#entity(type);
    const alias = entity?.kind === "type" ? entity.value : (entity?.type ?? undefined);
    if (value.kind === "instance") {
      const seen = this.#asType(value, type, new Set());
      if (seen) {
        this.#compareAll(path, parts, seen, found, depth);
        return;
      }
    }
    if (!alias) return;
    const inner: (Value | undefined)[] = [];
    this.compare(type.path, alias, value, inner, depth + 1);
    this.#compareAll(path, parts, inner, found, depth);
  }

  /** The name of a type of the library; in Python it is imported. */
  #libraryName(path: string, head: Expression): string | undefined {
    if (head[0] === TAG.freeName) return head[1];
    const file = this.#in.files.get(path);
    if (file?.family !== "python") return undefined;
    if (head[0] === TAG.member) return head[2];
    return head[0] === TAG.import ? file.surface.imports[head[1]]?.name : undefined;
  }

  #compareAll(
    path: string,
    parts: readonly (Expression | null)[],
    values: TypeArguments,
    found: (Value | undefined)[],
    depth: number,
  ): void {
    for (const [at, part] of parts.entries()) if (part) this.compare(path, part, values[at], found, depth + 1);
  }

  /** The type arguments that a value has as a value of one of its bases; undefined if it is none. */
  #asType(value: Typed, type: DefinitionRef, seen: Set<string>): TypeArguments | undefined {
    if (value.path === type.path && value.slot === type.slot) return value.of ?? [];
    if (!visits(seen, value)) return undefined;
    const stated = this.#in.files.get(value.path)?.surface.bases.filter(({ slot }) => slot === value.slot) ?? [];
    for (const [at, base] of this.#in.bases(value.path, value.slot).entries()) {
      if (base?.kind !== "definition") continue;
      const of = stated[at]?.of?.map((each) =>
        each ? this.#in.withArguments(value.of ?? [], () => this.#in.evaluatedValue(value.path, each)) : undefined,
      );
      const found = this.#asType({ ...base, of: of ?? [] }, type, seen);
      if (found) return found;
    }
    return undefined;
  }

  #entity({ path, slot }: DefinitionRef): SurfaceEntity | undefined {
    return this.#in.files.get(path)?.surface.entities[slot];
  }
}

export function hasParameter(expression: unknown, is: (at: number) => boolean = () => true): boolean {
  if (!Array.isArray(expression)) return false;
  if (expression[0] === TAG.parameter && typeof expression[1] === "number") return is(expression[1]);
  return expression.some((part) => hasParameter(part, is));
}
