/** JavaScript: results of the methods of lists and promises, and what these pass to the functions that they are given. */
import { type Expression, type Given, nameIn, TAG } from "../../expression.ts";
import { receivesElement } from "../../languages/element_methods.ts";
import type { EvaluationInput } from "../evaluating/evaluation_input.ts";
import type { Functions } from "../evaluating/functions.ts";
import { awaited, isList, passedElement, type Value } from "../evaluating/values.ts";

interface EcmascriptCallsInput extends EvaluationInput {
  functions: Functions;
  member(path: string, of: Value | undefined, name: string): Value | undefined;
}

export class EcmascriptCalls {
  readonly #in: EcmascriptCallsInput;

  constructor(input: EcmascriptCallsInput) {
    this.#in = input;
  }

  /**
   * JavaScript: what a method of a list or promise makes of the results of the function it is given. A value of the project
   * may be in a promise that nothing states.
   */
  madeOf(path: string, receiver: Value, method: string, given: Given | undefined): Value | undefined {
    if (
      !/^(?:map|flatMap|then|reduce|catch|finally)$/.test(method) ||
      this.#in.files.get(path)?.family !== "ecmascript"
    )
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

  /** JavaScript: what a list or promise passes to a function, or a method of the project. */
  passedTo(
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
}
