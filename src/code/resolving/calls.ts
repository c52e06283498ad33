/** The results of calls, and the arguments that a callee passes to a callback. */
import { BLOCK, BLOCK_PARTS, BLOCK_SELF, type Expression, type Given, nameIn, TAG } from "../expression.ts";
import type { SurfaceEntity } from "../facts.ts";
import type { Family } from "../languages/language.ts";
import { argumentsOf, type Callbacks } from "./callbacks.ts";
import { cppCall, unwraps } from "./cpp/library.ts";
import { CsharpCalls } from "./csharp/calls.ts";
import { EcmascriptCalls } from "./ecmascript/ecmascript_calls.ts";
import type { EvaluationInput } from "./evaluating/evaluation_input.ts";
import type { Functions } from "./evaluating/functions.ts";
import { withStated } from "./evaluating/type_arguments.ts";
import { libraryCall, MAPS_ELEMENTS, OUTSIDE, underlying, type Value } from "./evaluating/values.ts";
import { isJvmValue, jvmCall, jvmPassed, returnsReceiver as jvmReturns, passesReceiver } from "./jvm/library.ts";
import type { Names } from "./names/names.ts";
import { type IndexingInput, indexed } from "./python/indexing.ts";
import type { LibraryBases } from "./python/library.ts";
import { isRubyLibrary, RubyCalls } from "./ruby/calls.ts";
import { partOf } from "./ruby/collections.ts";
import { mayReturnElement, returnsReceiver } from "./ruby/results.ts";
import { Runners } from "./ruby/runners.ts";
import type { RustLibrary } from "./rust/library.ts";

type Definition = Extract<Value, { kind: "definition" }>;

/** Methods that make one collection of the results of a function, each of which is a collection. */
const FLATTENS = /^(flat_map|flatMap|thenCompose|thenComposeAsync)$/;

export interface CallsInput extends EvaluationInput {
  names: Names;
  rust: RustLibrary;
  callbacks: Callbacks;
  held: LibraryBases;
  functions: Functions;
  /** The value of a constant or getter; anything else is returned unchanged. */
  valueOf(value: Value | undefined): Value | undefined;
  member(path: string, of: Value | undefined, name: string): Value | undefined;
  bases(path: string, slot: number): readonly (Value | undefined)[];
}

interface Call {
  path: string;
  family: Family | undefined;
  callee: Expression;
  receiver: Value | undefined;
  given: Given | undefined;
  stated: readonly (Expression | null)[] | undefined;
}

/** A result that is known, though it may be of no known type; undefined: others have to tell it. */
type Settled = { value: Value | undefined } | undefined;

export class Calls {
  readonly #in: CallsInput;
  readonly #ecmascript: EcmascriptCalls;
  readonly #runners: Runners;
  readonly #ruby: RubyCalls;
  readonly #indexing: IndexingInput;
  readonly csharp: CsharpCalls;

