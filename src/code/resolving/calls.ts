/** The results of calls, and the arguments that a callee passes to a callback. */
import { BLOCK_SELF, type Expression, type Given, nameIn, TAG } from "../expression.ts";
import type { SurfaceEntity } from "../facts.ts";
import { receivesElement } from "../languages/element_methods.ts";
import type { Family } from "../languages/language.ts";
import type { EvaluationInput } from "./evaluating/evaluation_input.ts";
import type { Functions } from "./evaluating/functions.ts";
import {
  awaited,
  isList,
  libraryCall,
  MAPS_ELEMENTS,
  OUTSIDE,
  passedElement,
  underlying,
  type Value,
} from "./evaluating/values.ts";
import type { Names } from "./names/names.ts";
import { mayReturnElement, returnsReceiver } from "./ruby/results.ts";
import type { RustLibrary } from "./rust/library.ts";

type Definition = Extract<Value, { kind: "definition" }>;

export interface CallsInput extends EvaluationInput {
  names: Names;
  rust: RustLibrary;
  functions: Functions;
  /** The value of a constant or getter; anything else is returned unchanged. */
  valueOf(value: Value | undefined): Value | undefined;
  member(path: string, of: Value | undefined, name: string): Value | undefined;
}

export class Calls {
  readonly #in: CallsInput;

  constructor(input: CallsInput) {
    this.#in = input;
  }

