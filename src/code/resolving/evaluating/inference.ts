/**
 * Infers the type parameters of a called function of TypeScript, C# or Python from its call: from the stated type
 * arguments, or else by comparing the values of the arguments with the types of the parameters.
 */
import { type Expression, type FunctionType, type Given, OWN_PARAMETERS, TAG } from "../../expression.ts";
import type { SurfaceEntity } from "../../facts.ts";
import { isLambdaParameter, withTaken } from "../csharp/lambdas.ts";
import type { DefinitionRef } from "../project/project_files.ts";
import type { EvaluationInput } from "./evaluation_input.ts";
import { elementOf, type FunctionValue, libraryValue, type Value } from "./values.ts";

type TypeArguments = readonly (Value | undefined)[];
type Definition = Extract<Value, { kind: "definition" }>;
type Typed = Definition | Extract<Value, { kind: "instance" }>;

/** Types inside types that are compared. */
const MAX_DEPTH = 6;
/** Calls whose arguments are calls whose arguments …: each may have several, which multiplies the work. */
const MAX_NESTED = 3;

/** Values of function types. */
interface FunctionReader {
  of(value: Value | undefined): FunctionValue | undefined;
  untyped(value: Value | undefined): FunctionValue | undefined;
  result(fn: FunctionValue): Value | undefined;
  taken(fn: FunctionValue, at: number): Value | undefined;
}

interface InferenceInput extends EvaluationInput {
  functions: FunctionReader;
  member(path: string, of: Value | undefined, name: string): Value | undefined;
  /** The functions that receive what a call of the definition is given. */
  taking(value: Definition): readonly Definition[];
  bases(path: string, slot: number): readonly (Value | undefined)[];
}

export class Inference {
  readonly #in: InferenceInput;
  #nested = 0;
  /** By definition: whether it has type parameters that a call determines. */
  readonly #generic = new WeakMap<SurfaceEntity, boolean>();

  constructor(input: InferenceInput) {
    this.#in = input;
  }