  constructor(input: CallsInput) {
    this.#in = input;
    const taking = (value: Definition): readonly Definition[] => input.callbacks.taking(value);
    this.#ecmascript = new EcmascriptCalls(input);
    this.#indexing = { ...input, resultOf: (value, of) => this.resultOf(value, of) };
    this.#runners = new Runners({ ...input, taking });
    this.#ruby = new RubyCalls({
      ...input,
      passes: (path, of, method, parameter) => {
        const found = input.member(path, of, method);
        return found?.kind === "definition" ? input.callbacks.passedBy(found, of, BLOCK, parameter) : undefined;
      },
    });
    this.csharp = new CsharpCalls({
      ...input,
      taking,
      resultOf: (value, of) => this.resultOf(value, of),
    });
  }

  result(path: string, callee: Expression, stated?: readonly (Expression | null)[], given?: Given): Value | undefined {
    const family = this.#family(path);
    if (family === "csharp") return this.csharp.result(path, callee, given);
    const call: Call = { path, family, callee, receiver: this.#receiverOf(path, callee), given, stated };
    const early = this.#onLibrary(call);
    if (early) return early.value;
    const found =
      callee[0] === TAG.member ? this.#in.member(path, call.receiver, callee[2]) : this.#in.evaluate(path, callee);
    const outside = !found || found.kind === "outside" ? this.#onOutside(call, found) : undefined;
    return outside ? outside.value : this.#onFound(call, found ?? this.#in.names.c.linked(path, nameIn(callee)));
  }

  /** The receiver is evaluated once: twice for each call of a chain would be exponential. */
  #receiverOf(path: string, callee: Expression): Value | undefined {
    if (callee[0] !== TAG.member) return undefined;
    const receiver = this.#in.evaluatedValue(path, callee[1]);
    return this.#family(path) === "go" && nameIn(callee) === "[]" ? underlying(receiver) : receiver;
  }

  /** A call of a value of the language's own library, or of a wrapper that passes calls on. */
  #onLibrary({ path, family, callee, receiver, given, stated }: Call): Settled {
    if (!receiver) return undefined;
    if (family === "ruby" && isRubyLibrary(receiver))
      return { value: this.#ruby.ofLibrary(path, receiver, callee, given) };
    if (callee[0] !== TAG.member) return undefined;
    const name = callee[2];
    if (family === "python" && name.startsWith("["))
      return { value: indexed(this.#indexing, path, receiver, name.slice(1, -1)) };
    if (receiver.kind === "library") {
      if (family === "rust" && MAPS_ELEMENTS.test(name)) return { value: undefined };
      const made = this.#stated(path, callee, stated) ?? this.#ecmascript.madeOf(path, receiver, name, given);
      return { value: made ?? this.#libraryCall(path, receiver, name) };
    }
    const isUnwrapped = receiver.kind === "instance" && this.#in.rust.isUnwrapped(path, receiver, name);
    return isUnwrapped ? { value: receiver } : undefined;
  }

  /** A call of a member that the project does not define. */
  #onOutside({ path, family, callee, receiver, given }: Call, found: Value | undefined): Settled {
    const name = nameIn(callee);
    if (family === "ruby") {
      if (returnsReceiver(name) && receiver?.kind === "instance") return { value: receiver };
      const ofLibrary = this.#ruby.ofOutside(path, receiver, callee, given);
      if (ofLibrary) return { value: ofLibrary };
      if (mayReturnElement(name)) return { value: undefined };
    }
    if (family === "jvm" && jvmReturns(name)) return { value: receiver };
    if (!receiver) return undefined;
    const held = found && receiver.kind === "instance" ? this.#in.held.of(receiver) : undefined;
    if (held?.kind === "library" && callee[0] === TAG.member) return { value: libraryCall(held, callee[2]) };
    const made = this.#ecmascript.madeOf(path, receiver, name, given);
    if (made) return { value: made };
    // C++: an element of an array, or behind a pointer.
    const isElement = family === "c" && (unwraps(name) || (name === "[]" && !found));
    return isElement && receiver.kind === "instance" ? { value: receiver } : undefined;
  }

  #onFound(call: Call, value: Value | undefined): Value | undefined {
    const { path, family, callee, receiver, given, stated } = call;
    if (this.#in.rust.isMade(path, callee, receiver, value)) return { ...receiver, kind: "instance", of: [] };
    // A reader of a field in Ruby is called, too, as are the fields of a record in Java; in Rust a form of an enumeration.
    if (value?.kind === "instance" && /^(ru|jvm)/.test(family ?? "")) return value;
    const fn = value?.kind === "definition" ? undefined : this.#in.functions.of(value);
    const called = this.#in.functions.given(path, fn, given);
    if (called) return this.#in.functions.result(called);
    if (value?.kind !== "definition")
      return this.#stated(path, callee, stated) ?? (value?.kind === "outside" ? OUTSIDE : undefined);
    const result =
      this.#in.rust.genericResult(path, value, receiver, stated) ??
      this.#resultOfCall(path, callee, value, receiver, given, stated);
    const isGuess = value.unsure && result?.kind === "instance" && family === "php";
    return isGuess ? { ...result, unsure: true } : result;
  }

  /** The result that the type arguments of a call tell; in TypeScript those of `filter` and `find`. */
  #stated(path: string, callee: Expression, stated: readonly (Expression | null)[] | undefined): Value | undefined {
    if (this.#family(path) !== "ecmascript") return this.#in.rust.statedResult(path, callee, stated);
    const checked = stated?.[0] ? this.#in.evaluate(path, stated[0]) : undefined;
    return checked && nameIn(callee) === "filter" ? { kind: "library", name: "[]", of: [checked] } : checked;
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
    if (receiver?.kind !== "library" || /^(find_map|let|run)$/.test(callee[2])) return value;
    return FLATTENS.test(callee[2]) ? value : { kind: "library", name: "[]", of: [value] };
  }

  #resultOfCall(
    path: string,
    callee: Expression,
    value: Definition,
    receiver?: Value,
    given?: Given,
    stated?: readonly (Expression | null)[],
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
      const self = receiver ?? (callee[0] === TAG.member ? this.#in.evaluatedValue(path, callee[1]) : undefined);
      // Python, PHP: a method of the class that makes an instance.
      return self?.kind === "definition" && /^(python|php)$/.test(this.#family(path) ?? "")
        ? { ...self, kind: "instance", of: [] }
        : self;
    }
    // Go: `Kind(1)` is a value of the type.
    if (this.#family(path) === "go" && entity && /^(class|type|interface)$/.test(entity.kind))
      return this.#in.evaluate(path, [TAG.ofType, callee, []]);
    const isPython = this.#family(value.path) === "python";
    if (entity?.kind === "class") {
      const of = isPython && given ? this.#in.functions.inference.ofNew(path, value, given) : [];
      return { ...value, kind: "instance", of };
    }
    if (isPython) return this.resultOf(value, this.#in.functions.inference.ofCall(path, value, given));
    if (this.#family(value.path) === "ecmascript") {
      const result = this.resultOf(value, this.#in.functions.inference.ofCall(path, value, given));
      // A type parameter that nothing tells.
      return result ?? (returns?.[0] === TAG.parameter ? OUTSIDE : undefined);
    }
    const of = argumentsOf(value, receiver);
    const evaluate = (each: Expression) => this.#in.evaluatedValue(path, each);
    return this.resultOf(value, this.#family(path) === "c" && stated ? withStated(of, stated, evaluate) : of);
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
  callbackParameter(
    path: string,
    callee: Expression,
    argument: number,
    parameter: number,
    given?: Given,
  ): Value | undefined {
    if (this.#family(path) === "csharp") return this.csharp.passed(path, callee, argument, parameter, given);
    const receiver = callee[0] === TAG.member ? this.#in.evaluatedValue(path, callee[1]) : undefined;
    const name = nameIn(callee);
    if (this.#family(path) === "ecmascript")
      return this.#ecmascript.passedTo(path, callee, receiver, argument, parameter);
    const passed = this.#family(path) === "rust" ? this.#in.rust.passed(path, receiver, name, parameter) : undefined;
    if (passed) return passed;
    if (this.#family(path) === "jvm" && receiver) {
      if (receiver.kind === "library" && !passesReceiver(name)) return jvmPassed(receiver, name, parameter) ?? OUTSIDE;
      if (passesReceiver(name) && !this.#own(path, receiver, name)) return receiver;
    }
    const value = callee[0] === TAG.member ? this.#in.member(path, receiver, name) : this.#in.evaluate(path, callee);
    if (value?.kind !== "definition" && this.#family(path) === "ruby")
      return argument === BLOCK_SELF ? undefined : this.#ruby.passed(path, receiver, name, argument, parameter, given);
    if (value?.kind !== "definition") return value?.kind === "outside" ? OUTSIDE : undefined;
    if (argument !== BLOCK_PARTS) return this.#in.callbacks.passedBy(value, receiver, argument, parameter);
    const several = this.#in.callbacks.passedBy(value, receiver, BLOCK, 1);
    if (several || parameter > 1) return several;
    const only = this.#in.callbacks.passedBy(value, receiver, BLOCK, 0);
    return only?.kind === "library" ? partOf(only, parameter) : parameter === 0 ? only : undefined;
  }

  /** Ruby: whether a call without a receiver is in a block that another object runs, one that does not have the method. */
  isRunByOther(path: string, callee: Expression): boolean {
    return this.#runners.isRunByOther(path, callee);
  }

  /** A member that the project defines. */
  #own(path: string, receiver: Value, name: string): Value | undefined {
    const found = this.#in.member(path, receiver, name);
    return found?.kind === "outside" ? undefined : found;
  }

  #libraryCall(path: string, value: Extract<Value, { kind: "library" }>, method: string): Value {
    if (this.#family(path) === "c") return cppCall(value, method) ?? OUTSIDE;
    return this.#family(path) === "jvm" && isJvmValue(value.name) ? jvmCall(value, method) : libraryCall(value, method);
  }

  #entity({ path, slot }: Definition): SurfaceEntity | undefined {
    return this.#in.files.get(path)?.surface.entities[slot];
  }

  #family(path: string): Family | undefined {
    return this.#in.files.get(path)?.family;
  }
}
