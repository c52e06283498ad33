/** The results of calls, and the arguments that a callee passes to a callback. */
import { type Expression, nameIn, TAG } from "../expression.ts";
import type { SurfaceEntity } from "../facts.ts";
import type { Family } from "../languages/language.ts";
import type { Names } from "./names/names.ts";
import type { Surfaces } from "./project/surface_index.ts";
import { mayReturnElement, returnsReceiver } from "./ruby/results.ts";
import type { RustLibrary } from "./rust/library.ts";
import { libraryCall, MAPS_ELEMENTS, OUTSIDE, type Value } from "./values.ts";

type Definition = Extract<Value, { kind: "definition" }>;

export interface CallsInput {
  files: Surfaces;
  names: Names;
  rust: RustLibrary;
  evaluate(path: string, expression: Expression): Value | undefined;
  evaluatedValue(path: string, expression: Expression): Value | undefined;
  /** The value of a constant or getter; anything else is returned unchanged. */
  valueOf(value: Value | undefined): Value | undefined;
  member(path: string, of: Value | undefined, name: string): Value | undefined;
  /** Does the work with these type arguments of the receiver. */
  withArguments<T>(given: readonly (Value | undefined)[], work: () => T): T;
  /** Undefined if the same work is being done already. */
  withoutCycles(key: string, work: () => Value | undefined): Value | undefined;
}

export class Calls {
  readonly #in: CallsInput;

  constructor(input: CallsInput) {
    this.#in = input;
  }

  result(path: string, callee: Expression, stated?: readonly (Expression | null)[]): Value | undefined {
    // The receiver is evaluated once: twice for each call of a chain would be exponential.
    const receiver = callee[0] === TAG.member ? this.#in.evaluatedValue(path, callee[1]) : undefined;
    if (callee[0] === TAG.member) {
      if (receiver?.kind === "library")
        return this.#family(path) === "rust" && MAPS_ELEMENTS.test(callee[2])
          ? undefined
          : libraryCall(receiver, callee[2]);
      if (receiver?.kind === "instance" && this.#in.rust.isUnwrapped(path, receiver, callee[2])) return receiver;
    }
    const found =
      callee[0] === TAG.member ? this.#in.member(path, receiver, callee[2]) : this.#in.evaluate(path, callee);
    if (this.#family(path) === "ruby" && (!found || found.kind === "outside")) {
      if (returnsReceiver(nameIn(callee)) && receiver?.kind === "instance") return receiver;
      if (mayReturnElement(nameIn(callee))) return undefined;
    }
    const value = found ?? this.#in.names.c.linked(path, nameIn(callee));
    if (this.#in.rust.isMade(path, callee, receiver, value)) return { ...receiver, kind: "instance", of: [] };
    // A reader of a field in Ruby is called, too; in Rust a form of an enumeration.
    if (value?.kind === "instance" && /^ru/.test(this.#family(path) ?? "")) return value;
    if (value?.kind !== "definition") return value?.kind === "outside" ? OUTSIDE : undefined;
    return (
      this.#in.rust.genericResult(path, value, receiver, stated) ?? this.#resultOfCall(path, callee, value, receiver)
    );
  }

  /** The result of a call of the project. */
  ownResult(path: string, call: Expression): Value | undefined {
    const result = this.#in.evaluate(path, call);
    return result?.kind === "outside" ? undefined : result;
  }

  /** Rust: an iterator over the results of the closure, or its only result where a wrapper calls it. */
  mapped(path: string, call: Expression, made: Expression): Value | undefined {
    const callee = call[0] === TAG.call ? call[1] : undefined;
    if (callee?.[0] !== TAG.member) return undefined;
    const receiver = this.#in.evaluatedValue(path, callee[1]);
    const value = this.#in.evaluatedValue(path, made);
    if (receiver?.kind !== "library" || callee[2] === "find_map") return value;
    return callee[2] === "flat_map" ? value : { kind: "library", name: "[]", of: [value] };
  }

  #resultOfCall(path: string, callee: Expression, value: Definition, receiver?: Value): Value | undefined {
    const entity = this.#entity(value);
    if (entity?.kind === "constant") {
      // The constant may be another name for a function.
      const other = this.#in.valueOf(value);
      const same = other?.kind !== "definition" || (other.slot === value.slot && other.path === value.path);
      return same ? undefined : this.#resultOfCall(path, callee, other);
    }
    const returns = entity?.returns;
    if (returns?.[0] === TAG.freeName && returns[1] === "this") {
      return callee[0] === TAG.member ? this.#in.evaluatedValue(path, callee[1]) : undefined;
    }
    if (entity?.kind === "class") return { ...value, kind: "instance", of: [] };
    return this.resultOf(value, receiver?.kind === "instance" ? receiver.of : []);
  }

  /** `of`: the type arguments of the receiver. */
  resultOf(value: Definition, of: readonly (Value | undefined)[] = []): Value | undefined {
    const returns = this.#entity(value)?.returns;
    if (!returns) return undefined;
    return this.#in.withoutCycles(`r${value.slot}:${value.path}`, () =>
      this.#in.withArguments(of, () => this.#in.evaluatedValue(value.path, returns)),
    );
  }

  /** The argument that a callee passes to a callback it is given. */
  callbackParameter(path: string, callee: Expression, argument: number, parameter: number): Value | undefined {
    const receiver = callee[0] === TAG.member ? this.#in.evaluatedValue(path, callee[1]) : undefined;
    const name = nameIn(callee);
    const passed = this.#family(path) === "rust" ? this.#in.rust.passed(path, receiver, name, parameter) : undefined;
    if (passed) return passed;
    const value = callee[0] === TAG.member ? this.#in.member(path, receiver, name) : this.#in.evaluate(path, callee);
    if (value?.kind !== "definition")
      return value?.kind === "outside" && this.#family(path) !== "ruby" ? OUTSIDE : undefined;
    const index = this.#in.files.get(value.path);
    const entity = index?.surface.entities[value.slot];
    if (!index || !entity) return undefined;
    const creator = entity.kind === "class" ? index.members.get(value.slot)?.get("constructor") : undefined;
    const overloads = entity.parent < 0 ? index.top.get(entity.name) : undefined;
    for (const slot of creator === undefined ? (overloads ?? [value.slot]) : [creator]) {
      const type = index.surface.entities[slot]?.takes?.[argument]?.[parameter];
      const of = receiver?.kind === "instance" ? receiver.of : [];
      if (type) return this.#in.withArguments(of, () => this.#in.evaluatedValue(value.path, type));
    }
    return undefined;
  }

  #entity({ path, slot }: Definition): SurfaceEntity | undefined {
    return this.#in.files.get(path)?.surface.entities[slot];
  }

  #family(path: string): Family | undefined {
    return this.#in.files.get(path)?.family;
  }
}
