/** C#: the results of calls, what a callee passes to a function that it is given, and what it writes to `out` arguments. */
import { type Expression, type Given, nameIn, TAG, WRITTEN } from "../../expression.ts";
import type { SurfaceEntity } from "../../facts.ts";
import type { EvaluationInput } from "../evaluating/evaluation_input.ts";
import type { Functions } from "../evaluating/functions.ts";
import { OUTSIDE, type Value } from "../evaluating/values.ts";
import { csharpElement, csharpResult, csharpWritten } from "./library.ts";
import { Sequences } from "./sequences.ts";
import { staticResult, staticSequence } from "./statics.ts";

type Definition = Extract<Value, { kind: "definition" }>;

export interface CsharpInput extends EvaluationInput {
  functions: Functions;
  member(path: string, of: Value | undefined, name: string): Value | undefined;
  /** All overloads of a method, or the constructors of a class. */
  taking(value: Definition): readonly Definition[];
  resultOf(value: Definition, of: readonly (Value | undefined)[]): Value | undefined;
  bases(path: string, slot: number): readonly (Value | undefined)[];
}

/** A call whose parts are evaluated once: twice for each call of a chain would be exponential. */
interface Called {
  path: string;
  name: string;
  receiver: Value | undefined;
  value: Value | undefined;
  given: Given | undefined;
  /** The name before the dot, if it is one: `Task.Run`. */
  type: string;
}

const NO_GIVEN: Given = [[], []];
/** Methods of libraries that return a value of their type argument. */
const GIVES_TYPE =
  /^(?:Get|Resolve|Create|Value|Of|ToObject|Deserialize(?:Object)?|FromJson|Cast|As|Get(?:Required)?(?:Keyed)?Service|GetRequired|GetInstance|CreateInstance|GetValue|GetComponent(?:InChildren|InParent)?|AddComponent|GetCustomAttribute|GetFromJson|ReadFromJson|ReadAs|Single|First|Fixture|Instance)(Async)?$/;

export class CsharpCalls {
  readonly #in: CsharpInput;
  readonly #sequences: Sequences;

  constructor(input: CsharpInput) {
    this.#in = input;
    this.#sequences = new Sequences(input);
  }

  result(path: string, callee: Expression, given: Given | undefined): Value | undefined {
    const called = this.#called(path, callee, given);
    const { name, receiver, value } = called;
    if (value?.kind === "definition") return this.#resultOf(called, value);
    if (value && value.kind !== "outside") {
      const fn = this.#in.functions.of(value);
      if (fn) return this.#in.functions.result(fn);
      return name === "[]" ? value : undefined;
    }
    const sequence = this.#sequences.of(receiver);
    if (sequence) return this.#sequences.result(path, sequence, name, given) ?? csharpResult(sequence, name) ?? OUTSIDE;
    return this.#outside(called) ?? (value ? OUTSIDE : undefined);
  }

  /** The values that a callee passes to a function among its arguments, or writes to an argument. */
  passed(path: string, callee: Expression, argument: number, parameter: number, given?: Given): Value | undefined {
    const called = this.#called(path, callee, given);
    const { name, receiver, value, type } = called;
    if (value?.kind === "definition") return this.#taken(called, value, argument, parameter);
    if (value && value.kind !== "outside") {
      const taken = this.#in.functions.taken(this.#in.functions.of(value), argument);
      return parameter === WRITTEN ? taken : this.#in.functions.taken(this.#in.functions.of(taken), parameter);
    }
    const sequence = this.#sequences.of(receiver);
    if (sequence && parameter === WRITTEN) return csharpWritten(sequence, name) ?? OUTSIDE;
    if (sequence) return this.#sequences.passed(path, sequence, name, argument, parameter, given) ?? OUTSIDE;
    const first = staticSequence(type, name) && given?.[1][0] ? this.#in.evaluatedValue(path, given[1][0]) : undefined;
    const listed = this.#sequences.of(first);
    if (listed) return this.#sequences.passed(path, listed, name, argument, parameter, undefined) ?? OUTSIDE;
    return value ? OUTSIDE : undefined;
  }