  /** The type arguments of a call of a function. `path`: the file with the call. */
  ofCall(path: string, value: Definition, given: Given | undefined, receiver?: Value): TypeArguments | undefined {
    const entity = given && this.#entity(value);
    if (!entity || !this.#isGeneric(entity)) return value.of;
    const [, parameters = [], , rest = null] = entity.type ?? [];
    const of = [...(value.of ?? [])];
    if (!receiver || !entity.type)
      return this.#found(path, value.path, entity.type, of, given, isAtTop(this.#in, value));
    // C#: an extension method is called on its first argument.
    if (parameters[0]) this.#compare(value.path, parameters[0], receiver, of, 0);
    const others: FunctionType = [TAG.functionType, parameters.slice(1), null, rest];
    return this.#found(path, value.path, others, of, given, true);
  }

  /** Whether a function has type parameters that a call determines. */
  isGeneric(value: Definition): boolean {
    const entity = this.#entity(value);
    return entity !== undefined && this.#isGeneric(entity);
  }

  /** The type arguments of a call of a value of a function type. */
  ofFunction(path: string, fn: { path: string; type: FunctionType; of: TypeArguments }, given: Given): TypeArguments {
    return hasOwn(fn.type) ? (this.#found(path, fn.path, fn.type, fn.of, given, true) ?? fn.of) : fn.of;
  }

  /** The type arguments of a new instance, by what its constructor is given. */
  ofNew(path: string, value: Definition, given: Given): TypeArguments {
    for (const maker of this.#in.taking(value)) {
      const type = this.#entity(maker)?.type;
      if (!type || maker.slot === value.slot || !hasParameter(type, (at) => at < OWN_PARAMETERS)) continue;
      return this.#found(path, maker.path, type, [], given, false)?.slice(0, OWN_PARAMETERS) ?? [];
    }
    return this.#ofFields(path, value, given);
  }

  /** Python: a class without a constructor of its own is given the values of its fields. */
  #ofFields(path: string, value: Definition, given: Given): TypeArguments {
    const index = this.#in.files.get(value.path);
    const fields = index?.family === "python" ? [...(index.properties.get(value.slot)?.values() ?? [])] : [];
    if (!hasParameter(fields) || index?.members.get(value.slot)?.has("__init__")) return [];
    return this.#found(path, value.path, [TAG.functionType, fields, null, null], [], given, false) ?? [];
  }

  #found(
    path: string,
    declaredIn: string,
    type: FunctionType | undefined,
    of: TypeArguments,
    [types, values]: Given,
    isAtTop: boolean,
  ): TypeArguments | undefined {
    const found = [...of];
    if (isAtTop)
      for (const [at, stated] of types.entries())
        if (stated) found[OWN_PARAMETERS + at] = this.#in.evaluatedValue(path, stated);
    if (!type || this.#nested >= MAX_NESTED) return found;
    this.#nested += 1;
    try {
      this.#compareArguments(path, declaredIn, type, values, found);
    } finally {
      this.#nested -= 1;
    }
    return found;
  }

  #compareArguments(
    path: string,
    declaredIn: string,
    [, parameters, , rest]: FunctionType,
    values: Given[1],
    found: (Value | undefined)[],
  ): void {
    for (const [at, given] of values.entries()) {
      const expected = parameters[at] ?? (at >= parameters.length ? rest : null);
      if (!given || !expected || !this.#mayTell(declaredIn, expected, found)) continue;
      this.#compare(declaredIn, expected, this.#in.evaluatedValue(path, given), found, 0);
    }
  }

  /** Whether the type has a parameter that is not known yet. */
  #mayTell(path: string, type: Expression, found: TypeArguments): boolean {
    const isUnknown = (at: number): boolean => found[at] === undefined;
    if (type[0] === TAG.record) return type[1].some(([, member]) => hasParameter(this.#shape(path, member), isUnknown));
    return hasParameter(type, isUnknown);
  }

  /** Compares a type with a value of it; the type parameters in it stand for parts of the value. */
  #compare(
    path: string,
    type: Expression,
    value: Value | undefined,
    found: (Value | undefined)[],
    depth: number,
  ): void {
    if (!value || depth > MAX_DEPTH) return;
    switch (type[0]) {
      case TAG.parameter:
        // A value outside the project tells less than the bound of the parameter.
        if (value.kind !== "outside" || !type[2]) found[type[1]] ??= this.#typeOf(value);
        return;
      case TAG.union:
      case TAG.bounds:
        for (const side of type[1]) this.#compare(path, side, value, found, depth + 1);
        return;
      case TAG.functionType:
        this.#compareFunctions(path, type, value, found, depth);
        return;
      case TAG.record:
        for (const [name, member] of type[1]) {
          const shape = this.#shape(path, member);
          if (hasParameter(shape)) this.#compare(path, shape, this.#in.member(path, value, name), found, depth + 1);
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
  #shape(path: string, member: Expression): Expression {
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
        this.#compare(path, result, { kind: "instance", path: value.path, slot: value.slot, of: [] }, found, depth + 1);
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
    if (result && hasParameter(result))
      this.#compare(path, result, this.#in.functions.result(called), found, depth + 1);
    for (const [at, parameter] of parameters.entries())
      if (parameter && hasParameter(parameter))
        this.#compare(path, parameter, this.#in.functions.taken(fn, at), found, depth + 1);
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
        this.#compare(path, first, { kind: "instance", path: value.path, slot: value.slot, of: [] }, found, depth + 1);
      // `Readonly<T>` is a `T`; a list has its elements.
      const isCsharp = this.#in.files.get(path)?.family === "csharp";
      const library = isCsharp ? undefined : libraryValue(name, [OF_PART]);
      if (library === OF_PART) this.#compare(path, first, value, found, depth + 1);
      else if (value.kind === "library" && parts.length > 1) this.#compareAll(path, parts, value.of, found, depth);
      else if (value.kind === "library") this.#compare(path, first, elementOf(value) ?? value.of[0], found, depth + 1);
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
    this.#compare(type.path, alias, value, inner, depth + 1);
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
    for (const [at, part] of parts.entries()) if (part) this.#compare(path, part, values[at], found, depth + 1);
  }

  /** The type arguments that a value has as a value of one of its bases; undefined if it is none. */
  #asType(value: Typed, type: DefinitionRef, seen: Set<string>): TypeArguments | undefined {
    if (value.path === type.path && value.slot === type.slot) return value.of ?? [];
    const key = `${value.slot}:${value.path}`;
    if (seen.has(key)) return undefined;
    seen.add(key);
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

  #isGeneric(entity: SurfaceEntity): boolean {
    const known = this.#generic.get(entity);
    if (known !== undefined) return known;
    const is = hasOwn(entity.type) || hasOwn(entity.returns);
    this.#generic.set(entity, is);
    return is;
  }

  #entity({ path, slot }: DefinitionRef): SurfaceEntity | undefined {
    return this.#in.files.get(path)?.surface.entities[slot];
  }
}

/** Stands for the part of a type that only wraps another. */
const OF_PART: Value = { kind: "outside" };

/** Type arguments that a call states are those of the function itself, if no other function is around it. */
function isAtTop({ files }: EvaluationInput, { path, slot }: DefinitionRef): boolean {
  const entities = files.get(path)?.surface.entities;
  const parent = entities?.[entities[slot]?.parent ?? -1];
  return !parent || parent.kind === "class" || parent.kind === "interface" || parent.kind === "module";
}

function hasOwn(expression: Expression | undefined): boolean {
  return expression !== undefined && hasParameter(expression, (at) => at >= OWN_PARAMETERS);
}

function hasParameter(expression: unknown, is: (at: number) => boolean = () => true): boolean {
  if (!Array.isArray(expression)) return false;
  if (expression[0] === TAG.parameter && typeof expression[1] === "number") return is(expression[1]);
  return expression.some((part) => hasParameter(part, is));
}
