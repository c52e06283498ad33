/**
 * C#: reads the type arguments and arguments of a call. They determine the type parameters of the called method, and
 * the elements of the results of `Select` and others. If an argument is a function, the type of its parameters comes
 * from the callee, which only the evaluator knows.
 */
import {
  type Expression,
  type Given,
  hasAtMost,
  LAMBDA_PARAMETERS,
  LAMBDA_PARAMETERS_STEP,
  TAG,
} from "../../../expression.ts";
import type { Node } from "../../../syntax/tree.ts";
import { Scope } from "../scopes.ts";

const MAX_ARGUMENTS = 4;
/** A larger argument is not kept: an argument may be a call with arguments of its own. */
const MAX_PARTS = 60;
/** Calls in the arguments of calls. */
const MAX_LEVELS = 3;
/** How deep in other expressions the result of a function is read. */
const BODY_DEPTH = 4;
const WITHOUT_MEMBERS = /_literal$|^(?:interpolated_string_expression|typeof_expression|declaration_expression)$/;

interface ValueReader {
  value(node: Node, scope: Scope, depth?: number): Expression | undefined;
  type(node: Node, scope: Scope): Expression | undefined;
  typeArguments(node: Node, scope: Scope): (Expression | null)[];
}

export class CsharpGivenReader {
  readonly #in: ValueReader;
  /** How many calls are being read of which each is given the next. */
  #level = 0;
  /** How many functions are being read of which each is in the next. */
  #functions = 0;

  constructor(input: ValueReader) {
    this.#in = input;
  }

  /** Undefined if nothing is known of it. */
  read(
    call: Node,
    _callee: Expression | undefined,
    scope: Scope,
    depth: number,
    withFunctions: boolean,
  ): Given | undefined {
    if (this.#level >= MAX_LEVELS) return undefined;
    this.#level += 1;
    try {
      const types = this.#types(call, scope);
      const values = argumentsOf(call)
        .slice(0, MAX_ARGUMENTS)
        .map((each) => small(this.#argument(each, scope, depth + 1, withFunctions)));
      while (values.length > 0 && !values.at(-1)) values.pop();
      return values.length > 0 || types.some(Boolean) ? [types, values] : undefined;
    } finally {
      this.#level -= 1;
    }
  }

  #types(call: Node, scope: Scope): (Expression | null)[] {
    const callee = call.childForFieldName("function");
    const bound = callee?.type === "conditional_access_expression" ? callee.namedChildren.at(-1) : callee;
    const name = bound?.type === "generic_name" ? bound : bound?.childForFieldName("name");
    return name?.type === "generic_name" ? this.#in.typeArguments(name, scope) : [];
  }

  #argument(node: Node, scope: Scope, depth: number, withFunctions: boolean): Expression | undefined {
    const value = node.type === "argument" ? node.namedChildren.at(-1) : node;
    // The position of an argument with a name is another one.
    if (!value || node.childForFieldName("name") || WITHOUT_MEMBERS.test(value.type)) return undefined;
    if (value.type === "lambda_expression") return withFunctions ? this.#function(value, scope) : undefined;
    const found = this.#in.value(value, scope, depth);
    return found?.[0] === TAG.freeName ? undefined : found;
  }

  /** A function whose result is an expression. */
  #function(fn: Node, scope: Scope): Expression | undefined {
    const body = fn.childForFieldName("body");
    if (!body || body.type === "block" || this.#functions >= MAX_LEVELS) return undefined;
    const first = LAMBDA_PARAMETERS + this.#functions * LAMBDA_PARAMETERS_STEP;
    const inner = new Scope(scope);
    const taken = parametersOf(fn)
      .slice(0, LAMBDA_PARAMETERS_STEP)
      .map((each, at): Expression => {
        const type = each.childForFieldName("type");
        const passed: Expression = (type && this.#in.type(type, scope)) ?? [TAG.parameter, first + at, null];
        inner.bindValue((each.childForFieldName("name") ?? each).text, () => passed);
        return passed;
      });
    this.#functions += 1;
    try {
      const result = this.#in.value(body, inner, BODY_DEPTH);
      if (!result) return undefined;
      const isAsync = fn.children.some(({ text }) => text === "async");
      const made: Expression = isAsync ? [TAG.ofType, [TAG.freeName, "Task"], [result]] : result;
      return [TAG.functionType, taken, made, null];
    } finally {
      this.#functions -= 1;
    }
  }
}

export function argumentsOf(call: Node): Node[] {
  return call.childForFieldName("arguments")?.namedChildren.filter(({ type }) => type === "argument") ?? [];
}

/** `r => …`, `(r, i) => …`. */
function parametersOf(fn: Node): Node[] {
  const stated = fn.childForFieldName("parameters");
  if (!stated) return [];
  return stated.type === "implicit_parameter"
    ? [stated]
    : stated.namedChildren.filter(({ type }) => type === "parameter");
}

function small(expression: Expression | undefined): Expression | null {
  return expression && hasAtMost(expression, MAX_PARTS) ? expression : null;
}
