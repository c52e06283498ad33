/**
 * Reads the type arguments and arguments of a TypeScript call. They determine the type parameters of the called
 * function, which may be in another file: only the evaluator knows whether it has any.
 */
import { type Expression, type Given, hasAtMost, TAG } from "../../../expression.ts";
import type { Language } from "../../../languages/language.ts";
import type { Node } from "../../../syntax/tree.ts";
import type { Closures } from "../ecmascript/closures.ts";
import { objectValue } from "../ecmascript/objects.ts";
import { bindPattern, type PatternReader } from "../patterns.ts";
import { Scope } from "../scopes.ts";
import type { ShapeReader } from "../types/shapes.ts";

const MAX_ARGUMENTS = 4;
/** A larger argument is not kept: an argument may be a call with arguments of its own. */
const MAX_PARTS = 60;
/** Calls in the arguments of calls. */
const MAX_LEVELS = 3;
/** How deep in other expressions the result of a function is read. */
const BODY_DEPTH = 6;
/** Callees are names, members, and what these return. */
const MAX_CALLEE_PARTS = 40;
/** Modules of the language's engines, and those that tests import. */
const LIBRARY = /^(node:|bun:|deno:|vitest$|@jest\/|@playwright\/test$|chai$|assert$|fs$|path$)/;
/** Methods of the library whose result is made of the results of a function. */
const MAKES = /^(?:map|flatMap|then|reduce)$/;
/** Methods whose result does not depend on that of the function. */
const KEEPS = /^(?:filter|forEach|some|every|sort|toSorted)$/;
const FUNCTION = /^(arrow_function|function_expression|lambda)$/;
/** Python: an argument by its name, or several at once; those behind it have no position. */
const WITHOUT_POSITION = /^(keyword_argument|list_splat|dictionary_splat)$/;

interface GivenInput extends PatternReader {
  language: Language;
  importOf(index: number): { source: string };
  shapes: ShapeReader | undefined;
  closures: Closures;
  value(node: Node, scope: Scope, depth?: number): Expression | undefined;
  type(node: Node, scope: Scope): Expression | undefined;
  typeArguments(node: Node, scope: Scope): (Expression | null)[];
  callbackParameter(fn: Node, index: number, scope: Scope): Expression | undefined;
}

export class GivenReader {
  readonly #in: GivenInput;
  /** Functions that were read, by their nodes, and the level at which they were. */
  readonly #functions = new WeakMap<Scope, Map<number, { level: number; type: Expression | undefined }>>();
  /** How many calls are being read of which each is given the next. */
  #level = 0;

  constructor(input: GivenInput) {
    this.#in = input;
  }

  /** Undefined if nothing is known of it. `withFunctions`: so do functions whose parameters the call itself types. */
  read(
    call: Node,
    callee: Expression | undefined,
    scope: Scope,
    depth: number,
    withFunctions: boolean,
  ): Given | undefined {
    if (!callee || this.#level >= MAX_LEVELS || this.#isLibrary(callee) || !hasAtMost(callee, MAX_CALLEE_PARTS))
      return undefined;
    // JavaScript has no type parameters, but lists of what a function makes.
    const { family, guardIn } = this.#in.language;
    const isPlain = family === "ecmascript" && !guardIn;
    if (isPlain && !(callee[0] === TAG.member && MAKES.test(callee[2]))) return undefined;
    const isMade = callee[0] !== TAG.member || !KEEPS.test(callee[2]);
    this.#level += 1;
    try {
      return this.#read(call, scope, depth, withFunctions && isMade);
    } finally {
      this.#level -= 1;
    }
  }

  #read(call: Node, scope: Scope, depth: number, withFunctions: boolean): Given | undefined {
    const types = call.childForFieldName("type_arguments") ? this.#in.typeArguments(call, scope) : [];
    const nodes = call.childForFieldName("arguments")?.namedChildren.filter(({ type }) => type !== "comment") ?? [];
    const end = nodes.findIndex(({ type }) => WITHOUT_POSITION.test(type));
    const values = nodes
      .slice(0, end < 0 ? MAX_ARGUMENTS : Math.min(end, MAX_ARGUMENTS))
      .map((each) => small(this.argument(each, scope, depth + 1, withFunctions)));
    while (values.length > 0 && !values.at(-1)) values.pop();
    return values.length > 0 || types.some(Boolean) ? [types, values] : undefined;
  }

