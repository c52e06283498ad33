/** Ruby: results of calls of its own library, and what its methods pass to blocks. */
import { BLOCK, type Expression, type Given, nameIn, TAG } from "../../expression.ts";
import type { EvaluationInput } from "../evaluating/evaluation_input.ts";
import type { Value } from "../evaluating/values.ts";
import {
  collectionCall,
  hashOf,
  type Library,
  listOf,
  passedToBlock,
  type RubyArguments,
  threadOf,
  tupleOf,
} from "./collections.ts";
import { isRecord, recordCall, relationCall } from "./records.ts";

type Instance = Extract<Value, { kind: "instance" }>;
type Hash = Extract<Value, { kind: "record" }>;

const CALLS_FUNCTION = /^(?:call|\(\)|yield|===|\[\])$/;
const PASSES_SELF = /^(?:tap|then|yield_self)$/;
const RETURNS_MADE = /^(?:then|yield_self)$/;
const MAX_MEMBERS = 12;

interface RubyCallsInput extends EvaluationInput {
  member(path: string, of: Value | undefined, name: string): Value | undefined;
  bases(path: string, slot: number): readonly (Value | undefined)[];
  /** The value that a method of the project passes to a parameter of its block. */
  passes(path: string, of: Value, method: string, parameter: number): Value | undefined;
}

/** A value of Ruby's own library that dex knows the methods of. */
export function isRubyLibrary({ kind }: Value): boolean {
  return kind === "library" || kind === "function" || kind === "record";
}

export class RubyCalls {
  readonly #in: RubyCallsInput;

  constructor(input: RubyCallsInput) {
    this.#in = input;
  }

  /** The result of a method of a value that is not of the project; undefined: it is not known. */
  ofLibrary(path: string, receiver: Value, callee: Expression, given: Given | undefined): Value | undefined {
    const method = nameIn(callee);
    if (receiver.kind === "function")
      return CALLS_FUNCTION.test(method) && receiver.type[2]
        ? this.#in.withArguments(receiver.of, () =>
            receiver.type[2] ? this.#in.evaluatedValue(receiver.path, receiver.type[2]) : undefined,
          )
        : undefined;
    if (receiver.kind === "record") return this.#ofHash(path, receiver, method, given);
    if (receiver.kind !== "library") return undefined;
    return (
      relationCall(receiver, method, (given?.[1].length ?? 0) > 0) ??
      collectionCall(receiver, method, this.#arguments(path, given))
    );
  }

  /** The result of a method that the project does not define. */
  ofOutside(
    path: string,
    receiver: Value | undefined,
    callee: Expression,
    given: Given | undefined,
  ): Value | undefined {
    const method = nameIn(callee);
    if (RETURNS_MADE.test(method)) return this.made(path, given);
    if (method === "new" && callee[0] === TAG.member) return this.#created(path, callee[1], given);
    if (receiver?.kind === "definition" && isRecord(this.#in, receiver)) return recordCall(receiver, method);
    // The class may include Enumerable.
    const listed = receiver?.kind === "instance" && method !== "each" ? this.#listed(path, receiver) : undefined;
    return listed && collectionCall(listed, method, this.#arguments(path, given));
  }

  /** The result of the block of a call. */
  made(path: string, given: Given | undefined): Value | undefined {
    const [made] = given?.[0] ?? [];
    return made ? this.#in.evaluatedValue(path, made) : undefined;
  }

  /** The value that a method of the library passes to a parameter of its block. */
  passed(
    path: string,
    receiver: Value | undefined,
    method: string,
    argument: number,
    parameter: number,
    given?: Given,
  ): Value | undefined {
    if (PASSES_SELF.test(method)) return parameter === 0 ? receiver : undefined;
    const whole =
      receiver?.kind === "record"
        ? this.#hash(receiver)
        : receiver?.kind === "instance" && method !== "each"
          ? this.#listed(path, receiver)
          : receiver;
    if (whole?.kind !== "library") return undefined;
    const values = (given?.[1] ?? []).map((each) => (each ? this.#argument(path, each) : undefined));
    return passedToBlock(whole, method, parameter, argument !== BLOCK, values);
  }

  /** The elements that a class of the project passes on, as a list. */
  #listed(path: string, receiver: Instance): Library | undefined {
    const element = this.#in.passes(path, receiver, "each", 0);
    return element && listOf(element);
  }

  /** `Set.new(list)`, `Array.new(3) { … }`, `Thread.new { … }`. */
  #created(path: string, type: Expression, given: Given | undefined): Value | undefined {
    const name = nameIn(type);
    if (name === "Thread") return threadOf(this.made(path, given));
    if (name === "Array") return listOf(this.made(path, given) ?? this.#arguments(path, given).values[1]);
    if (name === "Hash") return hashOf(undefined, this.made(path, given) ?? this.#arguments(path, given).values[0]);
    const [held] = name === "Set" || name === "SortedSet" ? this.#arguments(path, given).values : [];
    return held?.kind === "library" ? collectionCall(held, "to_a", NOTHING) : undefined;
  }

  #arguments(path: string, given: Given | undefined): RubyArguments {
    const stated = given?.[1] ?? [];
    return {
      made: this.made(path, given),
      keys: stated.map((each) => (each?.[0] === TAG.freeName && each[1] !== "" ? each[1] : undefined)),
      values: stated.map((each) => (each ? this.#argument(path, each) : undefined)),
    };
  }

  #argument(path: string, stated: Expression): Value | undefined {
    return stated[0] === TAG.freeName ? undefined : this.#in.evaluatedValue(path, stated);
  }

  #ofHash(path: string, receiver: Hash, method: string, given: Given | undefined): Value | undefined {
    const [, keys = []] = given ?? [];
    const [first, ...others] = keys;
    if (/^(?:\[\]|fetch|dig|delete)$/.test(method) && first?.[0] === TAG.freeName && /^[:"]/.test(first[1])) {
      const found = this.#in.member(path, receiver, first[1]);
      const next = method === "dig" && others.length > 0 && found;
      if (!next) return found ?? this.made(path, given);
      const callee: Expression = [TAG.member, [TAG.freeName, ""], "dig"];
      return this.ofLibrary(path, next, callee, [[], others]);
    }
    return collectionCall(this.#hash(receiver), method, this.#arguments(path, given));
  }

  /** A hash whose values are alike. */
  #hash({ path, members, of }: Hash): Library {
    const values = members
      .slice(0, MAX_MEMBERS)
      .map(([, value]) => this.#in.withArguments(of, () => this.#in.evaluatedValue(path, value)));
    return hashOf(undefined, collectionCall(tupleOf(values), "sample", NOTHING));
  }
}

const NOTHING: RubyArguments = { made: undefined, keys: [], values: [] };