  result(path: string, callee: Expression, stated?: readonly (Expression | null)[], given?: Given): Value | undefined {
    // The receiver is evaluated once: twice for each call of a chain would be exponential.
    const stands = callee[0] === TAG.member ? this.#in.evaluatedValue(path, callee[1]) : undefined;
    const receiver = this.#family(path) === "go" && nameIn(callee) === "[]" ? underlying(stands) : stands;
    if (callee[0] === TAG.member) {
      if (receiver?.kind === "library")
        return this.#family(path) === "rust" && MAPS_ELEMENTS.test(callee[2])
          ? undefined
          : (this.#stated(path, callee, stated) ??
              this.#madeOf(path, receiver, callee[2], given) ??
              libraryCall(receiver, callee[2]));
      if (receiver?.kind === "instance" && this.#in.rust.isUnwrapped(path, receiver, callee[2])) return receiver;
    }
    const found =
      callee[0] === TAG.member ? this.#in.member(path, receiver, callee[2]) : this.#in.evaluate(path, callee);
    if (this.#family(path) === "ruby" && (!found || found.kind === "outside")) {
      if (returnsReceiver(nameIn(callee)) && receiver?.kind === "instance") return receiver;
      if (mayReturnElement(nameIn(callee))) return undefined;
    }
    if (receiver && (!found || found.kind === "outside")) {
      const settled = this.#madeOf(path, receiver, nameIn(callee), given);
      if (settled) return settled;
    }
    const value = found ?? this.#in.names.c.linked(path, nameIn(callee));
    if (this.#in.rust.isMade(path, callee, receiver, value)) return { ...receiver, kind: "instance", of: [] };
    // A reader of a field in Ruby is called, too; in Rust a form of an enumeration.
    if (value?.kind === "instance" && /^ru/.test(this.#family(path) ?? "")) return value;
    const fn = value?.kind === "definition" ? undefined : this.#in.functions.of(value);
    const called = this.#in.functions.given(path, fn, given);
    if (called) return this.#in.functions.result(called);
    if (value?.kind !== "definition")
      return this.#stated(path, callee, stated) ?? (value?.kind === "outside" ? OUTSIDE : undefined);
    const result =
      this.#in.rust.genericResult(path, value, receiver, stated) ??
      this.#resultOfCall(path, callee, value, receiver, given);
    const isGuess = value.unsure && result?.kind === "instance" && this.#family(path) === "php";
    return isGuess ? { ...result, unsure: true } : result;
  }

  /** The result that the type arguments of a call tell; in TypeScript those of `filter` and `find`. */
  #stated(path: string, callee: Expression, stated: readonly (Expression | null)[] | undefined): Value | undefined {
    if (this.#family(path) !== "ecmascript") return this.#in.rust.statedResult(path, callee, stated);
    const checked = stated?.[0] ? this.#in.evaluate(path, stated[0]) : undefined;
    return checked && nameIn(callee) === "filter" ? { kind: "library", name: "[]", of: [checked] } : checked;
  }

  /**
   * JavaScript: what a method of a list or promise makes of the results of the function it is given. A value of the project
   * may be in a promise that nothing states.
   */
  #madeOf(path: string, receiver: Value, method: string, given: Given | undefined): Value | undefined {
    if (!/^(?:map|flatMap|then|reduce|catch|finally)$/.test(method) || this.#family(path) !== "ecmascript")
      return undefined;
    const isPromise = receiver.kind !== "library" || !isList(receiver);
    if (method === "catch" || method === "finally")
      return isPromise && receiver.kind !== "outside" ? receiver : undefined;
    if (isPromise !== (method === "then")) return undefined;
    const [[stated], [passed, first]] = given ?? [[], []];
    if (method === "reduce" && stated) return this.#in.evaluatedValue(path, stated);
    const fn = passed ? this.#in.evaluatedValue(path, passed) : undefined;
    const typed = this.#in.functions.of(fn) ?? this.#in.functions.untyped(fn);
    if (method === "reduce")
      return this.#in.functions.taken(typed, 0) ?? (first ? this.#in.evaluatedValue(path, first) : undefined);
    const result = typed && this.#in.functions.result(typed);
    // Which function a list holds is not known.
    const made = this.#in.functions.untyped(result) ?? result;
    if (!made) return undefined;
    if (method === "then") return { kind: "library", name: "Promise", of: [awaited(made)] };
    const isFlat = method === "flatMap" && made.kind === "library" && isList(made);
    return isFlat ? made : { kind: "library", name: "[]", of: [made] };
  }

  /** A value of the type that a function checks its argument for; undefined: it checks none. */
  verdict(path: string, check: Expression): Value | undefined {
    const value = this.#in.evaluate(path, check);
    const returns = value?.kind === "definition" ? this.#entity(value)?.returns : undefined;
    return value?.kind === "definition" && returns?.[0] === TAG.verdict
      ? this.#in.evaluate(value.path, returns[1])
      : undefined;
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

  #resultOfCall(
    path: string,
    callee: Expression,
    value: Definition,
    receiver?: Value,
    given?: Given,
  ): Value | undefined {
    const entity = this.#entity(value);
    if (entity?.kind === "constant") {
      // The constant may be another name for a function.
      const other = this.#in.valueOf(value);
      const fn = other?.kind === "definition" ? undefined : this.#in.functions.of(other);
      const called = this.#in.functions.given(path, fn, given);
      if (called) return this.#in.functions.result(called);
      const same = other?.kind !== "definition" || (other.slot === value.slot && other.path === value.path);
      return same ? undefined : this.#resultOfCall(path, callee, other, undefined, given);
    }
    const returns = entity?.returns;
    if (returns?.[0] === TAG.freeName && returns[1] === "this") {
      const self = callee[0] === TAG.member ? this.#in.evaluatedValue(path, callee[1]) : undefined;
      // Python: a method of the class that makes an instance.
      return self?.kind === "definition" && this.#family(path) === "python"
        ? { ...self, kind: "instance", of: [] }
        : self;
    }
    // Go: `Kind(1)` is a value of the type.
    if (this.#family(path) === "go" && entity && /^(class|type|interface)$/.test(entity.kind))
      return this.#in.evaluate(path, [TAG.ofType, callee, []]);
    if (entity?.kind === "class") return { ...value, kind: "instance", of: [] };
    if (this.#family(value.path) === "ecmascript") {
      const result = this.resultOf(value, this.#in.functions.inference.ofCall(path, value, given));
      // A type parameter that nothing tells.
      return result ?? (returns?.[0] === TAG.parameter ? OUTSIDE : undefined);
    }
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
    if (this.#family(path) === "ecmascript") return this.#passedTo(path, callee, receiver, argument, parameter);
    const passed = this.#family(path) === "rust" ? this.#in.rust.passed(path, receiver, name, parameter) : undefined;
    if (passed) return passed;
    const value = callee[0] === TAG.member ? this.#in.member(path, receiver, name) : this.#in.evaluate(path, callee);
    if (value?.kind !== "definition")
      return value?.kind === "outside" && this.#family(path) !== "ruby" ? OUTSIDE : undefined;
    const of = receiver?.kind === "instance" ? receiver.of : [];
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

  /** JavaScript: what a list or promise passes to a function, or a method of the project. */
  #passedTo(
    path: string,
    callee: Expression,
    receiver: Value | undefined,
    argument: number,
    parameter: number,
  ): Value | undefined {
    const name = nameIn(callee);
    if (receiver?.kind === "library" && receivesElement(name, parameter))
      return passedElement(receiver, name, parameter);
    const isSettled = name === "then" && argument === 0 && parameter === 0 && receiver;
    if (isSettled && this.#in.member(path, receiver, name)?.kind !== "definition") return awaited(receiver);
    return this.#in.functions.parameter(path, [TAG.argument, callee, argument], parameter);
  }

  /** Ruby: whether a call without a receiver is in a block that another object runs, one that does not have the method. */
  isRunByOther(path: string, callee: Expression): boolean {
    if (this.#family(path) !== "ruby" || callee[0] !== TAG.either || callee[1][0] !== TAG.member) return false;
    const ofRunner = this.#in.evaluate(path, callee[1]);
    return (!ofRunner || ofRunner.kind === "outside") && this.#changesSelf(path, callee[1][1]);
  }

  /** Whether the text shows that this value, which may run a block, is not the `self` around the block. */
  #changesSelf(path: string, self: Expression): boolean {
    if (self[0] === TAG.either) return this.#changesSelf(path, self[1]) || this.#changesSelf(path, self[2]);
    if (self[0] !== TAG.callbackParameter || self[2] !== BLOCK_SELF) return true;
    const [, callee, , form] = self;
    const value = this.#in.evaluate(path, callee);
    if (value?.kind !== "definition") return false;
    return this.taking(value).some((taking) => {
      const runner = this.#entity(taking)?.takes?.[BLOCK_SELF]?.[form];
      const key = `j${form}:${taking.slot}:${taking.path}`;
      const shown = () => (runner && this.#changesSelf(taking.path, runner) ? OUTSIDE : undefined);
      return this.#in.withoutCycles(key, shown) !== undefined;
    });
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
    const creator = entity.kind === "class" ? index.members.get(value.slot)?.get("constructor") : undefined;
    const overloads = entity.parent < 0 ? index.top.get(entity.name) : undefined;
    const first = creator ?? value.slot;
    const slots = (creator === undefined ? overloads : undefined) ?? index.overloads.get(first) ?? [first];
    return slots.map((slot) => ({ kind: "definition", path: value.path, slot }));
  }

  #entity({ path, slot }: Definition): SurfaceEntity | undefined {
    return this.#in.files.get(path)?.surface.entities[slot];
  }

  #family(path: string): Family | undefined {
    return this.#in.files.get(path)?.family;
  }
}