  /** A function of the language's own library, or of one that the project cannot define: `Object.keys`, `expect`. */
  #isLibrary(callee: Expression): boolean {
    if (callee[0] === TAG.freeName) return true;
    if (callee[0] === TAG.import) return LIBRARY.test(this.#in.importOf(callee[1]).source);
    return (callee[0] === TAG.member || callee[0] === TAG.call) && this.#isLibrary(callee[1]);
  }

  /** `withFunctions`: so do functions whose parameters the call itself types. */
  argument(node: Node, scope: Scope, depth: number, withFunctions = true): Expression | undefined {
    if (FUNCTION.test(node.type)) return withFunctions || isTyped(node) ? this.functionType(node, scope) : undefined;
    if (node.type === "method_definition") return this.functionType(node, scope);
    if (node.type === "object") return this.#object(node, scope, depth, withFunctions);
    if (
      node.type === "spread_element" ||
      /^(string|number|integer|float|true|false|null|none|undefined)$/.test(node.type)
    )
      return undefined;
    const value = this.#in.value(node, scope, depth);
    return value?.[0] === TAG.freeName ? undefined : value;
  }

  #object(node: Node, scope: Scope, depth: number, withFunctions: boolean): Expression | undefined {
    return objectValue(node, (part) => this.argument(part, scope, depth + 1, withFunctions));
  }

  /** A function is read once: in a chain of calls, the functions of each link depend on those before it. */
  functionType(fn: Node, scope: Scope): Expression | undefined {
    const known = this.#functions.get(scope) ?? new Map<number, { level: number; type: Expression | undefined }>();
    this.#functions.set(scope, known);
    const before = known.get(fn.id);
    if (before && before.level <= this.#level) return before.type;
    // Unknown while it is read.
    known.set(fn.id, { level: this.#level, type: undefined });
    const type = this.#readFunction(fn, scope);
    known.set(fn.id, { level: this.#level, type });
    return type;
  }

  /** The type of a function, with the result that it states or is. */
  #readFunction(fn: Node, scope: Scope): Expression | undefined {
    const stated = this.#in.shapes?.functionType(fn, scope);
    const body = fn.childForFieldName("body");
    if (fn.childForFieldName("return_type") || !body) return stated;
    const result =
      body.type === "statement_block"
        ? this.#in.closures.result(fn, (value, inner) => this.#in.value(value, inner, BODY_DEPTH))
        : this.#bodyValue(fn, body, scope);
    if (!result) return body.type === "statement_block" ? stated : undefined;
    return stated ? [TAG.functionType, stated[1], small(result), stated[3]] : [TAG.functionType, [], result, null];
  }

  #bodyValue(fn: Node, body: Node, scope: Scope): Expression | undefined {
    const inner = new Scope(scope);
    const only = fn.childForFieldName("parameter");
    for (const [at, part] of (only ? [only] : (fn.childForFieldName("parameters")?.namedChildren ?? [])).entries()) {
      const type = part.childForFieldName("type");
      bindPattern(this.#in, part.childForFieldName("pattern") ?? part, inner, () =>
        type ? this.#in.type(type, scope) : this.#in.callbackParameter(fn, at, scope),
      );
    }
    return this.#in.value(body, inner, BODY_DEPTH);
  }
}

/** Whether a function does not depend on the call that it is given to. */
function isTyped(fn: Node): boolean {
  if (fn.childForFieldName("parameter")) return false;
  return (fn.childForFieldName("parameters")?.namedChildren ?? []).every((each) => each.childForFieldName("type"));
}

function small(expression: Expression | undefined): Expression | null {
  return expression && hasAtMost(expression, MAX_PARTS) ? expression : null;
}