  /** The elements of a loop: those of a list, or of an object that says itself what its elements are. */
  element(path: string, whole: Value | undefined): Value | undefined {
    const maker = whole?.kind === "instance" ? this.#in.member(path, whole, "GetEnumerator") : undefined;
    const made = maker?.kind === "definition" ? this.#in.resultOf(maker, maker.of ?? []) : undefined;
    if (made?.kind === "instance") {
      const current = this.#in.member(path, made, "Current");
      if (current && current.kind !== "outside") return current;
    }
    return csharpElement(this.#sequences.of(made) ?? this.#sequences.of(whole) ?? whole);
  }

  /** One of the parts that a value is taken apart into: `var (a, b) = x`. */
  part(path: string, whole: Value, index: number): Value | undefined {
    if (whole.kind === "library") return whole.of[index] ?? OUTSIDE;
    if (whole.kind === "record") return this.#in.member(path, whole, `Item${index + 1}`);
    if (whole.kind !== "instance") return whole.kind === "outside" ? OUTSIDE : undefined;
    const method = this.#in.member(path, whole, "Deconstruct");
    if (method?.kind === "definition")
      return this.#taken(
        { path, name: "", receiver: whole, value: method, given: undefined, type: "" },
        method,
        index,
        WRITTEN,
      );
    // The properties of a record, in their order.
    const properties = this.#in.files.get(whole.path)?.properties.get(whole.slot)?.keys();
    const name = [...(properties ?? [])][index];
    return name === undefined ? undefined : this.#in.member(path, whole, name);
  }

  #called(path: string, callee: Expression, given: Given | undefined): Called {
    const name = nameIn(callee);
    const isMember = callee[0] === TAG.member;
    const receiver = isMember ? this.#in.evaluatedValue(path, callee[1]) : undefined;
    // `delegate.Invoke(…)` calls the delegate.
    const invoked = name === "Invoke" ? this.#in.functions.of(receiver) : undefined;
    const value = invoked ?? (isMember ? this.#in.member(path, receiver, name) : this.#in.evaluate(path, callee));
    return { path, name, receiver, value, given, type: isMember ? nameIn(callee[1]) : "" };
  }

  #resultOf({ path, receiver, given }: Called, value: Definition): Value | undefined {
    const entity = this.#entity(value);
    if (entity?.kind === "class") return { ...value, kind: "instance", of: [] };
    const overload = given?.[0].length ? this.#withTypes(value) : value;
    const told = this.#isAdded(entity, receiver) ? (given ?? NO_GIVEN) : given;
    const first = told && this.#isAdded(entity, receiver) ? receiver : undefined;
    const of = this.#in.functions.inference.ofCall(path, { ...overload, of: value.of }, told, first);
    const result = this.#in.resultOf(overload, of ?? []);
    return result ?? (this.#entity(overload)?.returns?.[0] === TAG.parameter ? OUTSIDE : undefined);
  }

  /** The first overload with type parameters. */
  #withTypes(value: Definition): Definition {
    const { inference } = this.#in.functions;
    return this.#in.taking(value).find((each) => inference.isGeneric(each)) ?? value;
  }

  #taken(called: Called, value: Definition, argument: number, parameter: number): Value | undefined {
    const { path, receiver, given } = called;
    let found: Value | undefined;
    for (const overload of this.#in.taking(value)) {
      const isAdded = this.#isAdded(this.#entity(overload), receiver);
      const of = this.#in.functions.inference.ofCall(
        path,
        { ...overload, of: value.of },
        isAdded ? (given ?? NO_GIVEN) : given,
        isAdded ? receiver : undefined,
      );
      const type = this.#entity(overload)?.type;
      if (!type) continue;
      const fn = { kind: "function", path: overload.path, type, of: of ?? [] } as const;
      const taken = this.#in.functions.taken(fn, argument + (isAdded ? 1 : 0));
      found = parameter === WRITTEN ? taken : this.#in.functions.taken(this.#in.functions.of(taken), parameter);
      if (found) return found;
    }
    return undefined;
  }

  /** Whether a method is one that is added to the value it is called on. */
  #isAdded(entity: SurfaceEntity | undefined, receiver: Value | undefined): boolean {
    return entity?.extends !== undefined && receiver !== undefined && receiver.kind !== "definition";
  }

  /** The result of a method outside the project. */
  #outside({ path, name, given, type }: Called): Value | undefined {
    const [types, values] = given ?? NO_GIVEN;
    const known = staticResult(type, name, {
      argument: (at) => (values[at] ? this.#in.evaluatedValue(path, values[at]) : undefined),
      made: (at) => this.#sequences.made(path, values[at], []),
    });
    if (known) return known;
    const [only, other] = types;
    const isAsync = GIVES_TYPE.exec(name)?.[1];
    if (!only || other || !GIVES_TYPE.test(name)) return undefined;
    const value = this.#in.evaluatedValue(path, only);
    return isAsync ? { kind: "library", name: "Promise", of: [value] } : value;
  }

  #entity({ path, slot }: Definition): SurfaceEntity | undefined {
    return this.#in.files.get(path)?.surface.entities[slot];
  }
}
