/**
 * Infers the type parameters of a called function of TypeScript, C# or Python from its call: from the stated type
 * arguments, or else by comparing the values of the arguments with the types of the parameters.
 */
import { type Expression, type FunctionType, type Given, OWN_PARAMETERS, TAG } from "../../expression.ts";
import type { SurfaceEntity } from "../../facts.ts";
import type { DefinitionRef } from "../project/project_files.ts";
import type { EvaluationInput } from "./evaluation_input.ts";
import { hasParameter, type TypeArguments, TypeComparison, type TypeComparisonInput } from "./type_comparison.ts";
import type { Value } from "./values.ts";

type Definition = Extract<Value, { kind: "definition" }>;

/** Calls whose arguments are calls whose arguments …: each may have several, which multiplies the work. */
const MAX_NESTED = 3;

interface InferenceInput extends TypeComparisonInput {
  /** The functions that receive what a call of the definition is given. */
  taking(value: Definition): readonly Definition[];
}

export class Inference {
  readonly #in: InferenceInput;
  readonly #comparison: TypeComparison;
  #nested = 0;
  /** By definition: whether it has type parameters that a call determines. */
  readonly #generic = new WeakMap<SurfaceEntity, boolean>();

  constructor(input: InferenceInput) {
    this.#in = input;
    this.#comparison = new TypeComparison(input);
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
    if (parameters[0]) this.#comparison.compare(value.path, parameters[0], receiver, of);
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
      this.#comparison.compare(declaredIn, expected, this.#in.evaluatedValue(path, given), found);
    }
  }

  /** Whether the type has a parameter that is not known yet. */
  #mayTell(path: string, type: Expression, found: TypeArguments): boolean {
    const isUnknown = (at: number): boolean => found[at] === undefined;
    if (type[0] === TAG.record)
      return type[1].some(([, member]) => hasParameter(this.#comparison.shape(path, member), isUnknown));
    return hasParameter(type, isUnknown);
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

/** Type arguments that a call states are those of the function itself, if no other function is around it. */
function isAtTop({ files }: EvaluationInput, { path, slot }: DefinitionRef): boolean {
  const entities = files.get(path)?.surface.entities;
  const parent = entities?.[entities[slot]?.parent ?? -1];
  return !parent || parent.kind === "class" || parent.kind === "interface" || parent.kind === "module";
}

function hasOwn(expression: Expression | undefined): boolean {
  return expression !== undefined && hasParameter(expression, (at) => at >= OWN_PARAMETERS);
}
